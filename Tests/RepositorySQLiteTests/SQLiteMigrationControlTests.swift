import Foundation
import RepositorySQLite
import StoredSchema
import Synchronization
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// Plans, progress, modes, copies and cancellation of migrations in an SQLite database.
@Suite("The control of migrations in SQLite", .timeLimit(.minutes(60)))
struct SQLiteMigrationControlTests {
    private typealias First = BookVersions.First

    private func context(_ path: String, _ schema: StoreSchema) -> RepositoryContext {
        RepositoryContext(
            store: SQLiteStore(path: path, busyTimeout: .milliseconds(50)), schema: schema,
            fullScans: .allow)
    }

    private func books<S: VersionShape>(
        _ shape: S.Type, _ path: String, _ schema: StoreSchema
    ) -> VersionedRepository<S> { VersionedRepository(context(path, schema)) }

    private func fill(_ path: String, _ count: Int) async throws {
        try await books(BookVersions.One.self, path, BookPrograms.first()).createAll(
            (0..<count).map { number in
                First(
                    "book-\(1000 + number)", .text("title"), .null, .integer(Int64(number)), .null,
                    .text("\(number)"))
            })
    }

    private func third(_ price: MigrationFunction? = nil) throws -> StoreSchema {
        try BookPrograms.third(price ?? BookPrograms.price(CallCounter()))
    }

    private func migrate(
        _ context: RepositoryContext, _ change: (inout MigrationControl) -> Void = { _ in }
    ) async throws -> [MigrationProgress] {
        var control = MigrationControl()
        change(&control)
        var progress: [MigrationProgress] = []
        for try await next in MigrationRun(context, control) { progress.append(next) }
        return progress
    }

    /// The names, sizes, times and bytes of a folder.
    private func contents(_ folder: String) throws -> [String: String] {
        var result: [String: String] = [:]
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        for name in names + ["."] {
            let path = folder + "/" + name
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let data = FileManager.default.contents(atPath: path)
            result[name] =
                "\(attributes[.modificationDate] ?? "") \(data?.hashValue ?? 0) \(data?.count ?? 0)"
        }
        return result
    }

    @Test func planReportsEverythingAndTouchesNothing() async throws {
        try await withFolder { folder in
            let path = folder + "/books.sqlite"
            try await fill(path, 60)
            let before = try contents(folder)
            #expect(before.keys.sorted() == [".", "books.sqlite"])
            let plan = try await context(path, third()).store.migrationPlan(third())
            #expect(try contents(folder) == before)
            #expect(plan.from == .released(1))
            #expect(plan.to == .released(3))
            #expect(plan.tables.map(\.name) == ["volumes"])
            #expect(plan.records == 60)
            #expect((plan.tables.first?.bytes ?? 0) >= 4096)
            #expect(plan.neededBytes > plan.tables[0].bytes)
            #expect((plan.freeBytes ?? 0) > 0)
            #expect(plan.isNeeded && plan.isPossible && plan.isRefusedByRefuse)
            let codes = Set(plan.steps.map(\.code))
            #expect(
                codes.isSuperset(of: [
                    "table-renamed", "field-renamed", "field-removed", "field-added",
                    "became-required", "type-changed",
                ]), "\(codes)")
            #expect(plan.steps.contains { $0.text.contains("'priceTo3'") && $0.version == 3 })
            #expect(plan.description.contains("60 records"), "\(plan)")
            _ = try await migrate(context(path, third()))
            let after = try await context(path, third()).store.migrationPlan(third())
            #expect(!after.isNeeded && after.steps.isEmpty && after.tables.isEmpty, "\(after)")
            #expect(after.from == .released(3))
        }
    }

    @Test func planOfNoFileCreatesNone() async throws {
        try await withFolder { folder in
            let plan = try await context(folder + "/none.sqlite", third()).store
                .migrationPlan(third())
            #expect(plan.from == .none && plan.isNeeded && !plan.isRefusedByRefuse)
            #expect(plan.tables.isEmpty && plan.problems.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func planReadsWhatIsOnlyInTheLog() async throws {
        try await withFolder { folder in
            let path = folder + "/books #1%.sqlite"
            let old = books(BookVersions.One.self, path, try BookPrograms.first())
            try await old.create(
                First("a", .text("A"), .null, .integer(1), .null, .text("1")))
            let plan = try await context(path, third()).store.migrationPlan(third())
            #expect(plan.records == 1)
            #expect(try await old.count() == 1)
        }
    }

    @Test func planReportsProblems() async throws {
        try await withFolder { folder in
            let path = folder + "/books.sqlite"
            _ = try await books(BookVersions.Three.self, path, third()).count()
            let second = try BookPrograms.second()
            let plan = try await context(path, second).store.migrationPlan(second)
            #expect(plan.from == .released(3))
            #expect(plan.problems.contains { $0.contains("newer program") }, "\(plan)")
            #expect(!plan.isPossible)
        }
    }

    @Test func refuseChangesNothing() async throws {
        try await withFolder { folder in
            let path = folder + "/books.sqlite"
            try await fill(path, 5)
            let before = try contents(folder)
            let refusing = books(
                BookVersions.Three.self, path, try third().opening(.refuse))
            let error = try await expectError(.schemaMismatch) { _ = try await refusing.count() }
            #expect(error.message.contains("'opening: .refuse'"), "\(error)")
            #expect(error.message.contains("'volumes'"), "\(error)")
            #expect(!error.isRetryable)
            _ = try await expectError(.schemaMismatch) {
                _ = try await migrate(context(path, third().opening(.refuse)))
            }
            #expect(
                FileManager.default.contents(atPath: path)?.hashValue
                    == before["books.sqlite"].flatMap { _ in
                        FileManager.default.contents(atPath: path)?.hashValue
                    })
            // The data is still that of version 1.
            let plan = try await context(path, third()).store.migrationPlan(third())
            #expect(plan.from == .released(1))
            _ = try await migrate(context(path, third()))
            #expect(try await refusing.count() == 5)
        }
    }

    @Test func refuseCreatesAndAddsColumns() async throws {
        typealias Old = VersionedRecord<ThingVersions.Bare>
        typealias New = VersionedRecord<ThingVersions.Reused>
        var chain = VersionChain()
        chain.release([Old.self])
        let first = try chain.schema([Old.self]).opening(.refuse)
        chain.release([New.self])
        let second = try chain.schema([New.self]).opening(.refuse)
        try await withFolder { folder in
            let path = folder + "/things.sqlite"
            try await books(ThingVersions.Bare.self, path, first).create(Old("a"))
            let plan = try await context(path, second).store.migrationPlan(second)
            #expect(plan.isNeeded && !plan.isRefusedByRefuse, "\(plan)")
            let new = books(ThingVersions.Reused.self, path, second)
            #expect(try await new.fetch() == [New("a", .null)])
        }
    }

    @Test func refuseBuildsNoIndex() async throws {
        typealias Old = VersionedRecord<ThingVersions.Noted>
        typealias New = VersionedRecord<ThingVersions.Unique>
        var chain = VersionChain()
        chain.release([Old.self])
        let first = try chain.schema([Old.self])
        chain.release([New.self])
        let second = try chain.schema([New.self])
        try await withFolder { folder in
            let path = folder + "/things.sqlite"
            try await books(ThingVersions.Noted.self, path, first).create(Old("a", .text("x")))
            let new = books(ThingVersions.Unique.self, path, second.opening(.refuse))
            _ = try await expectError(.schemaMismatch) { _ = try await new.count() }
            #expect(try await books(ThingVersions.Unique.self, path, second).count() == 1)
            #expect(try await new.count() == 1)
        }
    }

    @Test(arguments: [true, false]) func progressCountsRecords(byCode: Bool) async throws {
        try await withFolder { folder in
            let path = folder + "/books.sqlite"
            try await fill(path, 1000)
            let schema = try byCode ? third() : BookPrograms.second()
            let context = context(path, schema)
            let progress = try await migrate(context)
            #expect(progress.last?.done == 1000)
            #expect(progress.allSatisfy { $0.total == 1000 })
            #expect(progress.allSatisfy { $0.table == (byCode ? "volumes" : "books") })
            #expect(progress.map(\.done) == progress.map(\.done).sorted())
            #expect(progress.count > 100 && progress.count < 300, "\(progress.count)")
            #expect(context.isReady)
            #expect(try await migrate(context).isEmpty)
            #expect(try await migrate(self.context(path, schema)).isEmpty)
        }
    }

    @Test func cancellationLeavesTheOldData() async throws {
        try await withFolder { folder in
            let path = folder + "/books.sqlite"
            try await fill(path, 50)
            let running = Mutex<Task<Void, any Error>?>(nil)
            let calls = CallCounter()
            let schema = try third { old, new in
                calls.add("")
                if calls.all[""] == 20 {
                    while running.withLock({ $0 == nil }) { usleep(1000) }
                    running.withLock { $0?.cancel() }
                }
                new.set(Decimal(1), "price")
                return true
            }
            let context = context(path, schema)
            let task = Task { _ = try await migrate(context) }
            running.withLock { $0 = task }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(calls.all[""] == 20)
            let old = books(BookVersions.One.self, path, try BookPrograms.first())
            #expect(try await old.count() == 50)
            try await old.create(First("z", .text("Z"), .null, .integer(1), .null, .text("1")))
            #expect(try await books(BookVersions.Three.self, path, third()).count() == 51)
        }
    }

    /// A migration by SQL alone, which the first operation begins, ends when its task is cancelled.
    @Test func cancellationEndsAStatement() async throws {
        try await withFolder { folder in
            let path = folder + "/books.sqlite"
            try await fill(path, 30_000)
            let context = context(path, try BookPrograms.second())
            let running = Mutex<Task<Void, any Error>?>(nil)
            var control = MigrationControl()
            control.progress = { progress in
                while running.withLock({ $0 == nil }) { usleep(1000) }
                if progress.done > 100 { running.withLock { $0?.cancel() } }
            }
            let task = Task { [control] in try await context.migrate(control) }
            running.withLock { $0 = task }
            await #expect(throws: CancellationError.self) { try await task.value }
            let old = books(BookVersions.One.self, path, try BookPrograms.first())
            #expect(try await old.count() == 30_000)
        }
    }

    @Test func leavingTheLoopCancels() async throws {
        try await withFolder { folder in
            let path = folder + "/books.sqlite"
            try await fill(path, 50)
            let isWaiting = Atomic(true)
            let schema = try third { _, new in
                while isWaiting.load(ordering: .acquiring) { usleep(1000) }
                new.set(Decimal(1), "price")
                return true
            }
            for try await progress in MigrationRun(context(path, schema), MigrationControl()) {
                #expect(progress.done == 0)
                break
            }
            isWaiting.store(false, ordering: .releasing)
            let old = books(BookVersions.One.self, path, try BookPrograms.first())
            // The migration holds the lock until it notices the cancellation.
            while true {
                do {
                    try await old.create(
                        First("z", .text("Z"), .null, .integer(1), .null, .text("1")))
                    break
                } catch let error as CRUDRepositoryError where error.isRetryable {}
            }
            #expect(try await old.count() == 51)
        }
    }

    @Test func fullDiskIsFoundFirst() async throws {
        try await withFolder { folder in
            let path = folder + "/books.sqlite"
            try await fill(path, 500)
            let calls = CallCounter()
            let schema = try third(BookPrograms.price(calls))
            let needed = try await context(path, schema).store.migrationPlan(schema).neededBytes
            let error = try await expectError(.storageFull) {
                _ = try await migrate(context(path, schema)) { control in
                    control.freeBytes = { _ in needed - 1 }
                }
            }
            #expect(error.message.contains("disk space"), "\(error)")
            #expect(calls.all.isEmpty)
            let old = books(BookVersions.One.self, path, try BookPrograms.first())
            #expect(try await old.count() == 500)
            _ = try await migrate(context(path, schema)) { $0.freeBytes = { _ in needed } }
            #expect(calls.all.count == 500)
        }
    }

    @Test func backupIsTheOldDatabase() async throws {
        try await withFolder { folder in
            let path = folder + "/books.sqlite"
            let url = URL(filePath: folder + "/copies/old.sqlite")
            try await fill(path, 20)
            _ = try await expectError(.databaseError) {
                // Its folder does not exist.
                _ = try await migrate(context(path, third())) { $0.backup = url }
            }
            try FileManager.default.createDirectory(
                atPath: folder + "/copies", withIntermediateDirectories: false)
            #expect(
                FileManager.default.createFile(atPath: url.path, contents: Data("mine".utf8)))
            let error = try await expectError(.databaseError) {
                _ = try await migrate(context(path, third())) { $0.backup = url }
            }
            #expect(error.message.contains("old.sqlite"), "\(error)")
            #expect(FileManager.default.contents(atPath: url.path) == Data("mine".utf8))
            try FileManager.default.removeItem(at: url)
            // What a killed process left.
            #expect(
                FileManager.default.createFile(
                    atPath: url.path + ".unfinished", contents: Data("half".utf8)))
            _ = try await migrate(context(path, third())) { $0.backup = url }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder + "/copies")
                    == ["old.sqlite"])
            let old = books(BookVersions.One.self, url.path, try BookPrograms.first())
            #expect(try await old.count() == 20)
            #expect(try await books(BookVersions.Three.self, path, third()).count() == 20)
            // Nothing to migrate: nothing to copy.
            _ = try await migrate(context(path, third())) { $0.backup = url }
        }
    }

    @Test func backupOfMemoryIsUnsupported() async throws {
        let store = SQLiteStore.inMemory()
        let old = VersionedRepository<BookVersions.One>(
            RepositoryContext(store: store, schema: try BookPrograms.first()))
        try await old.create(First("a", .text("A"), .null, .integer(1), .null, .text("1")))
        let new = RepositoryContext(store: store, schema: try BookPrograms.second())
        _ = try await expectError(.unsupported) {
            _ = try await migrate(new) { $0.backup = URL(filePath: "/nowhere/copy") }
        }
        _ = try await migrate(new)
        #expect(try await VersionedRepository<BookVersions.Two>(new).count() == 1)
    }

    @Test func othersGetMigratingMeanwhile() async throws {
        try await withFolder { folder in
            let path = folder + "/books.sqlite"
            try await fill(path, 5)
            let isInside = Atomic(false)
            let mayGoOn = Atomic(false)
            let schema = try third { _, new in
                isInside.store(true, ordering: .releasing)
                while !mayGoOn.load(ordering: .acquiring) { usleep(1000) }
                new.set(Decimal(1), "price")
                return true
            }
            let old = books(BookVersions.One.self, path, try BookPrograms.first())
            #expect(try await old.count() == 5)
            let context = context(path, schema)
            let task = Task { _ = try await migrate(context) }
            while !isInside.load(ordering: .acquiring) {
                try await Task.sleep(for: .milliseconds(1))
            }
            let record = First("z", .text("Z"), .null, .integer(1), .null, .text("1"))
            // A running program of the old version reads, and cannot write.
            #expect(try await old.count() == 5)
            var error = try await expectError(.migrating) { try await old.create(record) }
            #expect(error.isRetryable)
            error = try await expectError(.migrating) {
                _ = try await old.context.transaction { context in
                    try await VersionedRepository<BookVersions.One>(context).create(record)
                }
            }
            // A second program of the new version waits and gets the same.
            error = try await expectError(.migrating) {
                _ = try await books(BookVersions.Three.self, path, third()).count()
            }
            #expect(error.isRetryable)
            #expect(FileManager.default.fileExists(atPath: path + "-migrating"))
            mayGoOn.store(true, ordering: .releasing)
            try await task.value
            #expect(!FileManager.default.fileExists(atPath: path + "-migrating"))
            _ = try await expectError(.schemaMismatch) { try await old.create(record) }
            #expect(try await books(BookVersions.Three.self, path, third()).count() == 5)
        }
    }

    /// Without a migration, a busy database stays a busy database, even if a killed migration has
    /// left its file.
    @Test func leftMarkMeansNothing() async throws {
        try await withFolder { folder in
            let path = folder + "/books.sqlite"
            try await fill(path, 1)
            #expect(
                FileManager.default.createFile(atPath: path + "-migrating", contents: nil))
            let plain = try PlainDatabase(path)
            try plain.run("BEGIN IMMEDIATE")
            let old = books(BookVersions.One.self, path, try BookPrograms.first())
            let error = try await expectError(.databaseError) { _ = try await old.deleteAll() }
            #expect(error.isRetryable)
            try plain.run("ROLLBACK")
            #expect(try await books(BookVersions.Three.self, path, third()).count() == 1)
            #expect(!FileManager.default.fileExists(atPath: path + "-migrating"))
        }
    }
}
