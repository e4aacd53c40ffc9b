public import RepositoryRuntime

/// A scalar of the user.
public struct Money: StoredScalar {
    /// What is stored.
    public var storedForm: Int

    /// Takes what was stored.
    public init(storedForm: Int) throws {
        self.storedForm = storedForm
    }
}
