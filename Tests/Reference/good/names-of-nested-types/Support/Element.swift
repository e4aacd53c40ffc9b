public import RepositoryRuntime

/// A user's own type.
nonisolated public struct Element: StoredScalar {
    /// What it is made of.
    public let number: Int
    /// What is stored.
    public var storedForm: Int { number }
    /// Takes what was stored.
    public init(storedForm: Int) { number = storedForm }
}
