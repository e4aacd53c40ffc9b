internal import Foundation

extension QueryField {
    /// Whether the field equals the value. Null equals only null. The dates in the value are
    /// rounded as in stored records.
    ///
    /// In SQL, this is `IS NOT DISTINCT FROM`.
    public static func == (field: Self, value: Value) -> Condition {
        field.equals(value)
    }

    /// Whether the field does not equal the value: the negation of `==`, so null differs from every
    /// other value.
    ///
    /// In SQL, this is `IS DISTINCT FROM`.
    public static func != (field: Self, value: Value) -> Condition {
        !field.equals(value)
    }

    /// Creates the condition for `==`.
    private func equals(_ value: Value) -> Condition {
        condition(value) { equality($0) }
    }

    /// Returns the equality test of the field with a stored value. A composite id is compared by
    /// its components.
    func equality(_ stored: StoredValue) -> ConditionTree {
        guard !components.isEmpty else { return .compare(queryPath, .equal, stored) }
        guard case .object(let object) = stored else { return .constant(false) }
        let fields = Root.Mapper.layout.fields
        return .all(
            components.map { path in
                .compare(path, .equal, object[fields[path.field].name] ?? .null)
            })
    }

    /// Creates a condition from the stored representation of a value. If the value cannot be
    /// encoded, the condition is invalid and contains the reason.
    func condition<V: FieldValue>(
        _ value: V, _ make: (StoredValue) -> ConditionTree
    ) -> Condition {
        do {
            return Condition(make(try StoredValue(encoding: value).roundedDates), of: Root.self)
        } catch {
            return Condition(.invalid("A value cannot be compared: \(error)."))
        }
    }
}

/// There is one overload for each operator, for optional fields too: with two overloads, the
/// compiler reports a wrong operand as a wrong field.
extension QueryField where Value: OrderedFieldValue {
    /// Whether the field is less than the value; false if it is null.
    ///
    /// In SQL terms, a null field gives false and not unknown, so that the negation is true for it.
    public static func < (field: Self, value: Value.Comparand) -> Condition {
        field.compare(.less, value)
    }

    /// Whether the field is less than or equal to the value; false if it is null.
    public static func <= (field: Self, value: Value.Comparand) -> Condition {
        field.compare(.lessOrEqual, value)
    }

    /// Whether the field is greater than the value; false if it is null.
    public static func > (field: Self, value: Value.Comparand) -> Condition {
        field.compare(.greater, value)
    }

    /// Whether the field is greater than or equal to the value; false if it is null.
    public static func >= (field: Self, value: Value.Comparand) -> Condition {
        field.compare(.greaterOrEqual, value)
    }

    /// Creates the condition for an ordered comparison.
    func compare(_ comparison: ConditionTree.Comparison, _ value: Value.Comparand) -> Condition {
        condition(value) { .compare(queryPath, comparison, $0) }
    }
}

extension StoredValue {
    /// The value with all dates, at any depth, rounded to microseconds like stored dates.
    var roundedDates: StoredValue {
        switch self {
        case .date(let date): .date(StoredDate.rounded(date))
        case .list(let elements): .list(elements.map(\.roundedDates))
        case .object(let fields): .object(fields.mapValues(\.roundedDates))
        case .null, .bool, .integer, .double, .decimal, .uuid, .text, .data: self
        }
    }
}
