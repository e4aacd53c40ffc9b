extension RepositoryContext {
    /// Runs a closure in a transaction of the store.
    ///
    /// The outermost transaction is run again, with a short random delay, if it fails with
    /// `transactionConflict`. A nested one is not, because its snapshot is that of the outer
    /// transaction.
    /// - Parameter body: receives a context that uses the transaction.
    func transaction<R>(_ body: (RepositoryContext) async throws -> R) async throws -> R {
        try await open()
        var attempt = 1
        while true {
            do {
                return try await runOnce(attempt, body)
            } catch let error as CRUDRepositoryError
                where error.code == .transactionConflict && attempt < Self.attempts
                && TransactionScope.transaction(of: store.changes) == nil
            {
                attempt += 1
                // A random delay, so that the conflicting tasks do not meet again.
                try await Task.sleep(for: .milliseconds(attempt * Int.random(in: 1...5)))
            }
        }
    }

    /// How many times a closure runs before the conflict is thrown to the caller.
    static var attempts: Int { 10 }

    /// Runs the closure once: begins a transaction, and commits it or rolls it back.
    private func runOnce<R>(
        _ attempt: Int, _ body: (RepositoryContext) async throws -> R
    ) async throws -> R {
        try Task.checkCancellation()
        let store = store
        let key = ObjectIdentifier(store.changes)
        let transaction =
            attempt == 1
            ? try await store.begin()
            : try await TransactionAttempt.$number.withValue(attempt) { try await store.begin() }
        let running = RunningTransaction(transaction, in: TransactionScope.running[key])
        var scope = TransactionScope.running
        scope[key] = running
        do {
            let result = try await TransactionScope.$running.withValue(scope) {
                try await body(RepositoryContext(transaction, of: self))
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

    /// Throws if the store does not declare a capability.
    ///
    /// - Throws: `unsupported`.
    func require(_ capability: StoreCapability, for operation: String) throws {
        let store = store
        guard store.capabilities.has(capability) else {
            throw CRUDRepositoryError.unsupported(operation, by: store.name)
        }
    }
}

/// How often the transaction that a task begins has conflicted before, for stores that let such
/// transactions go before others.
package enum TransactionAttempt {
    /// The number of times that the body runs: 1 for the first.
    @TaskLocal package static var number = 1
}
