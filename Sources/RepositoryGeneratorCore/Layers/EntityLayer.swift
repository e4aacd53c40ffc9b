internal import Mustache

/// The render context of an entity: the struct, its id, its mapper and its repository.
struct EntityLayer {
    /// The struct and the mapper.
    var record: RecordLayer
    /// The raw type of an id of one field.
    var singleRawType: String?
    /// The members of the id type for the cases of the enum that the id is. Empty for other ids.
    var idCases: [String] = []
    /// An id of several fields.
    var compositeID: CompositeIDLayer?
    /// The lines of the property `id`, if the id field has another name or the id has several
    /// fields. Empty otherwise.
    var identity: [String]
    /// The mapper of a composite id.
    var idMapper: MapperLayer?
    /// The plural of the entity in prose: `playlist tracks`.
    var plural: String
    /// The finders of the repository, one per declared index.
    var finders: [FinderLayer]
    /// The loaders of the repository, one per declared relation.
    var relations: [RelationLayer]
    /// The methods of the repository for declared queries.
    var queries: [FinderLayer]
    /// Whether the repository has a full-text search.
    var isSearchable = false
    /// The protocol that the repository conforms to.
    var repositoryProtocol = ""
    /// Whether deleted records stay stored.
    var deletesSoftly = false
}

extension EntityLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "singleID": { $0.singleRawType != nil },
        "rawType": { $0.singleRawType ?? "" },
        "hasIDCases": { !$0.idCases.isEmpty },
        "idCases": { $0.idCases },
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
        "isSearchable": { $0.isSearchable },
        "repositoryProtocol": { $0.repositoryProtocol },
        "deletesSoftly": { $0.deletesSoftly },
    ]).followed(by: RecordLayer.members) { $0.record }
}

/// The render context of the struct for a composite id. Each list contains one line per component.
struct CompositeIDLayer {
    /// The number of components.
    var count: Int
    /// The conformances, as written after the colon.
    var conformances: String
    /// The properties with their doc comments: `public let bookID: Book.ID`.
    var components: [String]
    /// The parameters of the initialiser: `bookID: Book.ID,`.
    var parameters: [String]
    /// The assignments of the initialiser: `self.bookID = bookID`.
    var assignments: [String]
    /// The statements that parse the components, of the form
    /// `guard let number = Int(identifierString: texts[1]) else { return nil }`.
    var readings: [String]
    /// The arguments of the initialiser: `bookID: bookID,`.
    var arguments: [String]
    /// The text forms of the components: `bookID.identifierString,`.
    var texts: [String]
    /// The statements of `==`.
    var comparisons: [String]
    /// The statements of `hash(into:)`: `bookID.hashIdentifier(into: &hasher)`.
    var hashes: [String]
    /// The statements of `<`.
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

/// The render context of a finder: a repository method for a declared index or a declared query.
struct FinderLayer {
    /// Whether a blank line precedes it.
    var isSeparated: Bool
    /// Its doc comment.
    var documentation: String
    /// Its attributes.
    var attributes: [String]
    /// The text between `func` and the opening brace.
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
