/// A migration as a sequence of its progress; see ``RepositorySet/migrate(backup:unreadable:)``.
public struct MigrationRun: AsyncSequence, Sendable {
    private let context: RepositoryContext
    private let control: MigrationControl

    /// Creates a migration that begins with the first iteration.
    package init(_ context: RepositoryContext, _ control: MigrationControl) {
        self.context = context
        self.control = control
    }

    /// Returns an iterator. Its first call begins the migration.
    public func makeAsyncIterator() -> Iterator { Iterator(context, control) }

    /// The progress of a migration, which is cancelled when the iterator is released.
    public struct Iterator: AsyncIteratorProtocol {
        private let context: RepositoryContext
        private let control: MigrationControl
        private var running: RunningMigration?
        private var progress: AsyncStream<MigrationProgress>.Iterator?

        fileprivate init(_ context: RepositoryContext, _ control: MigrationControl) {
            self.context = context
            self.control = control
        }

        /// Returns the next progress; nil when the store is open.
        ///
        /// - Throws: the error of the migration. Nothing was changed then.
        public mutating func next() async throws -> MigrationProgress? {
            let running = running ?? begin()
            return try await withTaskCancellationHandler {
                if let next = await progress?.next() { return next }
                // A cancelled migration has ended, too, when the error is thrown.
                try await running.task.value
                return nil
            } onCancel: {
                running.task.cancel()
            }
        }

        private mutating func begin() -> RunningMigration {
            let (stream, continuation) = AsyncStream.makeStream(of: MigrationProgress.self)
            var control = control
            control.progress = { continuation.yield($0) }
            let running = RunningMigration(context, control) { continuation.finish() }
            self.running = running
            progress = stream.makeAsyncIterator()
            return running
        }
    }
}

/// A migration that has begun. It is cancelled when the last reference is released.
private final class RunningMigration: Sendable {
    let task: Task<Void, any Error>

    init(
        _ context: RepositoryContext, _ control: MigrationControl,
        _ finish: @escaping @Sendable () -> Void
    ) {
        task = Task {
            defer { finish() }
            try await context.migrate(control)
        }
    }

    deinit { task.cancel() }
}
