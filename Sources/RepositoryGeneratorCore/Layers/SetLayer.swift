internal import Mustache

/// The set: one repository for each entity.
struct SetLayer {
    var access: String
    var name: String
    /// The set's name as a string literal.
    var setName: String
    /// The elements of the list of entities, a line each, in the order of their tables.
    var entities: [String]
    /// The repositories' properties with their doc comments, a line each.
    var repositories: [String]
}

extension SetLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "access": { $0.access },
        "name": { $0.name },
        "setName": { $0.setName },
        "entities": { $0.entities },
        "repositories": { $0.repositories },
        "hasRepositories": { !$0.repositories.isEmpty },
    ])
}
