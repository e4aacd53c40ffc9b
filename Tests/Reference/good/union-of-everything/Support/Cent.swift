public import RepositoryRuntime

/// A user's own type.
nonisolated public struct Cent: StoredScalar {
    /// What it is made of.
    public let amount: Int
    /// What is stored.
    public var storedForm: Int { amount }
    /// Takes what was stored.
    public init(storedForm: Int) { amount = storedForm }
}
