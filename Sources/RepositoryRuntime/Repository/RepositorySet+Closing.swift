extension RepositorySet {
    /// Closes the store: waits for what runs, and releases its threads and file descriptors.
    ///
    /// ```swift
    /// let library = Library(SQLiteStore(path: "library.sqlite"))
    /// // …
    /// try await library.close()
    /// ```
    /// The call waits for the operations, transactions and snapshots that have begun. An operation
    /// that still waits for its turn throws `storeClosed`, and nothing of it happens. Every later
    /// operation throws `storeClosed`, too, for all sets of the store. A query that reads several
    /// pages throws it with its next page. The sequences of observers end.
    ///
    /// Closing a closed store has no effect. Cancelling the task does not end the wait. Data that
    /// was written stays; a new store at the same place opens it.
    ///
    /// - Throws: `unsupported` inside a transaction of the store, which the call would wait for, and
    ///   if the store cannot be closed.
    public func close() async throws { try await context.close() }
}

extension RepositoryContext {
    /// Closes the store; see ``RepositorySet/close()``.
    ///
    /// - Throws: `unsupported`.
    public func close() async throws {
        guard TransactionScope.transaction(of: base.changes) == nil else {
            throw CRUDRepositoryError.unsupported("closing inside a transaction", by: base.name)
        }
        try await base.close()
    }
}
