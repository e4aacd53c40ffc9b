public import RepositoryRuntime
internal import Synchronization

/// A store whose records are being moved out of a source that cannot be written, such as the file of
/// another database.
///
/// ```swift
/// let store = MovingStore(Library.self, from: source, to: SQLiteStore(path: path))
/// let library = Library(store)               // reads the old data at once
/// for try await progress in store.move() { bar.value = progress.fraction }
/// ```
/// Until the move has ended, reads are answered from the source, and writes wait: see
/// ``WaitingWrites``. Afterwards all calls go to the target. The target itself knows that the move has
/// ended, so that the next launch of the program uses it at once, and a program that was ended in the
/// middle goes on with the next ``move()``. The source is never changed.
///
/// Nobody may write to the source while it is moved. If another program has changed it afterwards,
/// ``sourceHasChanged()`` says so, and ``merge(_:)`` brings the changes over.
public final class MovingStore: EntityStoreWrapper {
    private let source: SourceStore?
    private let target: any EntityStore
    private let schema: StoreSchema
    private let writes: WaitingWrites
    /// Whether the target has all records.
    private let isMoved: Atomic<Bool>
    private let opened = Mutex<[StoreSchema]>([])
    private let lastReport = Mutex<MoveReport?>(nil)

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - set: the generated set whose records are moved.
    ///   - source: the source; nil if there is none, such as after a new installation. The target is
    ///     used at once then.
    ///   - target: the store that takes the records.
    ///   - writes: what a write does during the move.
    public init<Library: RepositorySet>(
        _ set: Library.Type, from source: (any RecordSource)?, to target: any EntityStore,
        writes: WaitingWrites = .automatic
    ) {
        self.source = source.map { SourceStore($0) }
        self.target = target
        self.writes = writes
        schema = Library.schema
        isMoved = Atomic(source == nil)
    }

    /// The store that is live: one over the source until the move has ended, then the target.
    public var store: any EntityStore {
        guard let source, !isMoved.load(ordering: .acquiring) else { return target }
        return source
    }

    /// Whether the target is live. Known after the first operation.
    public var hasMoved: Bool { isMoved.load(ordering: .acquiring) }
    /// The report of the last move of this object; nil if there was none.
    public var report: MoveReport? { lastReport.withLock { $0 } }

    /// The kind of the target.
    public var name: String { target.name }
    /// What both the source and the target can do, and the writes of the target.
    public var capabilities: StoreCapabilities {
        guard source != nil else { return target.capabilities }
        return target.capabilities.without([
            .selections, .indexScans, .idScans, .sql, .backups, .compaction, .changeState,
        ])
    }
    /// The observers of the target. The move itself changes nothing that they see.
    public var changes: StoreChanges { target.changes }
}

// MARK: - Moving

extension MovingStore {
    /// Moves the records, and reports the progress.
    ///
    /// The move begins when the loop begins. When the loop has ended, the target is live. Leaving the
    /// loop early or cancelling the task ends the move; the next one goes on. If the records have
    /// been moved already, the loop has no elements.
    ///
    /// - Parameter options: what is done with records that cannot be copied as they are.
    /// - Returns: The progress, which never falls and is 1 at the end. Iterating throws what
    ///   `copy(from:to:)` throws.
    public func move(
        _ options: CopyOptions = CopyOptions()
    ) -> AsyncThrowingStream<MoveProgress, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    try await self.run(options) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func run(
        _ options: CopyOptions, _ progress: @escaping @Sendable (MoveProgress) -> Void
    ) async throws {
        guard let source, try await !checkMoved() else { return }
        let last = Mutex<MoveProgress?>(nil)
        /// Passes on what is not less than before, and the end only when it is reached.
        let report: @Sendable (MoveProgress) -> Void = { next in
            let rises = last.withLock { known in
                guard next.done < next.total, next.fraction >= known?.fraction ?? 0 else {
                    return false
                }
                known = next
                return true
            }
            if rises { progress(next) }
        }
        while try await !checkMoved() {
            do {
                _ = try await copy(source, options, report)
            } catch let error as MoveError where error.code == .sourceChanged {
                // What was copied is known; only the changes are copied again.
                continue
            } catch let error as MoveError where error.code == .takenOver {
                try await waitForOther()
            }
        }
        let end = last.withLock { $0 }
        progress(
            MoveProgress(
                phase: .comparing, table: end?.table ?? "", done: end?.total ?? 0,
                total: end?.total ?? 0))
    }

    /// Waits while another program moves the records, and returns when it has ended or stands still.
    private func waitForOther() async throws {
        var known: Int64?
        var idle = 0
        while idle < 20, try await !checkMoved() {
            let written = try await state()?.written
            idle = written == known ? idle + 1 : 0
            known = written
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Notes in the target that the move is done for good. The source stays as it is.
    ///
    /// - Throws: `moving` if the records have not been moved.
    public func finish() async throws {
        guard source != nil else { return }
        guard try await checkMoved(), var state = try await state() else {
            throw CRUDRepositoryError.moving(target.name)
        }
        state.phase = MoveState.finished
        _ = try await target.save(state)
    }

    /// Returns whether the source is another one than when it was moved: an older version of the
    /// program may have written to it since.
    public func sourceHasChanged() async throws -> Bool {
        guard let source, let state = try await state(), let known = state.sourceState else {
            return false
        }
        return try await source.source.state() != known
    }

    /// Brings over what has changed in the source since it was moved.
    ///
    /// - Parameter policy: who wins where the target has changed, too.
    /// - Returns: The report.
    public func merge(_ policy: MergePolicy) async throws -> MoveReport? {
        guard let source else { return nil }
        var options = CopyOptions()
        options.merge = policy
        return try await copy(source, options) { _ in }
    }

    private func copy(
        _ source: SourceStore, _ options: CopyOptions,
        _ progress: @escaping (MoveProgress) -> Void
    ) async throws -> MoveReport {
        let side = try await MoveSide.open(source.source, schema)
        let context = RepositoryContext(store: target, schema: schema)
        try await context.open()
        let result = try await CopyRun(schema, from: side, to: context, options, progress).run()
        lastReport.withLock { $0 = result }
        return result
    }

    /// Returns the state in the target; nil if nothing was moved into it.
    private func state() async throws -> MoveState? {
        try await target.open(.moves)
        return try await target.readIfThere(MoveState.self, id: MoveState.ID(schema.name))
    }

    /// Returns whether the target has all records, and makes it live then.
    private func checkMoved() async throws -> Bool {
        if isMoved.load(ordering: .acquiring) { return true }
        guard let state = try await state(), state.isComplete else { return false }
        for schema in opened.withLock({ $0 }) { try await target.open(schema) }
        isMoved.store(true, ordering: .releasing)
        return true
    }

    /// Waits until the target takes writes.
    private func waitForMove() async throws {
        if isMoved.load(ordering: .acquiring) { return }
        let limit = try await limit
        let start = ContinuousClock.now
        while try await !checkMoved() {
            guard ContinuousClock.now - start < limit else {
                throw CRUDRepositoryError.moving(target.name)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// How long a write waits.
    private var limit: Duration {
        get async throws {
            if let limit = writes.limit { return limit }
            func count<E: Entity>(_ type: E.Type) async throws -> Int {
                try await source?.count(type) ?? 0
            }
            var records = 0
            for entity in schema.entities { records += try await count(entity) }
            // A move takes about a second for 100,000 records.
            return records > 200_000 ? .zero : .seconds(2)
        }
    }
}

extension CRUDRepositoryError {
    fileprivate static func moving(_ store: String) -> Self {
        Self(
            .moving,
            "The records are being moved to \(store), and are not there yet. Nothing was written; repeat the call when the move has ended.",
            isRetryable: true)
    }
}

// MARK: - The calls of a store

extension MovingStore {
    /// Opens the live store with a schema, and the target when it becomes live.
    public func open(_ schema: StoreSchema) async throws {
        opened.withLock { if !$0.contains(schema) { $0.append(schema) } }
        if try await checkMoved() { return try await target.open(schema) }
        try await source?.open(schema)
    }

    /// Stores a new entity, after the move.
    public func create<E: Entity>(_ entity: E) async throws {
        try await waitForMove()
        try await target.create(entity)
    }
    /// Replaces an entity, after the move.
    public func update<E: Entity>(_ entity: E) async throws -> E {
        try await waitForMove()
        return try await target.update(entity)
    }
    /// Creates or replaces an entity, after the move.
    public func save<E: Entity>(_ entity: E) async throws -> E {
        try await waitForMove()
        return try await target.save(entity)
    }
    /// Deletes an entity, after the move.
    public func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        try await waitForMove()
        try await target.delete(type, id: id)
    }
    /// Stores new entities, after the move.
    public func createAll<E: Entity>(_ entities: [E]) async throws {
        try await waitForMove()
        try await target.createAll(entities)
    }
    /// Creates or replaces entities, after the move.
    public func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        try await waitForMove()
        return try await target.saveAll(entities)
    }
    /// Deletes entities, after the move.
    public func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        try await waitForMove()
        return try await target.deleteAll(type, ids: ids)
    }
    /// Deletes all entities of a type, after the move.
    public func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        try await waitForMove()
        return try await target.deleteAll(type)
    }
    /// Changes entities, after the move.
    public func updateAll<E: Entity>(
        _ query: Query<E>, _ change: @escaping @Sendable (E) throws -> E
    ) async throws -> Int {
        try await waitForMove()
        return try await target.updateAll(query, change)
    }
    /// Begins a transaction of the target, after the move.
    public func begin() async throws -> any StoreTransaction {
        try await waitForMove()
        return try await target.begin()
    }
    /// Removes the records of a schema from the target, after the move.
    public func reset(_ schema: StoreSchema) async throws {
        try await waitForMove()
        try await target.reset(schema)
    }
    /// Closes the target.
    public func close() async throws { try await target.close() }
}
