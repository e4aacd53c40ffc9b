/// Changes of a store that happen all or not at all: a store of its own until it is committed or rolled back.
///
/// For implementers. It reads what it has written; nobody else does before the commit. Its calls may come from several
/// tasks at once and take their turns. After its end every call throws `transactionEnded`.
/// A nested one, begun by ``EntityStore/begin()`` on it, is a savepoint; while that is open its parent is used for
/// nothing else, and `begin` on the parent throws `unsupported`.
public protocol StoreTransaction: EntityStore {
    /// Makes the changes lasting and visible, and sends them to ``EntityStore/changes``; of a nested one, hands them to
    /// its parent.
    ///
    /// - Throws: `constraintViolated` for references that are broken in the end; `transactionConflict` where the whole
    ///   transaction should be tried again; then nothing has happened. It is over either way.
    func commit() async throws
    /// Forgets the changes. It does nothing where the transaction is over.
    func rollBack() async
}

extension CRUDRepositoryError.Code {
    /// The transaction met another one and should be run again as a whole.
    public static let transactionConflict = Self(rawValue: "transactionConflict")
    /// The transaction is over: it was committed or rolled back.
    public static let transactionEnded = Self(rawValue: "transactionEnded")
}

extension CRUDRepositoryError {
    /// The transaction is over.
    package static var transactionEnded: Self {
        Self(.transactionEnded, "The transaction is over: it was committed or rolled back.")
    }
}
