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

extension SetLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "access": access
        case "name": self.name
        case "setName": setName
        case "entities": entities
        case "repositories": repositories
        case "hasRepositories": !repositories.isEmpty
        default: nil
        }
    }
}
