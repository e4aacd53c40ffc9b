public import RepositoryRuntime

/// A user's own type.
nonisolated public struct Code: StoredScalar, IdentifierValue {
    /// What it is made of.
    public let text: String
    /// What is stored.
    public var storedForm: String { text }
    /// Takes what was stored.
    public init(storedForm: String) { text = storedForm }
}
