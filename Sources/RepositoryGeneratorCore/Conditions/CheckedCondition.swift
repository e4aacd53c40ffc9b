internal import RepositorySchema

/// A condition after name resolution and type checking. The translators use it without further
/// checks.
///
/// ``ConditionChecker`` creates it.
indirect enum CheckedCondition {
    /// True if all conditions are true.
    case all([CheckedCondition])
    /// True if any condition is true.
    case any([CheckedCondition])
    /// True if the condition is false.
    case not(CheckedCondition)
    /// Compares a field with a value.
    case compare(ConditionField, ConditionComparison, ConditionValue)
    /// Compares two fields of the same record.
    case compareFields(ConditionField, ConditionComparison, ConditionField)
    /// True if the field equals one of the values.
    case isIn(ConditionField, [ConditionValue])
    /// True if the field equals one of the elements of a list parameter.
    case isInParameter(ConditionField, String)
    /// Applies a function: a list contains a value, or a string contains or starts with another.
    case function(ConditionFunction, ConditionField, ConditionValue)
    /// True if the field is null.
    case isNull(ConditionField)
    /// True if any, none or all related records satisfy a condition on their own fields.
    case related(ConditionQuantifier, ConditionRelation, CheckedCondition)
    /// Compares the number of related records with a number.
    case count(ConditionRelation, ConditionComparison, ConditionValue)
}

/// A resolved field of a condition, possibly inside an embedded value.
struct ConditionField {
    /// The fields from the entity's own field inwards.
    var path: [FieldDeclaration]
    /// The Swift properties, from the entity's own inwards.
    var properties: [String]
    /// The type. Optional if any field of the path is optional.
    var type: TypeExpression
    /// The range of the name in the condition's text, in Unicode scalars.
    var range: Range<Int>
    /// How many references the condition has followed at the record that has the field; 0 for a
    /// field of the entity itself.
    var depth = 0
    /// Whether the field lies inside an embedded value.
    var isInsideValue = false
}

/// The right-hand side of a comparison.
enum ConditionValue {
    /// A literal of a base type, or the name of an enum case.
    case literal(String, TypeExpression)
    /// The id of an entity, from a literal of its raw type.
    case identifier(entity: String, String, TypeExpression)
    /// A parameter of the query.
    case parameter(String)
}

/// A parameter of a query.
struct ConditionParameter {
    /// The name, without the `$`.
    var name: String
    /// The type of the field that it is compared with.
    var type: TypeExpression
    /// The range of its first occurrence in the condition's text.
    var range: Range<Int>
}

/// The names that a condition can use.
struct ConditionContext {
    /// The declarations that types are resolved in.
    let scope: SchemaScope
    /// The fields by name.
    let fields: [String: FieldDeclaration]
    /// The names of the fields in order, for suggestions in diagnostics.
    let names: [String]
    /// The owner of the fields, for messages: `the entity 'Book'`.
    let owner: String
    /// The entity, whose id has a type of its own. Nil in a mixin.
    let entity: EntityDeclaration?
    /// Whether all fields are known. If not, an unknown name is not reported, because it may be a
    /// field.
    let isComplete: Bool
    /// A description of the construct that does not allow parameters, with its article. Nil for a
    /// query, which allows them.
    var parameterless: String?
    /// Whether the condition is that of an index.
    var isOfIndex: Bool { parameterless == Self.index }
    /// The description of an index, for ``parameterless``.
    static let index = "an index"
    /// How many references the condition has followed to these fields.
    var depth = 0

    /// Creates the context of an entity's conditions.
    init(_ entity: EntityDeclaration, scope: SchemaScope) {
        let fields = scope.fields(of: entity)
        self.scope = scope
        self.fields = SchemaScope.byName(fields)
        names = fields.map(\.name.value)
        owner = "the entity '\(entity.header.name.value)'"
        self.entity = entity
        isComplete = entity.header.isComplete
    }

    /// Returns the same context for a construct that does not allow parameters.
    func without(parametersIn owner: String) -> ConditionContext {
        var copy = self
        copy.parameterless = owner
        return copy
    }

    /// Creates the context of a mixin's conditions. The fields of the entities that include the
    /// mixin are not known here.
    init(_ mixin: MixinDeclaration, scope: SchemaScope) {
        self.scope = scope
        fields = SchemaScope.byName(mixin.fields)
        names = mixin.fields.map(\.name.value)
        owner = "the mixin '\(mixin.header.name.value)'"
        entity = nil
        isComplete = false
    }
}
