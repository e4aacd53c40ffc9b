internal import Foundation
internal import Synchronization

/// Transactions, which run on a thread of their own.
extension DocumentStore {
    /// Begins a transaction after all other writers, including those in other processes, have
    /// finished. Writers wait until the transaction has ended; readers do not wait.
    ///
    /// The changes of the transaction are kept in memory. The documents do not change before the
    /// commit.
    public func begin() async throws -> any StoreTransaction {
        try await line.take()
        if life.isClosed {
            line.leave()
            throw CRUDRepositoryError.storeClosed
        }
        let session = TransactionSession(self)
        // From here on, the session is responsible for leaving the queue of writers.
        return EngineTransaction(try await session.begin(), of: session)
    }
}

/// A transaction of a document store: a thread that holds the driver's lock and runs the calls of
/// the transaction.
///
/// ``DocumentDriver/withLock(_:)`` holds the lock while its body runs. The body therefore has to
/// last as long as the transaction, and occupies a thread.
private final class TransactionSession<Driver: DocumentDriver>: TransactionHost {
    /// The store of the transaction.
    private let documents: DocumentStore<Driver>
    /// The calls that the thread has to run.
    private let calls = TransactionCalls()

    init(_ documents: DocumentStore<Driver>) {
        self.documents = documents
    }

    var store: any EntityStore { documents }

    /// Begins the transaction and returns its number. After the transaction has ended, the next
    /// writer in the queue continues.
    func begin() async throws -> Int {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await begin(cancellation)
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Starts the thread, which takes the lock and runs calls until the transaction ends.
    private func begin(_ cancellation: CancellationFlag) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            // Use a new thread instead of a Dispatch thread. Dispatch has a limited number of
            // threads. If open transactions held all of them, their bodies could not read another
            // store, and no transaction would end.
            Thread.detachNewThread { [self] in
                var begun: Int?
                var end: TransactionCalls.End?
                do {
                    try documents.driver.withLock(cancellation) {
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
                documents.driver.performDeferredCleanup()
            }
        }
    }

    /// Runs a body with the tables, on the thread of the transaction.
    func run<R: Sendable>(
        _ body: @escaping @Sendable (StoreTables) throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            post(continuation) { state in (Result { try body(state.tables) }, false) }
        }
    }

    /// Commits the transaction with the given number. The outermost commit writes the documents and
    /// ends the transaction.
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

    /// Rolls back the transaction with the given number.
    func rollBack(_ number: Int) async {
        // It throws only if the transaction has already ended.
        try? await withCheckedThrowingContinuation { continuation in
            post(continuation) { state in
                Self.ending(state) { state.tables.rollBack(number) }
            }
        }
    }

    /// Rolls back the transaction without waiting for the result.
    func drop(_ number: Int) {
        _ = calls.post { [documents] in
            let isLast = documents.state.withLock { state in
                Self.ending(state) { state.tables.rollBack(number) }.1
            }
            if isLast { return {} }
            return nil
        }
    }

    /// Opens a set inside the transaction, on its thread.
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

    /// Runs a body and returns its result, and whether it has ended the outermost transaction.
    private static func ending(
        _ state: DocumentStore<Driver>.State, _ body: () throws -> Void
    ) -> (Result<Void, any Error>, Bool) {
        let wasOpen = state.tables.running != nil
        let result = Result { try body() }
        return (result, wasOpen && state.tables.running == nil)
    }

    /// Adds a call that runs a body and resumes a continuation with its result.
    ///
    /// If the body ends the transaction, the continuation is resumed after the lock has been
    /// released.
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
