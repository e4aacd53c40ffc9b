public import RepositoryRuntime

/// A scalar of the user.
nonisolated public struct ParcelCode: StoredScalar, IdentifierValue {
    /// What is stored.
    public var storedForm: String

    /// Takes what was stored.
    public init(storedForm: String) {
        self.storedForm = storedForm
    }
}
