internal import RepositorySchema

/// The facts of a set, for templates that add files.
struct SetModel {
    /// The names and values, in the order of printing. The keys are public: templates of users
    /// depend on them.
    static let facts = Members<SetModel, JSONValue>([
        "name": { .string($0.scope.set.settings.name) },
        "access": { .string($0.scope.set.settings.access.rawValue) },
        "schemas": { .array($0.scope.set.files.map { .string($0) }) },
        "entities": { .array($0.entities) },
        "values": { .array($0.values) },
        "unions": { .array($0.unions) },
        "enums": { .array($0.enums) },
        "scalars": { .array($0.scalars) },
        "types": { $0.scope.names.json },
    ])

    /// The scope of the set, with mixins expanded.
    private let scope: SchemaScope
    private var entities: [JSONValue] = []
    private var values: [JSONValue] = []
    private var unions: [JSONValue] = []
    private var enums: [JSONValue] = []
    private var scalars: [JSONValue] = []

    /// Collects the facts of all declarations.
    init(_ translator: SchemaTranslator) {
        scope = translator.scope
        for declaration in scope.set.declarations {
            switch declaration {
            case .entity(let entity):
                let fields = EntityTranslator(entity, scope: scope, access: translator.access)
                entities.append(EntityModel(fields).json)
            case .value(let value):
                values.append(TypeModel.value.json(of: Described(value, scope)))
            case .union(let union):
                unions.append(TypeModel.union.json(of: Described(union, scope)))
            case .enumeration(let enumeration):
                enums.append(TypeModel.enumeration.json(of: Described(enumeration, scope)))
            case .scalar(let scalar):
                scalars.append(TypeModel.scalar.json(of: Described(scalar, scope)))
            // Its fields are part of the entities that include it.
            case .mixin: continue
            }
        }
    }

    /// The facts as an ordered JSON object, for `--dump-context`.
    var json: JSONValue { Self.facts.json(of: self) }

    /// The facts as a render context.
    var context: ContextObject { ContextObject(Self.facts.jsonMembers(of: self)) }
}

extension Members where Value == JSONValue {
    /// The members of a subject, in the order of printing.
    func jsonMembers(of subject: Subject) -> [JSONValue.Member] {
        all(of: subject).map { JSONValue.Member($0.name, $0.value) }
    }

    /// The members of a subject as a JSON object.
    func json(of subject: Subject) -> JSONValue { .object(jsonMembers(of: subject)) }
}

/// The documentation and deprecation that all declarations and fields have in common.
struct Remarks {
    static let facts = Members<Remarks, JSONValue>([
        "doc": { .string($0.doc ?? "") },
        "hasDoc": { .bool($0.doc != nil) },
        "deprecated": { .bool($0.deprecated != nil) },
        "deprecation": { .string($0.deprecated?.value ?? "") },
    ])

    /// The documentation in the schema, or nil.
    let doc: String?
    /// The deprecation message, which may be empty. Nil if the declaration is not deprecated.
    let deprecated: Located<String>?

    init(_ header: DeclarationHeader) {
        self.init(doc: header.doc, deprecated: header.deprecated)
    }

    init(doc: String?, deprecated: Located<String>?) {
        self.doc = doc
        self.deprecated = deprecated
    }
}
