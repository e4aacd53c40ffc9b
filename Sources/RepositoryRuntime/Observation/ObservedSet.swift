/// Produces the value that a closure computes from the repositories of a set, read from one
/// snapshot of the store.
///
/// The interest is the set of tables that the latest run of the closure read, as recorded by
/// ``RecordingSnapshot``.
final class ObservedSet<Library: RepositorySet, Value: Sendable>: ObservedSource {
    let context: RepositoryContext
    private let body: @Sendable (Library) async throws -> Value
    /// Compares two values. For types that are not `Equatable` it returns false, so that every
    /// value is produced.
    private let isSame: @Sendable (Value, Value) -> Bool
    private var last: Value?

    init(
        _ context: RepositoryContext, isSame: @escaping @Sendable (Value, Value) -> Bool,
        _ body: @escaping @Sendable (Library) async throws -> Value
    ) {
        self.context = context
        self.isSame = isSame
        self.body = body
    }

    /// Every change: the tables that the closure reads are unknown until it has run.
    var interest: ChangeInterest { .everything }

    func next(after changes: GatheredChanges, _ mailbox: ChangeMailbox) async throws -> Value? {
        guard context.base.capabilities.has(.snapshots) else {
            throw CRUDRepositoryError.unsupported("snapshots", by: context.base.name)
        }
        // This run may read other tables than the previous one.
        mailbox.setInterest(.everything)
        let snapshot = RecordingSnapshot(try await context.base.snapshot())
        let value = try await run(snapshot)
        let tables = snapshot.tables
        mailbox.setInterest(
            tables.isEmpty ? .everything : ChangeInterest(tables, of: context.schema))
        if let last, isSame(last, value) { return nil }
        last = value
        return value
    }

    /// Runs the closure inside the snapshot, so that all repositories of the store read from it.
    private func run(_ snapshot: RecordingSnapshot) async throws -> Value {
        let running = RunningTransaction(snapshot, in: nil)
        var scope = TransactionScope.running
        scope[ObjectIdentifier(context.base.changes)] = running
        do {
            let library = Library(context: RepositoryContext(snapshot, of: context))
            let value = try await TransactionScope.$running.withValue(scope) {
                try await body(library)
            }
            running.end()
            await snapshot.rollBack()
            return value
        } catch {
            running.end()
            await snapshot.rollBack()
            throw error
        }
    }
}
