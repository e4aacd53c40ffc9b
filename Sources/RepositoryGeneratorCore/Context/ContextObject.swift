internal import Mustache
internal import RepositorySchema

/// A JSON object of the model, as the template engine sees it.
struct ContextObject: MustacheParent {
    private let members: [String: JSONValue]

    init(_ members: [JSONValue.Member]) {
        self.members = Dictionary(
            members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    func child(named name: String) -> Any? { members[name].map(Self.rendered) }

    /// Converts a value for the engine. A null becomes `false`: for nil the engine would look up
    /// the name in the enclosing context.
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

/// The render context of one entity, for templates that produce a file per entity.
struct EntityContext: MustacheParent {
    /// The members that are added to the facts of the entity.
    private static let surroundings = Members<EntityContext, Any>([
        "set": { $0.set },
        "swift": { $0.layer },
        "types": { orFalse($0.set.child(named: "types")) },
    ])
    /// The names of the facts, then of the added members.
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
