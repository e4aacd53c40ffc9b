import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting
import Testing

/// What a program asks of the migration during which it is killed.
enum MigrationWish: String, CaseIterable, Sendable {
    case plain, copy, aside
}

/// How a migration ended that was killed.
private struct MigrationTally: CustomStringConvertible {
    var old = 0
    var new = 0
    var finished = 0
    /// How many files or copies there were afterwards.
    var files = 0

    var description: String {
        "\(old + new) migrations killed: \(old) left the old data, \(new) the new, \(finished) of them had ended"
            + (files > 0 ? "; \(files) whole files or copies" : "")
    }
}

@Suite("A program that migrates is killed")
struct MigrationKillTests {
    private static let kills = Effort.isLong ? 500 : 6

    @Test(
        "The old program or the new one goes on with all records; copies and files are whole",
        arguments: DurableStore.allCases, MigrationWish.allCases)
    func kills(_ kind: DurableStore, _ wish: MigrationWish) async throws {
        let store = kind.make(at: try CrashPlace(kind).text)
        guard store.capabilities.has(.durable) else { return }
        var random = SeededGenerator(seed: Effort.seed)
        var tally = MigrationTally()
        let count = wish == .plain ? 150 : 50
        // How long it takes shows when to kill it.
        let whole = try await KilledMigration(kind, wish, count)
        try await whole.run(killedAfter: nil)
        #expect(whole.isFinished)
        try await check(whole, &tally)
        tally = MigrationTally()
        let limit = UInt32(clamping: whole.microseconds * 5 / 4)
        for _ in 0..<Self.kills {
            let migration = try await KilledMigration(kind, wish, count)
            try await migration.run(killedAfter: .random(in: 0...limit, using: &random))
            try await check(migration, &tally)
        }
        print("\(kind.rawValue), \(wish.rawValue): \(tally); seed \(Effort.seed)")
        #expect(tally.old + tally.new == Self.kills)
    }

    /// Opens what is left with the old program, and then with the new one.
    private func check(_ migration: KilledMigration, _ tally: inout MigrationTally) async throws {
        if migration.isFinished { tally.finished += 1 }
        let isWritten = FileManager.default.fileExists(atPath: migration.path)
        if isWritten { tally.files += 1 }
        if isWritten { try await migration.checkFile() }
        if try await migration.hasOldRecords() {
            #expect(!migration.isFinished, "What ended is kept.")
            tally.old += 1
        } else {
            #expect(migration.wish == .plain || isWritten, "There is a file before a commit.")
            tally.new += 1
        }
        try await migration.finish()
        if migration.wish != .plain { try await migration.checkFile() }
        try await checkNew(migration)
    }

    /// Checks the records after the migration.
    private func checkNew(_ migration: KilledMigration) async throws {
        let schema = try MigratedItems.new()
        let new = VersionedRepository<MigratedItems.New>(
            RepositoryContext(
                store: migration.kind.make(at: migration.place.text), schema: schema,
                fullScans: .allow))
        func isKept(_ number: Int) -> Bool {
            migration.wish != .aside || !MigratedItems.isRefused(number)
        }
        let items = zip(0..., MigratedItems.newItems(migration.count)).filter { isKept($0.0) }
        #expect(try await new.fetch() == items.map(\.1))
        let marks = VersionedRepository<MigratedItems.NewMark>(new.context)
        #expect(try await marks.fetch() == MigratedItems.newMarks(migration.count))
        let tags = VersionedRepository<MigratedItems.NewTag>(new.context)
        #expect(
            try await tags.fetch() == MigratedItems.newTags(migration.count, where: isKept))
        let texts = VersionedRepository<MigratedItems.Text>(new.context)
        #expect(try await texts.fetch() == MigratedItems.texts(migration.count))
        let found = try await new.find(index: 0, [.text("title 3")])
        #expect(found.count == (0..<migration.count).count { $0 % 9 == 3 && isKept($0) })
        _ = try await new.create(
            .init("new", .text("title 3"), .decimal(1), .text("created")))
    }
}
