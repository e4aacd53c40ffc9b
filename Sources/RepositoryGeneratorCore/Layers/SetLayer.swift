internal import Mustache

/// The render context of the set: one repository per entity.
struct SetLayer {
    /// The access level followed by a space, or an empty string.
    var access: String
    /// The name of the set's type.
    var name: String
    /// The set's name as a string literal.
    var setName: String
    /// The elements of the list of entities, one line each, in the order of their tables.
    var entities: [String]
    /// The released versions as string literals, one for each part of the JSON.
    var history: [String]
    /// The expression of the functions of a migration; nil if the settings name no type for them.
    var functions: String?
    /// The repository properties with their doc comments, one line each.
    var repositories: [String]
}

extension SetLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "access": { $0.access },
        "name": { $0.name },
        "setName": { $0.setName },
        "entities": { $0.entities },
        "history": { $0.history },
        "hasHistory": { !$0.history.isEmpty },
        "functions": { orFalse($0.functions) },
        "repositories": { $0.repositories },
        "hasRepositories": { !$0.repositories.isEmpty },
    ])
}
