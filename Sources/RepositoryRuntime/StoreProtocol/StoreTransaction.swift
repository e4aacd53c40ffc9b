/// A transaction of a store, for implementers of stores. It is a store itself until it is committed
/// or rolled back.
///
/// It reads its own changes; nothing else does before the commit. Several tasks may call it
/// concurrently; the calls are executed one at a time. After its end, every call throws
/// `transactionEnded`.
///
/// A nested transaction is begun by calling ``EntityStore/begin()`` on a transaction, and is a
/// savepoint. While it is open, its parent must not be used, and `begin` on the parent throws
/// `unsupported`.
public protocol StoreTransaction: EntityStore {
    /// Makes the changes durable and visible, and sends them to ``EntityStore/changes``. A nested
    /// transaction passes its changes to its parent instead.
    ///
    /// The transaction has ended afterwards, even if an error is thrown.
    ///
    /// - Throws: `constraintViolated` if a reference dangles, and `transactionConflict` if the
    ///   whole transaction should be run again. Nothing is stored in these cases.
    func commit() async throws
    /// Discards the changes. It has no effect if the transaction has ended.
    func rollBack() async
}

extension CRUDRepositoryError.Code {
    /// The transaction conflicts with another one and should be run again.
    public static let transactionConflict = Self(rawValue: "transactionConflict")
    /// The transaction has ended: it was committed or rolled back.
    public static let transactionEnded = Self(rawValue: "transactionEnded")
}

extension CRUDRepositoryError {
    /// The transaction has ended.
    package static var transactionEnded: Self {
        Self(.transactionEnded, "The transaction is over: it was committed or rolled back.")
    }
}
