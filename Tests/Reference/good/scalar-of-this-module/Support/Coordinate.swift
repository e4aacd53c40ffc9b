public import RepositoryRuntime

/// A scalar of the user.
nonisolated public struct Coordinate: StoredScalar {
    /// What is stored.
    public var storedForm: String

    /// Takes what was stored.
    public init(storedForm: String) throws {
        self.storedForm = storedForm
    }
}
