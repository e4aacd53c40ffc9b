internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema
internal import Synchronization

extension StoreTrial {
    /// Migrates the store, in a new instance, and returns the progress. A change of the wishes
    /// comes first.
    fileprivate func migrated(
        _ schema: StoreSchema, _ change: (inout MigrationControl) -> Void = { _ in }
    ) async throws -> [MigrationProgress] {
        let context = try await reopened().versioned(BookVersions.Three.self, schema).context
        var control = MigrationControl()
        change(&control)
        var progress: [MigrationProgress] = []
        for try await next in MigrationRun(context, control) { progress.append(next) }
        try await expect(
            VersionedRepository<BookVersions.Three>(context).count() > 0, "It is open.")
        return progress
    }

    /// Returns the plan for a schema, in a new instance; nil if the store has no plans.
    func plan(_ schema: StoreSchema) async throws -> MigrationPlan? {
        do {
            return try await reopened().store.migrationPlan(schema)
        } catch let error as CRUDRepositoryError where error.code == .unsupported {
            return nil
        }
    }
}

extension StoreBehaviour {
    /// What a program can ask of a migration. Stores without plans pass.
    package static let migrationControl: [StoreBehaviour] = [
        migration(
            "migrations.plan", "The plan names steps, tables and records, and changes nothing."
        ) { trial in
            try await trial.fillFirst(20)
            let schema = try BookPrograms.third(BookPrograms.price(CallCounter()))
            guard let plan = try await trial.plan(schema) else { return }
            try expect(plan.from, is: .released(1))
            try expect(plan.to, is: .released(3))
            try expect(plan.tables.map(\.name), is: ["volumes"])
            try expect(plan.records, is: 20)
            try expect(plan.neededBytes > 0, "\(plan)")
            try expect(plan.isNeeded && plan.isRefusedByRefuse && plan.isPossible, "\(plan)")
            let codes = Set(plan.steps.map(\.code))
            try expect(
                codes.isSuperset(of: ["table-renamed", "field-removed", "type-changed"]), "\(plan)")
            // The program of version 1 goes on.
            try await trial.versioned(BookVersions.One.self, try BookPrograms.first()).create(
                .init("z", .text("Z"), .null, .integer(1), .null, .text("1")))
            _ = try await trial.migrated(schema)
            let after = try await trial.plan(schema)
            try expect(after?.isNeeded, is: false)
            try expect(after?.from, is: .released(3))
        },
        migration("migrations.refused", "'opening: .refuse' creates a store and migrates none.") {
            trial in
            guard try await trial.plan(BookPrograms.first()) != nil else { return }
            let first = try BookPrograms.first().opening(.refuse)
            let books = trial.versioned(BookVersions.One.self, first)
            try await books.create(
                .init("a", .text("A"), .null, .integer(1), .null, .text("1")))
            let calls = CallCounter()
            let third = try BookPrograms.third(BookPrograms.price(calls))
            let error = try await expectError(.schemaMismatch) {
                _ = try await trial.reopened(BookVersions.Three.self, third.opening(.refuse))
                    .count()
            }
            try expect(error.message.contains("'opening: .refuse'"), "It says so: \(error)")
            try expect(calls.all, is: [:])
            try await expect(books.count(), is: 1)
            let new = try await trial.reopened(BookVersions.Three.self, third)
            try await expect(new.count(), is: 1)
            try await expect(
                trial.reopened(BookVersions.Three.self, third.opening(.refuse)).count(), is: 1)
        },
        migration("migrations.progress", "The progress counts every record once.") { trial in
            try await trial.fillFirst(40)
            let schema = try BookPrograms.third(BookPrograms.price(CallCounter()))
            guard try await trial.plan(schema) != nil else { return }
            let progress = try await trial.migrated(schema)
            try expect(progress.last?.done, is: 40)
            try expect(progress.allSatisfy { $0.total == 40 && $0.table == "volumes" }, "all")
            try expect(progress.map(\.done), is: progress.map(\.done).sorted())
            try expect(progress.count > 3, "\(progress.count)")
            try await expect(trial.migrated(schema), is: [])
        },
        migration("migrations.cancelled", "A cancelled migration leaves the old data.") { trial in
            try await trial.fillFirst(30)
            guard try await trial.plan(BookPrograms.first()) != nil else { return }
            let running = Mutex<Task<Void, any Error>?>(nil)
            let schema = try BookPrograms.third { _, new in
                while running.withLock({ $0 == nil }) { usleep(500) }
                running.withLock { $0?.cancel() }
                new.set(Decimal(1), "price")
                return true
            }
            let context = try await trial.reopened(BookVersions.Three.self, schema).context
            let task = Task {
                for try await _ in MigrationRun(context, MigrationControl()) {}
            }
            running.withLock { $0 = task }
            var isCancelled = false
            do {
                try await task.value
            } catch is CancellationError {
                isCancelled = true
            }
            try expect(isCancelled, "It throws CancellationError.")
            let old = try await trial.reopened(BookVersions.One.self, try BookPrograms.first())
            try await expect(old.count(), is: 30)
            try await old.delete(.init("book-100"))
            let third = try BookPrograms.third(BookPrograms.price(CallCounter()))
            try await expect(
                trial.reopened(BookVersions.Three.self, third).count(), is: 29)
        },
        migration("migrations.full", "The disk space is checked before anything changes.") {
            trial in
            try await trial.fillFirst(30)
            let calls = CallCounter()
            let schema = try BookPrograms.third(BookPrograms.price(calls))
            guard let plan = try await trial.plan(schema), plan.freeBytes != nil else { return }
            let error = try await expectError(.storageFull) {
                _ = try await trial.migrated(schema) { $0.freeBytes = { _ in 1 } }
            }
            try expect(error.isRetryable, "The program can make space.")
            try expect(calls.all, is: [:])
            _ = try await trial.migrated(schema) { $0.freeBytes = { _ in plan.neededBytes } }
        },
        migration(
            "migrations.copied", "The copy of the data is a whole backup, and no file is replaced."
        ) {
            trial in
            try await trial.fillFirst(10)
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "copy-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let url = folder.appending(path: "old")
            let schema = try BookPrograms.third(BookPrograms.price(CallCounter()))
            guard let plan = try await trial.plan(schema), plan.freeBytes != nil else { return }
            try Data("mine".utf8).write(to: url)
            _ = try await expectError(.databaseError) {
                _ = try await trial.migrated(schema) { $0.backup = url }
            }
            try expect(try Data(contentsOf: url), is: Data("mine".utf8))
            try FileManager.default.removeItem(at: url)
            // What a process left that ended during a copy.
            try Data("half".utf8).write(to: folder.appending(path: "old.unfinished"))
            _ = try await trial.migrated(schema) { $0.backup = url }
            try expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path), is: ["old"])
            guard trial.store.capabilities.has(.backups) else { return }
            try await trial.fresh { other in
                try await other.store.restore(from: url)
                let old = try await other.reopened(BookVersions.One.self, BookPrograms.first())
                try await expect(old.count(), is: 10)
            }
        },
    ]
}
