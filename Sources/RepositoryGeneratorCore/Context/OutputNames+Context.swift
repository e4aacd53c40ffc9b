internal import Mustache
internal import RepositorySchema

/// The render context `types`: `{{types.String}}` renders `Swift.String` if the set declares a
/// `String` of its own.
///
/// Templates of users should name types with these members, so that they work with every set.
extension OutputNames: RenderLayer {
    /// The names that templates can use, sorted.
    static let types = Set(moduleOfType.keys).union(BaseType.allCases.map(\.rawValue)).sorted()

    /// The names that templates can use, sorted.
    var keys: [String] { Self.types }

    /// Returns the name of a type as the output must write it, or nil for an unknown type.
    func child(named name: String) -> Any? {
        if let module = BaseType(rawValue: name)?.module { return module + "." + name }
        return Self.moduleOfType[name] == nil ? nil : qualified(name)
    }
}
