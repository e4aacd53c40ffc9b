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

extension RelationLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "separated": { $0.isSeparated },
        "documentation": { $0.documentation },
        "attributes": { $0.attributes },
        "signature": { $0.signature },
        "body": { $0.body },
    ])
}
