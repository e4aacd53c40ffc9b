internal import Mustache

/// An entity: the struct, its id, its mapper and its repository.
struct EntityLayer {
    var record: RecordLayer
    /// The type inside an id of one field.
    var singleRawType: String?
    /// An id of several fields.
    var compositeID: CompositeIDLayer?
    /// The property `id` where the id field has another name or there are several: its lines.
    var identity: [String]
    /// The mapper of a composite id.
    var idMapper: MapperLayer?
    /// The entities in prose: `playlist tracks`.
    var plural: String
    /// The finders of the repository.
    var finders: [FinderLayer]
    /// The loaders of the repository.
    var relations: [RelationLayer]
    /// The declared queries of the repository.
    var queries: [FinderLayer]
}

extension EntityLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "singleID": { $0.singleRawType != nil },
        "rawType": { $0.singleRawType ?? "" },
        "compositeID": { orFalse($0.compositeID) },
        "identity": { $0.identity },
        "hasIdentity": { !$0.identity.isEmpty },
        "idMapper": { orFalse($0.idMapper) },
        "plural": { $0.plural },
        "hasFinders": { !$0.finders.isEmpty },
        "finders": { $0.finders },
        "hasRelations": { !$0.relations.isEmpty },
        "relations": { $0.relations },
        "hasQueries": { !$0.queries.isEmpty },
        "queries": { $0.queries },
    ]).followed(by: RecordLayer.members) { $0.record }
}

/// The struct of an id of several components; each list has a line for each component.
struct CompositeIDLayer {
    var count: Int
    /// What stands after the colon.
    var conformances: String
    var components: [String]
    var parameters: [String]
    var assignments: [String]
    var readings: [String]
    var arguments: [String]
    var texts: [String]
    var comparisons: [String]
    var hashes: [String]
    var orders: [String]
}

extension CompositeIDLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "count": { $0.count },
        "idConformances": { $0.conformances },
        "components": { $0.components },
        "idParameters": { $0.parameters },
        "idAssignments": { $0.assignments },
        "readings": { $0.readings },
        "idArguments": { $0.arguments },
        "texts": { $0.texts },
        "idComparisons": { $0.comparisons },
        "hashes": { $0.hashes },
        "orders": { $0.orders },
    ])
}

/// A finder of a repository: a method over a declared index, or a declared query.
struct FinderLayer {
    /// Whether a blank line stands before it.
    var isSeparated: Bool
    /// Its doc comment.
    var documentation: String
    /// Its attributes.
    var attributes: [String]
    /// What stands after `func` and before the brace.
    var signature: String
    /// Its statements.
    var body: String
}

extension FinderLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "separated": { $0.isSeparated },
        "documentation": { $0.documentation },
        "attributes": { $0.attributes },
        "signature": { $0.signature },
        "body": { $0.body },
    ])
}
