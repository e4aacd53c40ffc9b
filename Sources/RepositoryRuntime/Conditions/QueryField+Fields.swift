/// Comparisons of two fields of one record: `$0.dueAt < $0.returnedAt`.
///
/// The overloads are disfavored, so that the compiler reports a wrong operand as it does for a
/// comparison with a value.
extension QueryField where Value: OrderedFieldValue {
    /// Whether both fields are equal. Null equals only null.
    ///
    /// If one of them ignores case, both strings are folded.
    @_disfavoredOverload
    public static func == <Other: OrderedFieldValue>(
        field: Self, other: QueryField<Root, Other>
    ) -> Condition where Other.Comparand == Value.Comparand {
        field.compare(.equal, other)
    }

    /// Whether the fields differ: the negation of `==`.
    @_disfavoredOverload
    public static func != <Other: OrderedFieldValue>(
        field: Self, other: QueryField<Root, Other>
    ) -> Condition where Other.Comparand == Value.Comparand {
        !field.compare(.equal, other)
    }

    /// Whether the first field is less than the second one; false if one of them is null.
    @_disfavoredOverload
    public static func < <Other: OrderedFieldValue>(
        field: Self, other: QueryField<Root, Other>
    ) -> Condition where Other.Comparand == Value.Comparand {
        field.compare(.less, other)
    }

    /// Whether the first field is less than or equal to the second one; false if one of them is
    /// null.
    @_disfavoredOverload
    public static func <= <Other: OrderedFieldValue>(
        field: Self, other: QueryField<Root, Other>
    ) -> Condition where Other.Comparand == Value.Comparand {
        field.compare(.lessOrEqual, other)
    }

    /// Whether the first field is greater than the second one; false if one of them is null.
    @_disfavoredOverload
    public static func > <Other: OrderedFieldValue>(
        field: Self, other: QueryField<Root, Other>
    ) -> Condition where Other.Comparand == Value.Comparand {
        field.compare(.greater, other)
    }

    /// Whether the first field is greater than or equal to the second one; false if one of them is
    /// null.
    @_disfavoredOverload
    public static func >= <Other: OrderedFieldValue>(
        field: Self, other: QueryField<Root, Other>
    ) -> Condition where Other.Comparand == Value.Comparand {
        field.compare(.greaterOrEqual, other)
    }

    /// Creates the condition.
    private func compare<Other: FieldValue>(
        _ comparison: ConditionTree.Comparison, _ other: QueryField<Root, Other>
    ) -> Condition {
        Condition(.compareFields(queryPath, comparison, other.queryPath), of: Root.self)
    }
}
