extension RepositorySet {
    /// Runs a body whose changes happen all or not at all.
    ///
    /// ```swift
    /// try await library.transaction { library in
    ///     let book = try await library.books.read(isbn)
    ///     try await library.loans.create(Loan(book: book.id, client: client.id))
    /// }
    /// ```
    /// What the body throws, or the cancellation of its task, leaves the store as it was. Inside a transaction another
    /// one is nested: what it throws takes back its own changes only. All repositories of the store take part, also
    /// those that were made outside the body, and tasks that the body waits for. Where the database asks for it the body is
    /// run again from the beginning, so it should change nothing else.
    /// - Parameter body: is given the set over the transaction.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws; `unsupported`; `transactionConflict` when it met another one again and again.
    @discardableResult
    public func transaction<R>(_ body: (Self) async throws -> R) async throws -> R {
        try await context.open()
        var attempt = 1
        while true {
            do {
                return try await runOnce(body)
            } catch let error as CRUDRepositoryError
                where error.code == .transactionConflict && attempt < 10
                && TransactionScope.transaction(of: context.store.changes) == nil
            {
                attempt += 1
                try await Task.sleep(for: .milliseconds(attempt * Int.random(in: 1...5)))
            }
        }
    }

    private func runOnce<R>(_ body: (Self) async throws -> R) async throws -> R {
        let store = context.store
        let key = ObjectIdentifier(store.changes)
        let transaction = try await store.begin()
        let running = RunningTransaction(transaction, in: TransactionScope.running[key])
        var scope = TransactionScope.running
        scope[key] = running
        do {
            let result = try await TransactionScope.$running.withValue(scope) {
                try await body(Self(context: RepositoryContext(transaction, of: context)))
            }
            try Task.checkCancellation()
            running.end()
            try await transaction.commit()
            return result
        } catch {
            running.end()
            await transaction.rollBack()
            throw error
        }
    }
}
