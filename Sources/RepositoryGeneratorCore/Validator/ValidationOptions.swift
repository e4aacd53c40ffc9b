/// What the validator needs to know and the schemas do not say.
public struct ValidationOptions: Sendable, Hashable {
    /// The module that the output is compiled into, when it is known: no type may have its name.
    public var moduleName: String?

    /// Makes options.
    public init(moduleName: String? = nil) {
        self.moduleName = moduleName
    }
}
