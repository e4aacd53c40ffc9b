internal import Mustache

/// The render context of a loader: a repository property for a declared relation.
struct RelationLayer {
    /// Whether a blank line precedes it.
    var isSeparated: Bool
    /// The lines of its doc comment.
    var documentation: [String]
    /// Its attributes.
    var attributes: [String]
    /// The text between `var` and the opening brace.
    var signature: String
    /// Its only expression.
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
