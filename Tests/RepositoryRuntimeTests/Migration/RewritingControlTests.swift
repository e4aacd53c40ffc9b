import Foundation
import Synchronization
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// What programs see of user defaults whose records are rewritten in place.
@Suite("The control of rewriting in place", .timeLimit(.minutes(30)))
struct RewritingControlTests {
    private typealias Old = VersionedRecord<ThingVersions.Noted>
    private typealias New = VersionedRecord<Renamed>

    /// The field `note` under another name, and a new field with its name.
    private enum Renamed: VersionShape {
        static let table = make("things") { table in
            table.field("title", .text, renamedFrom: ["note"])
            table.field("note", .text, optional: true)
        }
    }

    private func things<S: VersionShape>(
        _ shape: S.Type, _ suite: TemporarySuite
    ) -> VersionedRepository<S> {
        VersionedRepository(
            RepositoryContext(
                store: UserDefaultsStore(suiteName: suite.name, busyTimeout: .milliseconds(50)),
                schema: StoreSchema("Things", [VersionedRecord<S>.self]), fullScans: .allow))
    }

    private func fill(_ suite: TemporarySuite) async throws {
        try await things(ThingVersions.Noted.self, suite).createAll(
            (0..<40).map { Old("\($0)", .text("note \($0)")) })
    }

    @Test func progressCountsRecords() async throws {
        let suite = TemporarySuite()
        try await fill(suite)
        let new = things(Renamed.self, suite)
        var progress: [MigrationProgress] = []
        for try await next in MigrationRun(new.context, MigrationControl()) {
            progress.append(next)
        }
        #expect(progress.count > 10)
        #expect(progress.allSatisfy { $0.table == "things" && $0.total == 40 })
        #expect(progress.last?.done == 40)
        #expect(try await new.read(.init("7")) == New("7", .text("note 7"), .null))
    }

    @Test func othersGetMigratingMeanwhile() async throws {
        let suite = TemporarySuite()
        try await fill(suite)
        let old = things(ThingVersions.Noted.self, suite)
        #expect(try await old.count() == 40)
        let isInside = Atomic(false)
        let mayGoOn = Atomic(false)
        var control = MigrationControl()
        control.progress = { _ in
            isInside.store(true, ordering: .releasing)
            while !mayGoOn.load(ordering: .acquiring) { usleep(1000) }
        }
        let new = things(Renamed.self, suite)
        let task = Task { [control] in try await new.context.migrate(control) }
        while !isInside.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(1)) }
        var error = await #expect(throws: CRUDRepositoryError.self) {
            try await old.create(Old("z", .text("Z")))
        }
        #expect(error?.code == .migrating && error?.isRetryable == true)
        mayGoOn.store(true, ordering: .releasing)
        try await task.value
        error = await #expect(throws: CRUDRepositoryError.self) {
            try await old.create(Old("z", .text("Z")))
        }
        #expect(error?.code == .schemaMismatch)
        #expect(try await new.count() == 40)
    }

    @Test func cancellationLeavesTheOldData() async throws {
        let suite = TemporarySuite()
        try await fill(suite)
        let running = Mutex<Task<Void, any Error>?>(nil)
        var control = MigrationControl()
        control.progress = { progress in
            while running.withLock({ $0 == nil }) { usleep(1000) }
            if progress.done == 20 { running.withLock { $0?.cancel() } }
        }
        let new = things(Renamed.self, suite)
        let task = Task { [control] in try await new.context.migrate(control) }
        running.withLock { $0 = task }
        await #expect(throws: CancellationError.self) { try await task.value }
        // The old program goes on.
        let old = things(ThingVersions.Noted.self, suite)
        try await old.create(Old("z", .text("Z")))
        #expect(try await old.read(.init("7")) == Old("7", .text("note 7")))
        #expect(try await new.count() == 41)
    }
}
