extension RepositorySet {
    /// Runs a closure in a transaction: either all of its changes are stored or none.
    ///
    /// ```swift
    /// try await library.transaction { library in
    ///     let book = try await library.books.read(isbn)
    ///     try await library.loans.create(Loan(book: book.id, client: client.id))
    /// }
    /// ```
    /// If the closure throws or its task is cancelled before the commit, the transaction is rolled
    /// back. On cancellation the call throws `CancellationError`.
    ///
    /// Transactions can be nested. If a nested one throws, only its own changes are rolled back,
    /// and the outer closure may catch the error and continue.
    ///
    /// All repositories of the same store take part, also those that were created outside the
    /// closure, and also in child tasks that the closure awaits. Detached tasks do not take part. A
    /// closure that awaits a detached task's write to the same store deadlocks. On stores that
    /// emulate snapshots (files and user defaults), a closure that awaits a detached task's
    /// observation deadlocks too, because the observation starts only after the transaction.
    /// Transactions of different stores are independent.
    ///
    /// If the database reports a conflict with another transaction, the outermost closure is run
    /// again, up to ten times. Its earlier changes to the store have been rolled back by then;
    /// other side effects are repeated.
    ///
    /// The closure runs in the isolation of the caller. On the main actor, it can use the main
    /// actor's state.
    /// - Parameter body: receives a set of repositories that uses the transaction. The set is valid
    ///   until the closure returns.
    /// - Returns: the result of the closure.
    /// - Throws: errors of the closure, `unsupported` if the store has no transactions,
    ///   `constraintViolated` if a reference dangles at the commit, and `transactionConflict` after
    ///   repeated conflicts.
    @discardableResult
    public func transaction<R>(_ body: (Self) async throws -> R) async throws -> R {
        try await context.transaction { try await body(Self(context: $0)) }
    }
}
