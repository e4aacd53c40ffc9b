internal import Mustache

/// The set: one repository for each entity.
struct SetLayer {
    var access: String
    var name: String
    /// The set's name as a string literal.
    var setName: String
    /// The types whose tables make the schema, a line each, in their order.
    var tables: [String]
    /// The repositories' properties with their doc comments, a line each.
    var repositories: [String]
}

extension SetLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "access": access
        case "name": self.name
        case "setName": setName
        case "tables": tables
        case "repositories": repositories
        case "hasRepositories": !repositories.isEmpty
        default: nil
        }
    }
}
