extension RepositorySet {
    /// Runs a body whose changes happen all or not at all.
    ///
    /// ```swift
    /// try await library.transaction { library in
    ///     let book = try await library.books.read(isbn)
    ///     try await library.loans.create(Loan(book: book.id, client: client.id))
    /// }
    /// ```
    /// What the body throws leaves the store as it was, and so does the cancellation of its task before the changes
    /// are committed; the call then throws `CancellationError`.
    ///
    /// Inside a transaction another one is nested: what it throws takes back its own changes only, and the outer one
    /// goes on if its body catches the error. All repositories of the store take part, also those that were made
    /// outside the body, and in tasks that the body starts and waits for. A detached task does not; a body that waits
    /// for what such a task writes to the store waits for ever. So does one that waits for what such a task observes, where
    /// snapshots are emulated, as on files and user defaults: there the observation begins when the transaction is over.
    /// Transactions of several stores know nothing of each other.
    ///
    /// Where the database asks for it the outermost body is run again from the beginning, up to ten times, on a store without
    /// what it did before. So it should change nothing but the store: what it changes besides, it changes again.
    ///
    /// The body runs where its caller does: on the main actor it may use what belongs to the main actor.
    /// - Parameter body: is given the set over the transaction, which is good for as long as the body runs.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws; `unsupported` where the store has no transactions; `constraintViolated` for
    ///   references that are broken in the end; `transactionConflict` when it met another one again and again.
    @discardableResult
    public func transaction<R>(_ body: (Self) async throws -> R) async throws -> R {
        try await context.transaction { try await body(Self(context: $0)) }
    }
}
