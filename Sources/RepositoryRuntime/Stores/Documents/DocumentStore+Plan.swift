internal import Foundation
internal import StoredSchema
internal import Synchronization

/// What programs can ask of a migration: its plan, the refusal of one, a copy of the data.
extension DocumentStore {
    /// The number of documents whose size is measured to estimate that of all.
    private static var sampled: Int { 64 }

    /// Returns what opening a set would change. Takes no lock and changes nothing.
    ///
    /// - Throws: an error of the driver.
    public func migrationPlan(_ schema: StoreSchema) async throws -> MigrationPlan {
        try StoreTables.check(schema, for: name)
        let openSets = Set(state.withLock { $0.sets.schemas.keys })
        return try await reading.run { [self] in
            let found = try note.read(for: schema.name)
            let opening = try opening(schema, found, openSets)
            var plan = opening.plan(of: name)
            plan.isRefusedByRefuse =
                !plan.problems.isEmpty || !refusedChanges(opening).isEmpty
            guard plan.problems.isEmpty else { return plan }
            plan.tables = try rewritten(by: opening)
            plan.neededBytes = needed(for: plan.tables)
            plan.freeBytes = (driver as? any MigratingDriver).flatMap {
                schema.control.freeBytes($0.volumePath)
            }
            return plan
        }
    }

    /// Compares a set with the description.
    func opening(
        _ schema: StoreSchema, _ found: StoreDescription?, _ openSets: Set<String>
    ) throws -> SchemaOpening {
        SchemaOpening(
            schema, in: found, form: .documents,
            recordFormat: coder.formatExtension, openSets: openSets,
            history: try schema.history())
    }

    /// Returns what `opening: .refuse` refuses.
    func refusedChanges(_ opening: SchemaOpening) -> [String] {
        opening.refusedChanges(
            rewriting: Set(opening.migrations.keys).union(opening.rewrites.keys)
                .union(opening.unverifiedTables))
    }

    /// Returns the tables whose documents are rewritten, or read by functions over several tables,
    /// with the estimated size of the documents.
    private func rewritten(by opening: SchemaOpening) throws -> [MigrationPlan.Table] {
        var stored = Dictionary(
            opening.migrations.map { ($0.key, $0.value.stored.name) }, uniquingKeysWith: { $1 })
        for name in opening.rewrites.keys {
            var old = name
            for case .renameTable(let from, let to) in opening.steps where to == name { old = from }
            stored[name] = old
        }
        let read = opening.readTables.map { (key: $0, value: $0) }
        return try (stored.map(\.self) + read).sorted { $0.key < $1.key }.map { name, old in
            var records = 0
            var sample: [String] = []
            try driver.visitKeys(in: old) { key in
                records += 1
                if sample.count < Self.sampled { sample.append(key) }
            }
            let bytes = try sample.reduce(0) { $0 + (try driver.get($1, in: old)?.count ?? 0) }
            let average = sample.isEmpty ? 0 : (bytes + sample.count - 1) / sample.count
            return MigrationPlan.Table(
                name: name, records: records, bytes: average * records)
        }
    }

    /// Returns the number of bytes that rewriting tables needs: the new documents, each with a
    /// block of the file system, beside the old ones.
    private func needed(for tables: [MigrationPlan.Table]) -> Int {
        tables.reduce(0) { $0 + $1.bytes + $1.records * 4096 }
    }

    /// Prepares the migration that a comparison asks for: checks the disk space, copies the data if
    /// the program wants it, and marks the lock. The caller holds the driver's lock.
    ///
    /// - Returns: Counts the records; nil if no record is rewritten.
    /// - Throws: `schemaMismatch` if the program opened the store with `opening: .refuse`;
    ///   `storageFull`; `unsupported`; an error of the copy.
    func prepare(_ opening: SchemaOpening, _ schema: StoreSchema) throws -> MigrationReporter {
        try opening.requireAllowed(refusedChanges(opening), in: name)
        let control = schema.control
        let tables = try rewritten(by: opening)
        let read = Set(opening.readTables)
        let reporter = MigrationReporter(
            control.progress, total: tables.reduce(0) { $0 + $1.records },
            read: Dictionary(
                tables.filter { read.contains($0.name) }.map { ($0.name, $0.records) },
                uniquingKeysWith: min),
            isCancelled: control.isCancelled)
        let isNew = opening.plan(of: name).from == .none
        guard !isNew, !opening.isDone else { return reporter }
        let migrating = driver as? any MigratingDriver
        if let migrating, !tables.isEmpty {
            try control.requireSpace(
                for: needed(for: tables), at: migrating.volumePath, store: name)
        }
        if let backup = control.backup {
            guard let migrating else {
                throw CRUDRepositoryError.unsupported("a copy of its data", by: name)
            }
            do {
                try migrating.copy(to: backup) { try reporter.check() }
            } catch let error where error is CRUDRepositoryError || error is CancellationError {
                throw error
            } catch {
                throw CRUDRepositoryError.failedCall(
                    "The data cannot be copied to '\(backup.path)'. Nothing was changed.", error)
            }
        }
        return reporter
    }

    /// Runs a migration while the lock has the mark of one.
    func marked<R>(_ body: () throws -> R) throws -> R {
        let migrating = driver as? any MigratingDriver
        migrating?.markMigration(true)
        defer { migrating?.markMigration(false) }
        return try body()
    }
}
