import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting
import Testing

/// How a migration ended that was killed.
private struct MigrationTally: CustomStringConvertible {
    var old = 0
    var new = 0
    var finished = 0

    var description: String {
        "\(old + new) migrations killed: \(old) left the old data, \(new) the new, \(finished) of them had ended"
    }
}

@Suite("A program that migrates is killed")
struct MigrationKillTests {
    private static let count = 150
    private static let kills = Effort.isLong ? 500 : 20

    @Test(
        "The old program or the new one goes on with all records", arguments: DurableStore.allCases)
    func kills(_ kind: DurableStore) async throws {
        let store = kind.make(at: try CrashPlace(kind).text)
        guard store.capabilities.has(.durable) else { return }
        var random = SeededGenerator(seed: Effort.seed)
        var tally = MigrationTally()
        // How long it takes shows when to kill it.
        let whole = try await migrate(kind, after: nil)
        #expect(whole.isFinished)
        try await check(kind, whole.place, isFinished: true, &tally)
        tally = MigrationTally()
        let limit = UInt32(clamping: whole.microseconds * 5 / 4)
        for _ in 0..<Self.kills {
            let run = try await migrate(kind, after: .random(in: 0...limit, using: &random))
            try await check(kind, run.place, isFinished: run.isFinished, &tally)
        }
        print("\(kind.rawValue): \(tally); seed \(Effort.seed)")
        #expect(tally.old + tally.new == Self.kills)
    }

    /// Stores old records, and lets a program migrate them until it is killed.
    ///
    /// - Parameter delay: the microseconds before the kill; nil if it may end.
    private func migrate(
        _ kind: DurableStore, after delay: UInt32?
    ) async throws -> (place: CrashPlace, isFinished: Bool, microseconds: Int64) {
        let place = try CrashPlace(kind)
        let old = VersionedRepository<MigratedItems.Old>(
            RepositoryContext(store: kind.make(at: place.text), schema: try MigratedItems.old()))
        _ = try await old.createAll(MigratedItems.oldItems(Self.count))
        let marks = VersionedRepository<MigratedItems.Mark>(old.context)
        _ = try await marks.createAll(MigratedItems.oldMarks(Self.count))
        let arguments = ["migrate", kind.rawValue, place.text, "-"]
        return try await onOwnThread {
            let child = try ChildProcess(arguments)
            child.go()
            #expect(child.line() == "opening")
            let began = ContinuousClock.now
            if let delay {
                usleep(delay)
                child.end()
            }
            let isFinished = child.line() == "done"
            let time = (ContinuousClock.now - began).components
            child.end()
            return (
                place, isFinished,
                time.seconds * 1_000_000 + time.attoseconds / 1_000_000_000_000
            )
        }
    }

    /// Opens what is left with the old program, and then with the new one.
    private func check(
        _ kind: DurableStore, _ place: CrashPlace, isFinished: Bool, _ tally: inout MigrationTally
    ) async throws {
        if isFinished { tally.finished += 1 }
        let old = VersionedRepository<MigratedItems.Old>(
            RepositoryContext(store: kind.make(at: place.text), schema: try MigratedItems.old()))
        do {
            let items = try await old.fetch()
            #expect(items == MigratedItems.oldItems(Self.count))
            let marks = VersionedRepository<MigratedItems.Mark>(old.context)
            #expect(try await marks.fetch() == MigratedItems.oldMarks(Self.count))
            #expect(!isFinished, "What ended is kept.")
            tally.old += 1
        } catch let error as CRUDRepositoryError where error.code == .schemaMismatch {
            tally.new += 1
        }
        let new = VersionedRepository<MigratedItems.New>(
            RepositoryContext(
                store: kind.make(at: place.text), schema: try MigratedItems.new(),
                fullScans: .allow))
        #expect(try await new.fetch() == MigratedItems.newItems(Self.count))
        let marks = VersionedRepository<MigratedItems.NewMark>(new.context)
        #expect(try await marks.fetch() == MigratedItems.newMarks(Self.count))
        let texts = VersionedRepository<MigratedItems.Text>(new.context)
        #expect(try await texts.fetch() == MigratedItems.texts(Self.count))
        let found = try await new.find(index: 0, [.text("title 3")])
        #expect(found.count == (0..<Self.count).count { $0 % 9 == 3 })
        _ = try await new.create(
            .init("new", .text("title 3"), .decimal(1), .text("created")))
    }
}
