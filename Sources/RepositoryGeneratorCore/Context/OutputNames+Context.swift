internal import Mustache
internal import RepositorySchema

/// The render context `types`: `{{types.String}}` renders `Swift.String` if the set declares a
/// `String` of its own.
///
/// Templates of users should name types with these members, so that they work with every set.
extension OutputNames: RenderLayer {
    /// The names that templates can use, sorted.
    static let types = (Array(moduleOfType.keys) + foundation).sorted()

    /// The base types from Foundation. The output always qualifies them with the module.
    private static let foundation = ["Data", "Date", "Decimal", "URL", "UUID"]

    /// The names that templates can use, sorted.
    var keys: [String] { Self.types }

    /// Returns the name of a type as the output must write it, or nil for an unknown type.
    func child(named name: String) -> Any? {
        if Self.foundation.contains(name) { return "Foundation." + name }
        return Self.moduleOfType[name] == nil ? nil : qualified(name)
    }
}
