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

extension EntityLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "singleID": singleRawType != nil
        case "rawType": singleRawType ?? ""
        case "compositeID": compositeID ?? false
        case "identity": identity
        case "hasIdentity": !identity.isEmpty
        case "idMapper": idMapper ?? false
        case "plural": plural
        case "hasFinders": !finders.isEmpty
        case "finders": finders
        case "hasRelations": !relations.isEmpty
        case "relations": relations
        case "hasQueries": !queries.isEmpty
        case "queries": queries
        default: record.child(named: name)
        }
    }
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

extension CompositeIDLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "count": count
        case "idConformances": conformances
        case "components": components
        case "idParameters": parameters
        case "idAssignments": assignments
        case "readings": readings
        case "idArguments": arguments
        case "texts": texts
        case "idComparisons": comparisons
        case "hashes": hashes
        case "orders": orders
        default: nil
        }
    }
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

extension FinderLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "separated": isSeparated
        case "documentation": documentation
        case "attributes": attributes
        case "signature": signature
        case "body": body
        default: nil
        }
    }
}
