internal import RepositoryRuntime

/// One side of a comparison or a copy, opened.
struct MoveSide {
    /// Where the records are read.
    let source: any RecordSource
    /// The context of a store; nil for a source that is none.
    let context: RepositoryContext?
    /// A snapshot that is read instead of the store, so that all tables are of one state.
    private let snapshot: (any StoreTransaction)?
    /// The problems of opening it.
    let problems: [MoveProblem]
    var name: String { source.name }
    /// Whether the number of records read has to be the number that the side counts.
    var isFrozen: Bool { context == nil || snapshot != nil }

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - schema: the schema.
    ///   - mustExist: whether a store without data of the set is an error, and is not created.
    static func open(
        _ store: any EntityStore, _ schema: StoreSchema, mustExist: Bool
    ) async throws -> MoveSide {
        var problems: [MoveProblem] = []
        if mustExist, let plan = try await migrationPlan(of: store, schema) {
            // Memory is always empty at first, and is never another store than the one that was meant.
            if store.capabilities.has(.persistent), case .none = plan.from {
                throw MoveError(
                    .sourceNotFound,
                    "\(store.name) has no data of the set '\(schema.name)': it does not exist, or its path, suite, schema or tenant is another one. It was not created."
                )
            }
            if plan.isNeeded {
                problems.append(
                    MoveProblem(
                        .migration, "The data is of \(plan.from), and is opened as \(plan.to).",
                        stops: false))
            }
        }
        let context = RepositoryContext(store: store, schema: schema)
        try await context.open()
        guard store.capabilities.has(.listing) else {
            throw MoveError(.unsupported, "\(store.name) cannot list its records.")
        }
        let snapshot =
            mustExist && store.capabilities.has(.snapshots)
            ? try await context.store.snapshot() : nil
        return MoveSide(
            source: StoreSource(store: snapshot ?? context.store), context: context,
            snapshot: snapshot, problems: problems)
    }

    private init(
        source: any RecordSource, context: RepositoryContext?,
        snapshot: (any StoreTransaction)?, problems: [MoveProblem]
    ) {
        (self.source, self.context, self.snapshot) = (source, context, snapshot)
        self.problems = problems
    }

    /// Reads a store that is open.
    init(reading context: RepositoryContext) {
        self.init(
            source: StoreSource(store: context.store), context: context, snapshot: nil,
            problems: [])
    }

    /// Whether a persistent store has no data of a set: it does not exist, or was reset.
    static func isNew(_ store: any EntityStore, _ schema: StoreSchema) async throws -> Bool {
        guard store.capabilities.has(.persistent) else { return false }
        return try await migrationPlan(of: store, schema)?.from == MigrationPlan.Version.none
    }

    /// Returns what opening a store would change; nil for a store type without migration plans, such
    /// as the store in memory.
    static func migrationPlan(
        of store: any EntityStore, _ schema: StoreSchema
    ) async throws -> MigrationPlan? {
        do {
            return try await store.migrationPlan(schema)
        } catch let error as CRUDRepositoryError where error.code == .unsupported {
            return nil
        }
    }

    /// Opens a source.
    static func open(_ source: any RecordSource, _ schema: StoreSchema) async throws -> MoveSide {
        _ = try await source.state()
        let problems = try await source.mappingProblems(schema).map { problem in
            MoveProblem(
                .mapping, table: problem.table, field: problem.field, problem.message,
                stops: problem.isFatal)
        }
        return MoveSide(source: source, context: nil, snapshot: nil, problems: problems)
    }

    /// The greatest ids that were given.
    func idCounters() async throws -> [String: Int64] {
        guard let context else { return try await source.idCounters() }
        return try await context.idCounters()
    }

    /// Runs a body, and ends the reading afterwards.
    func closing<R>(_ body: () async throws -> R) async throws -> R {
        do {
            let result = try await body()
            await snapshot?.rollBack()
            return result
        } catch {
            await snapshot?.rollBack()
            throw error
        }
    }
}
