public import RepositoryRuntime

/// A scalar of the user, which has an order.
nonisolated public struct Money: StoredScalar, OrderedFieldValue {
    /// What is stored.
    public var storedForm: Int

    /// Takes what was stored.
    public init(storedForm: Int) throws {
        self.storedForm = storedForm
    }
}
