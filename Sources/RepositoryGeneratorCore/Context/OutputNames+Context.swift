internal import Mustache
internal import RepositorySchema

/// `types` in templates: `{{types.String}}` is `Swift.String` in a set whose own `String` hides it.
extension OutputNames: RenderLayer {
    /// What can be asked for, in order.
    static let types = (Array(moduleOfType.keys) + foundation).sorted()

    /// The base types that Foundation declares, which the output always names with the module.
    private static let foundation = ["Data", "Date", "Decimal", "URL", "UUID"]

    var keys: [String] { Self.types }

    func child(named name: String) -> Any? {
        if Self.foundation.contains(name) { return "Foundation." + name }
        return Self.moduleOfType[name] == nil ? nil : qualified(name)
    }
}
