internal import RepositoryRuntime

/// A user-defined scalar for the suite: an amount in cents, stored as an Int.
package struct Postage: StoredScalar, OrderedFieldValue {
    /// The amount in cents.
    package var storedForm: Int

    /// Creates a value from a stored amount.
    package init(storedForm: Int) {
        self.storedForm = storedForm
    }
}
