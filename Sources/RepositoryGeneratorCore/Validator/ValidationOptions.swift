/// The input of the validator that is not part of the schemas.
public struct ValidationOptions: Sendable, Hashable {
    /// The module that the output is compiled into, if it is known. No type can have its name.
    public var moduleName: String?

    /// Creates options.
    public init(moduleName: String? = nil) {
        self.moduleName = moduleName
    }
}
