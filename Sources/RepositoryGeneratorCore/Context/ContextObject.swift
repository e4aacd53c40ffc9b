internal import Mustache
internal import RepositorySchema

/// A JSON object of the model, as the template engine sees it.
struct ContextObject: MustacheParent {
    /// The members by name.
    private let members: [String: JSONValue]

    /// Creates the object. If members share a name, the first one is used.
    init(_ members: [JSONValue.Member]) {
        self.members = Dictionary(
            members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns a member for the template engine, or nil if the object has no such member.
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

    /// The facts of the entity.
    private let entity: ContextObject
    /// The facts of the set, for the member `set`.
    private let set: ContextObject
    /// The translated Swift of the entity, for the member `swift`.
    private let layer: EntityLayer

    /// Translates an entity of a set.
    ///
    /// - Parameter set: The context of the set, which all entities share.
    init(_ entity: EntityDeclaration, in set: ContextObject, _ translator: SchemaTranslator) {
        let described = EntityModel(
            EntityTranslator(entity, scope: translator.scope, access: translator.access))
        self.entity = described.context
        layer = described.translator.layer
        self.set = set
    }

    /// Returns a member. The members that are added take precedence over the facts.
    func child(named name: String) -> Any? {
        Self.surroundings.value(name, of: self) ?? entity.child(named: name)
    }
}
