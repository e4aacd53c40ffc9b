internal import ConditionLanguage
internal import RepositorySchema

typealias CheckedCondition = ConditionLanguage.CheckedCondition<SchemaScope>
typealias ConditionChecker = ConditionLanguage.ConditionChecker<SchemaScope>
typealias ConditionContext = ConditionLanguage.ConditionContext<SchemaScope>
typealias ConditionField = ConditionLanguage.ConditionField<SchemaScope>
typealias ConditionRelation = ConditionLanguage.ConditionRelation<SchemaScope>
typealias ConditionValue = ConditionLanguage.ConditionValue<SchemaScope>

extension ConditionContext {
    /// Creates the context of a mixin's conditions. The fields of the entities that include the
    /// mixin are not known here.
    init(_ mixin: MixinDeclaration, scope: SchemaScope) {
        self.init(
            fields: mixin.fields, owner: "the mixin '\(mixin.header.name.value)'", record: nil,
            isComplete: false, scope: scope)
    }
}

extension ConditionChecker {
    /// Parses and checks a condition of a schema; see ``check(_:)``.
    mutating func check(_ text: ConditionText) -> CheckedCondition? { check(text.text) }
}

extension ConditionProblem {
    /// Converts the problem to a diagnostic with a range in the schema file.
    func diagnostic(in text: ConditionText) -> Diagnostic {
        Diagnostic(
            message, at: text.range(of: range), help: help,
            notes: notes.map { Diagnostic.Note($0.message, at: text.range(of: $0.range)) })
    }
}

extension ConditionEnumeration {
    /// Describes a declared enum.
    init(_ enumeration: EnumDeclaration) {
        self.init(
            name: enumeration.header.name.value,
            cases: enumeration.cases.map { ($0.name.value, $0.rawValue?.value) },
            isComplete: enumeration.header.isComplete)
    }
}

extension TypeExpression: ConditionFieldType {
    static var count: TypeExpression { .base(.int) }
}

extension SchemaScope: ConditionScope {
    typealias FieldType = TypeExpression
    typealias Record = EntityDeclaration
    typealias Field = FieldDeclaration
    typealias Relation = RelationDeclaration

    func conditionKind(of type: TypeExpression) -> ConditionKind<SchemaScope> {
        switch type.unwrapped {
        case .list(let element): return .list(element)
        case .map(let value): return .map(value)
        case .base, .named, .optional: break
        }
        return switch kind(of: type) {
        case .base(let base): .base(base.stored)
        case .entity(let entity): .record(entity)
        case .value(let value):
            .value(
                name: value.header.name.value, fields: value.fields,
                isComplete: value.header.isComplete)
        case .union(let union): .union(union.header.name.value)
        case .enumeration(let enumeration): .enumeration(ConditionEnumeration(enumeration))
        case .scalar(let scalar): .scalar(scalar.header.name.value)
        case .unknown: .unknown
        }
    }

    func name(of type: TypeExpression) -> String { type.unwrapped.description }

    var recordNoun: String { "entity" }
    func name(of entity: EntityDeclaration) -> String { entity.header.name.value }
    func isComplete(_ entity: EntityDeclaration) -> Bool { entity.header.isComplete }
    func idType(of entity: EntityDeclaration) -> TypeExpression { .named(name(of: entity)) }
    func idField(of entity: EntityDeclaration) -> FieldDeclaration? {
        if case .single(let field) = entity.identity { field } else { nil }
    }

    func name(of field: FieldDeclaration) -> String { field.name.value }
    func type(of field: FieldDeclaration) -> TypeExpression { field.type.value }
    func isExternal(_ field: FieldDeclaration) -> Bool { field.isExternal }
    func isEncrypted(_ field: FieldDeclaration) -> Bool { field.isEncrypted }

    func relationNames(of entity: EntityDeclaration) -> [String] {
        entity.relations.map(\.name.value)
    }

    func relation(
        _ name: String, of entity: EntityDeclaration
    ) -> ConditionLink<SchemaScope>? {
        guard let relation = entity.relations.first(where: { $0.name.value == name }),
            let path = RelationPath(relation, of: entity, self)
        else { return nil }
        let links = if case .join = path.link { 2 } else { 1 }
        return ConditionLink(
            relation, to: path.target, links: links, isHidden: hides(name, in: entity))
    }

    /// A parameter becomes a parameter of a Swift method.
    func problem(ofParameter name: String) -> (message: String, help: String)? {
        if !Naming.isIdentifier(name) {
            return ("a parameter cannot be called '\(name)'", "give it another name")
        }
        if name.unicodeScalars.first?.properties.isUppercase == true {
            return (
                "the name of a parameter begins with a lower-case letter",
                "call it '$\(Naming.lowerCamelCase(name))'"
            )
        }
        return nil
    }
}
