import Foundation
import Synchronization
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// What programs see of user defaults whose records are rewritten in place.
@Suite("The control of rewriting in place", .timeLimit(.minutes(60)))
struct RewritingControlTests {
    private typealias Old = VersionedRecord<Renamed>
    private typealias New = VersionedRecord<Reused>

    /// The field `note` under another name, which documents do not have yet.
    private enum Renamed: VersionShape {
        static let table = make("things") { table in
            table.field("title", .text, renamedFrom: ["note"])
        }
    }

    /// A new field with the earlier name: all documents are rewritten.
    private enum Reused: VersionShape {
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
            (0..<40).map { .init("\($0)", .text("note \($0)")) })
        #expect(try await things(Renamed.self, suite).count() == 40)
    }

    @Test func progressCountsRecords() async throws {
        let suite = TemporarySuite()
        try await fill(suite)
        let new = things(Reused.self, suite)
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
        let old = things(Renamed.self, suite)
        #expect(try await old.count() == 40)
        let isInside = SharedFlag()
        let mayGoOn = SharedFlag()
        var control = MigrationControl()
        control.progress = { _ in
            isInside.set()
            while !mayGoOn.isSet { usleep(1000) }
        }
        let new = things(Reused.self, suite)
        let task = Task { [control] in try await new.context.migrate(control) }
        Task {
            // If it ends early, the test must not wait for it.
            _ = try? await task.value
            isInside.set()
        }
        while !isInside.isSet { try await Task.sleep(for: .milliseconds(1)) }
        var error = await #expect(throws: CRUDRepositoryError.self) {
            try await old.create(Old("z", .text("Z")))
        }
        #expect(error?.code == .migrating && error?.isRetryable == true)
        mayGoOn.set()
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
        let new = things(Reused.self, suite)
        let task = Task { [control] in try await new.context.migrate(control) }
        running.withLock { $0 = task }
        await #expect(throws: CancellationError.self) { try await task.value }
        // The old program goes on.
        let old = things(Renamed.self, suite)
        try await old.create(Old("z", .text("Z")))
        #expect(try await old.read(.init("7")) == Old("7", .text("note 7")))
        #expect(try await new.count() == 41)
    }
}

/// A flag that several threads use.
private final class SharedFlag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}
