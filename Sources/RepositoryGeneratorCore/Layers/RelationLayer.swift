internal import Mustache

/// A loader of a repository: a property for a declared relation.
struct RelationLayer {
    /// Whether a blank line stands before it.
    var isSeparated: Bool
    /// The lines of its doc comment.
    var documentation: [String]
    /// Its attributes.
    var attributes: [String]
    /// What stands after `var` and before the brace.
    var signature: String
    /// Its one expression.
    var body: String
}

extension RelationLayer: MustacheParent {
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
