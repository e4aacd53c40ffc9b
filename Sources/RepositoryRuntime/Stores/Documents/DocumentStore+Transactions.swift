internal import Foundation
internal import Synchronization

extension DocumentStore {
    /// Begins a transaction, once nobody else writes, in other processes too; writers wait until it is over, readers do not.
    ///
    /// Nothing of it is in the documents before it is committed.
    public func begin() async throws -> any StoreTransaction {
        try await line.take()
        let session = TransactionSession(self)
        return EngineTransaction(try await session.begin(), of: session)
    }
}

/// A transaction of a store of documents: a thread that holds the driver's lock and waits for calls.
private final class TransactionSession<Driver: DocumentDriver>: TransactionHost {
    private let documents: DocumentStore<Driver>
    private let calls = TransactionCalls()

    init(_ documents: DocumentStore<Driver>) {
        self.documents = documents
    }

    var store: any EntityStore { documents }

    /// Begins and returns the number of the transaction; when it is over the next writer is let in.
    func begin() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            // Not one of Dispatch's threads, which are so many and no more: were all of them held by open transactions, the
            // bodies of these could read no other store, and none would end.
            Thread.detachNewThread { [self] in
                var begun: Int?
                var end: TransactionCalls.End?
                do {
                    try documents.driver.withLock {
                        try documents.driver.recover()
                        try documents.requireFittingDescription()
                        let number = documents.state.withLock { $0.tables.begin() }
                        begun = number
                        continuation.resume(returning: number)
                        end = calls.serve()
                    }
                } catch {
                    if begun == nil { continuation.resume(throwing: error) }
                }
                documents.line.leave()
                end?()
                documents.driver.tidyUp()
            }
        }
    }

    func run<R: Sendable>(
        _ body: @escaping @Sendable (StoreTables) throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            post(continuation) { state in (Result { try body(state.tables) }, false) }
        }
    }

    func commit(_ number: Int) async throws {
        try await withCheckedThrowingContinuation { continuation in
            post(continuation) { [documents] state in
                state.staged.changes = []
                return Self.ending(state) {
                    try state.tables.commit(number, telling: documents.changes) {
                        try documents.apply(state.staged)
                    }
                }
            }
        }
    }

    func rollBack(_ number: Int) async {
        // It throws only where the transaction is over.
        try? await withCheckedThrowingContinuation { continuation in
            post(continuation) { state in
                Self.ending(state) { state.tables.rollBack(number) }
            }
        }
    }

    func drop(_ number: Int) {
        _ = calls.post { [documents] in
            let isLast = documents.state.withLock { state in
                Self.ending(state) { state.tables.rollBack(number) }.1
            }
            if isLast { return {} }
            return nil
        }
    }

    func open(_ schema: StoreSchema) async throws {
        try StoreTables.check(schema, for: documents.name)
        try await withCheckedThrowingContinuation { continuation in
            let open: TransactionCalls.Call = { [documents] in
                continuation.resume(with: Result { try documents.openNow(schema) })
                return nil
            }
            if !calls.post(open) {
                continuation.resume(throwing: CRUDRepositoryError.transactionEnded)
            }
        }
    }

    /// The result of a body, and whether it has ended the outermost transaction.
    private static func ending(
        _ state: DocumentStore<Driver>.State, _ body: () throws -> Void
    ) -> (Result<Void, any Error>, Bool) {
        let wasOpen = state.tables.running != nil
        let result = Result { try body() }
        return (result, wasOpen && state.tables.running == nil)
    }

    /// Runs a body after the calls before it. What ends the transaction goes on after the lock is left.
    private func post<R: Sendable>(
        _ continuation: CheckedContinuation<R, any Error>,
        _ body: @escaping @Sendable (DocumentStore<Driver>.State) -> (Result<R, any Error>, Bool)
    ) {
        let isPosted = calls.post { [documents] in
            let (result, isLast) = documents.state.withLock { body($0) }
            if isLast { return { continuation.resume(with: result) } }
            continuation.resume(with: result)
            return nil
        }
        if !isPosted { continuation.resume(throwing: CRUDRepositoryError.transactionEnded) }
    }
}
