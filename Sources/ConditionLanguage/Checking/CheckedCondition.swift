/// A condition after name resolution and type checking. The translators use it without further
/// checks.
///
/// ``ConditionChecker`` creates it.
package indirect enum CheckedCondition<Scope: ConditionScope> {
    /// True if all conditions are true.
    case all([CheckedCondition<Scope>])
    /// True if any condition is true.
    case any([CheckedCondition<Scope>])
    /// True if the condition is false.
    case not(CheckedCondition<Scope>)
    /// Compares a field with a value.
    case compare(ConditionField<Scope>, ConditionComparison, ConditionValue<Scope>)
    /// Compares two fields of the same record.
    case compareFields(ConditionField<Scope>, ConditionComparison, ConditionField<Scope>)
    /// True if the field equals one of the values.
    case isIn(ConditionField<Scope>, [ConditionValue<Scope>])
    /// True if the field equals one of the elements of a list parameter.
    case isInParameter(ConditionField<Scope>, String)
    /// Applies a function: a list contains a value, or a string contains or starts with another.
    case function(ConditionFunction, ConditionField<Scope>, ConditionValue<Scope>)
    /// True if the field is null.
    case isNull(ConditionField<Scope>)
    /// True if any, none or all related records satisfy a condition on their own fields.
    case related(ConditionQuantifier, ConditionRelation<Scope>, CheckedCondition<Scope>)
    /// Compares the number of related records with a number.
    case count(ConditionRelation<Scope>, ConditionComparison, ConditionValue<Scope>)
}

/// A resolved field of a condition, possibly inside an embedded value.
package struct ConditionField<Scope: ConditionScope> {
    /// The fields from the entity's own field inwards.
    package var path: [Scope.Field]
    /// The Swift properties, from the entity's own inwards.
    package var properties: [String]
    /// The type. Optional if any field of the path is optional.
    package var type: Scope.FieldType
    /// The range of the name in the condition's text, in Unicode scalars.
    package var range: Range<Int>
    /// How many references the condition has followed at the record that has the field; 0 for a
    /// field of the entity itself.
    package var depth: Int
    /// Whether the field lies inside an embedded value.
    package var isInsideValue: Bool

    /// Describes a resolved field.
    package init(
        path: [Scope.Field], properties: [String], type: Scope.FieldType, range: Range<Int>,
        depth: Int = 0, isInsideValue: Bool = false
    ) {
        self.path = path
        self.properties = properties
        self.type = type
        self.range = range
        self.depth = depth
        self.isInsideValue = isInsideValue
    }
}

/// The right-hand side of a comparison.
package enum ConditionValue<Scope: ConditionScope> {
    /// A literal of a base type, or the name of an enum case.
    case literal(String, Scope.FieldType)
    /// The id of a record, from a literal of its raw type.
    case identifier(entity: String, String, Scope.FieldType)
    /// A parameter of the query.
    case parameter(String)
}

/// A parameter of a query.
package struct ConditionParameter<Scope: ConditionScope> {
    /// The name, without the `$`.
    package var name: String
    /// The type of the field that it is compared with.
    package var type: Scope.FieldType
    /// The range of its first occurrence in the condition's text.
    package var range: Range<Int>
}

/// A resolved relation of a condition: `loans`, `author.books`.
package struct ConditionRelation<Scope: ConditionScope> {
    /// The properties that lead to the relation, the relation last.
    package var properties: [String]
    /// The references on the way.
    package var references: [Scope.Field]
    /// The relation.
    package var relation: Scope.Relation
    /// The related record.
    package var target: Scope.Record
    /// How many references the condition has followed at the related records.
    package var depth: Int
}
