// What the schema says that the type conforms to.
nonisolated extension Contact {
    public var description: String { given }
}
