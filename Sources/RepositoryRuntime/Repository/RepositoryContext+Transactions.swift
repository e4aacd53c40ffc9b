extension RepositoryContext {
    /// Runs a body over a transaction of the store, again from the beginning where the transaction met another one; inside
    /// a transaction over a nested one, which is not run again by itself.
    ///
    /// - Parameter body: is given the context over the transaction.
    func transaction<R>(_ body: (RepositoryContext) async throws -> R) async throws -> R {
        try await open()
        var attempt = 1
        while true {
            do {
                return try await runOnce(body)
            } catch let error as CRUDRepositoryError
                where error.code == .transactionConflict && attempt < Self.attempts
                && TransactionScope.transaction(of: store.changes) == nil
            {
                attempt += 1
                // Not all at the same moment again.
                try await Task.sleep(for: .milliseconds(attempt * Int.random(in: 1...5)))
            }
        }
    }

    /// How often a body is run before its conflict is the caller's.
    static var attempts: Int { 10 }

    private func runOnce<R>(_ body: (RepositoryContext) async throws -> R) async throws -> R {
        try Task.checkCancellation()
        let store = store
        let key = ObjectIdentifier(store.changes)
        let transaction = try await store.begin()
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

    /// Refuses an operation that the store does not declare.
    ///
    /// - Throws: `unsupported`.
    func require(_ capability: StoreCapability, for operation: String) throws {
        let store = store
        guard store.capabilities.has(capability) else {
            throw CRUDRepositoryError.unsupported(operation, by: store.name)
        }
    }
}
