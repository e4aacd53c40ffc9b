internal import Mustache
internal import RepositorySchema

/// A part of the model as templates see it.
struct ContextObject: MustacheParent {
    private let members: [String: JSONValue]

    init(_ members: [JSONValue.Member]) {
        self.members = Dictionary(
            members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    func child(named name: String) -> Any? { members[name].map(Self.rendered) }

    /// A value in the form that the engine takes. One that is absent is `false`, so that it is not looked for in what is
    /// around.
    private static func rendered(_ value: JSONValue) -> Any {
        switch value {
        case .null: false
        case .bool(let flag): flag
        case .integer(let number): number
        case .string(let text): text
        case .array(let elements): elements.map(rendered)
        case .object(let members): ContextObject(members)
        }
    }
}

/// An entity of the model, inside its set.
struct EntityContext: MustacheParent {
    /// What stands beside the facts of the entity.
    private static let surroundings = Members<EntityContext, Any>([
        "set": { $0.set },
        "swift": { $0.layer },
        "types": { orFalse($0.set.child(named: "types")) },
    ])
    /// The names of the facts, then of what stands beside them.
    static let keys = EntityModel.facts.keys + surroundings.keys

    private let entity: ContextObject
    private let set: ContextObject
    private let layer: EntityLayer

    init(_ entity: EntityDeclaration, in set: ContextObject, _ translator: SchemaTranslator) {
        let described = EntityModel(
            EntityTranslator(entity, scope: translator.scope, access: translator.access))
        self.entity = described.context
        layer = described.translator.layer
        self.set = set
    }

    func child(named name: String) -> Any? {
        Self.surroundings.value(name, of: self) ?? entity.child(named: name)
    }
}
