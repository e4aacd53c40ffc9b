// What the schema says that the type conforms to.
nonisolated extension Contact {
    /// The name alone.
    public var description: String { given }
}
