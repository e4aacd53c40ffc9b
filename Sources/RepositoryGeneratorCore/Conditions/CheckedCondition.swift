internal import RepositorySchema

/// A condition whose names have a meaning and whose types agree.
indirect enum CheckedCondition {
    /// All of them.
    case all([CheckedCondition])
    /// One of them.
    case any([CheckedCondition])
    /// Not the other.
    case not(CheckedCondition)
    /// A field compared with a value.
    case compare(ConditionField, ConditionComparison, ConditionValue)
    /// Whether a field is one of some values.
    case isIn(ConditionField, [ConditionValue])
    /// Whether a field is one of the values of a parameter.
    case isInParameter(ConditionField, String)
    /// A list that holds a value, a text that holds or begins with another.
    case function(ConditionFunction, ConditionField, ConditionValue)
    /// Whether a field is null.
    case isNull(ConditionField)
}

/// A field that a condition names, or one inside an embedded value.
struct ConditionField {
    /// The fields from the entity's own inwards.
    var path: [FieldDeclaration]
    /// The properties in Swift, from the entity's inwards.
    var properties: [String]
    /// The type, optional where anything on the way is.
    var type: TypeExpression
    /// Where it stands in the condition.
    var range: Range<Int>
}

/// What a field is compared with.
enum ConditionValue {
    /// A literal of a base type or the name of a case of an enum.
    case literal(String, TypeExpression)
    /// The id of an entity by the literal inside it.
    case identifier(entity: String, String, TypeExpression)
    /// A parameter.
    case parameter(String)
}

/// A parameter of a query.
struct ConditionParameter {
    /// The name behind the `$`.
    var name: String
    /// What it is compared with.
    var type: TypeExpression
    /// Where it stands first.
    var range: Range<Int>
}

/// What a condition may name.
struct ConditionContext {
    /// The declarations.
    let scope: SchemaScope
    /// The fields by name.
    let fields: [String: FieldDeclaration]
    /// The names of the fields in order, for help.
    let names: [String]
    /// Whose fields they are: `the entity 'Book'`.
    let owner: String
    /// The entity, whose id is a type of its own; nil in a mixin.
    let entity: EntityDeclaration?
    /// Whether all fields are known, so that no other name can be one.
    let isComplete: Bool
    /// What takes no parameters, with its article; nil for a query.
    var parameterless: String?

    /// What the conditions of an entity may name.
    init(_ entity: EntityDeclaration, scope: SchemaScope) {
        let fields = scope.fields(of: entity)
        self.scope = scope
        self.fields = SchemaScope.byName(fields)
        names = fields.map(\.name.value)
        owner = "the entity '\(entity.header.name.value)'"
        self.entity = entity
        isComplete = entity.header.isComplete
    }

    /// The same names for what takes no parameters.
    func without(parametersIn owner: String) -> ConditionContext {
        var copy = self
        copy.parameterless = owner
        return copy
    }

    /// What the conditions of a mixin may name: its fields, and those of the entities that include it.
    init(_ mixin: MixinDeclaration, scope: SchemaScope) {
        self.scope = scope
        fields = SchemaScope.byName(mixin.fields)
        names = mixin.fields.map(\.name.value)
        owner = "the mixin '\(mixin.header.name.value)'"
        entity = nil
        isComplete = false
    }
}
