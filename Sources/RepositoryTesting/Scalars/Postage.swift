internal import RepositoryRuntime

/// A scalar of the suite: an amount of cents, stored as an Int.
package struct Postage: StoredScalar, OrderedFieldValue {
    /// What is stored.
    package var storedForm: Int

    /// Takes what was stored.
    package init(storedForm: Int) {
        self.storedForm = storedForm
    }
}
