internal import RepositoryRuntime
internal import StoredSchema

/// A check of the migrations of a schema.
struct MigrationCheck: Sendable {
    private let schema: StoreSchema
    private let stores: [StoreHarness]
    private let count: Int
    private let seed: UInt64
    /// The tables and functions that need not be tested.
    private let untested: Set<String>

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - schema: the present schema with its functions.
    ///   - stores: how to create the stores.
    ///   - records: the number of records in each table.
    ///   - seed: the seed; that of ``RandomSettings`` if nil.
    ///   - untested: the names of tables and functions that need not be tested.
    init(
        _ schema: StoreSchema, stores: [StoreHarness], records: Int, seed: UInt64?,
        untested: Set<String> = []
    ) {
        self.untested = untested
        // The functions of ids need not be pure: the stores and the model get the same ids.
        let history = try? schema.history()
        self.schema = schema.migrating(
            with: RememberedIDs(history ?? SchemaHistory()).remembering(schema.functions))
        self.stores = stores
        count = records
        self.seed = seed ?? RandomSettings.seed
    }

    /// Checks the data of every version in every store.
    ///
    /// - Throws: ``MigrationCheckFailure``.
    func run() async throws -> MigrationCheckReport {
        var report = MigrationCheckReport(seed: seed)
        guard let history = try schema.history() else {
            throw failure(0, "'\(schema.name)' has no released version: run 'release' first.")
        }
        report.versions = history.versions.map(\.number)
        var called: Set<String> = []
        for version in history.versions {
            guard let tables = history.tables(of: version.number) else {
                throw failure(
                    version.number,
                    "The generated code lacks the tables of released versions: generate it again.")
            }
            let program = try OldProgram(
                version.number, tables: tables, history, name: schema.name)
            if let problem = program.problems.first {
                throw failure(
                    version.number, "The table '\(problem.table)' \(problem.reason).")
            }
            var known: [Bool: OldRecords] = [:]
            for harness in stores {
                try await StoreLocation.withNew(cleanUp: harness.cleanUp) { place in
                    try await check(harness, at: place, program, history, &known, &report)
                }
            }
            try refuseUntestedTables(known.values, version.number)
            called.formUnion(known.values.flatMap { $0.calls.keys.map(\.name) })
            for (reason, count) in known.values.flatMap(\.leftOut) {
                let place = "version \(version.number), \(reason)"
                report.leftOut[place] = max(report.leftOut[place] ?? 0, count)
            }
        }
        try refuseUncalledFunctions(history, called)
        return report
    }

    /// Throws if no record of a table was tested, and the caller does not expect it.
    private func refuseUntestedTables(
        _ records: some Collection<OldRecords>, _ version: Int
    ) throws {
        guard count > 0 else { return }
        for (table, reason) in records.flatMap(\.untestedTables) where !untested.contains(table) {
            throw failure(
                version,
                "No record of the table '\(table)' was tested: \(reason). Pass 'untested: [\"\(table)\"]' if that is right."
            )
        }
    }

    /// Throws if a function of a version was not called, and the caller does not expect it.
    private func refuseUncalledFunctions(_ history: SchemaHistory, _ called: Set<String>) throws {
        // Without stores, nothing was to be tested.
        guard count > 0, !stores.isEmpty, let first = history.versions.first else { return }
        for (number, changes) in history.changes(after: first.number) {
            for name in changes.compactMap(\.function)
            where !called.contains(name) && !untested.contains(name) {
                throw failure(
                    number,
                    "The function '\(name)' was not tested: no record of an earlier version needs it. Pass 'untested: [\"\(name)\"]' if that is right."
                )
            }
        }
    }

    /// Checks the data of one version in one store.
    ///
    /// - Parameters:
    ///   - harness: creates the store.
    ///   - place: the place of the data.
    ///   - program: the program of the version.
    ///   - history: the versions.
    ///   - known: the records of the version: of stores that round dates to seconds, and of others.
    ///   - report: what was done.
    private func check(
        _ harness: StoreHarness, at place: StoreLocation, _ program: OldProgram,
        _ history: SchemaHistory, _ known: inout [Bool: OldRecords],
        _ report: inout MigrationCheckReport
    ) async throws {
        let store = try await harness.make(place)
        let isFirst = program.number == history.versions.first?.number
        let hasPlace = !schema.hasExternalData || store.capabilities.has(.externalData)
        guard store.capabilities.has(.persistent), hasPlace else {
            if isFirst { report.skippedStores.append(store.name) }
            return
        }
        if isFirst { report.stores.append(store.name) }
        let hasWholeSeconds = !store.capabilities.has(.fractionalSeconds)
        let records =
            try known[hasWholeSeconds]
            ?? oldRecords(of: program, history, hasWholeSeconds: hasWholeSeconds)
        known[hasWholeSeconds] = records
        do {
            try await program.write(records.rows, to: store)
        } catch {
            throw failure(
                program.number, "The data of the version cannot be written: \(error)",
                store: store.name)
        }
        let trial = MigrationTrial(
            schema: schema, version: program.number, seed: seed, store: store.name)
        try await trial.check(harness, at: place, records)
        report.records += records.rows.values.map(\.count).reduce(0, +)
        report.calls += records.calls.values.reduce(0, +)
    }

    /// Creates the records of a version.
    private func oldRecords(
        of program: OldProgram, _ history: SchemaHistory, hasWholeSeconds: Bool
    ) throws -> OldRecords {
        let changes = history.changes(after: program.number).map(\.changes)
        let model = MigrationModel(
            program.tables.map(\.stored), changes: changes, to: schema, schema.functions)
        let source = SeededGenerator(seed: seed &+ UInt64(clamping: program.number))
        do {
            return try OldRecords(
                of: program, changes: changes, model,
                PresentTables(schema: schema, hasWholeSeconds: hasWholeSeconds), count: count,
                RandomValues(source: source, hasWholeSeconds: hasWholeSeconds))
        } catch let problem as ModelProblem {
            throw failure(program.number, problem)
        }
    }

    /// The failure for a record that has no migrated form.
    private func failure(_ version: Int, _ problem: ModelProblem) -> MigrationCheckFailure {
        switch problem {
        case .doesNotFit(let path): return failure(version, "\(path) does not fit its new type.")
        case .refersToNothing(let path): return failure(version, "\(path) refers to nothing.")
        case .sameID(let table): return failure(version, "Records of '\(table)' get the same id.")
        case .impure(let function, let row, let first, let second):
            var failure = failure(
                version,
                "The function '\(function)' is not pure. It returns two results for \(row.ordered)."
            )
            failure.expected = first
            failure.actual = second
            return failure
        case .threw(let function, let row, let error):
            return failure(
                version, "The function '\(function)' throws for \(row.ordered): \(error)")
        case .dependsOnOrder(let function, let table, let first, let second):
            var failure = failure(
                version,
                "The function '\(function)' is not pure. It writes other records of '\(table)' if it reads the old ones in another order."
            )
            failure.expected = first
            failure.actual = second
            return failure
        case .tablesThrew(let function, let error):
            return failure(version, "The function '\(function)' throws: \(error)")
        case .noFunction(let name):
            return failure(version, "The program has no function '\(name)': pass 'migrations:'.")
        }
    }

    private func failure(
        _ version: Int, _ message: String, store: String = ""
    ) -> MigrationCheckFailure {
        MigrationCheckFailure(version: version, store: store, message: message, seed: seed)
    }
}
