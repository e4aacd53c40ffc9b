import CrashLedger
import Foundation
import RepositoryTesting
import Testing

@testable import RepositoryRuntime

/// What this process sees of a store that another process migrates.
@Suite("Another process migrates")
struct MigratingProcessTests {
    private typealias OldItem = MigratedItems.OldItem
    private static let count = 20

    /// The stores that several processes may use at once.
    private static let stores = DurableStore.allCases.filter { kind in
        kind.make(at: "/nowhere").capabilities.has(.multipleProcesses)
    }

    private func items<S: VersionShape>(
        _ shape: S.Type, _ kind: DurableStore, _ place: CrashPlace, _ schema: StoreSchema
    ) -> VersionedRepository<S> {
        VersionedRepository(
            RepositoryContext(
                store: kind.make(at: place.text, busyTimeout: .milliseconds(50)), schema: schema,
                fullScans: .allow))
    }

    private func expectMigrating(_ body: () async throws -> Void) async {
        let error = await #expect(throws: CRUDRepositoryError.self) { try await body() }
        #expect(error?.code == .migrating, "\(String(describing: error))")
        #expect(error?.isRetryable == true)
    }

    @Test(
        "Others get 'migrating' meanwhile, and 'schemaMismatch' afterwards; none writes the old form",
        arguments: stores)
    func meanwhile(_ kind: DurableStore) async throws {
        let place = try CrashPlace(kind)
        let (first, second) = (try MigratedItems.old(), try MigratedItems.new())
        let old = items(MigratedItems.Old.self, kind, place, first)
        _ = try await old.createAll(MigratedItems.oldItems(Self.count))
        _ = try await VersionedRepository<MigratedItems.Mark>(old.context)
            .createAll(MigratedItems.oldMarks(Self.count))
        _ = try await VersionedRepository<MigratedItems.Tag>(old.context)
            .createAll(MigratedItems.oldTags(Self.count))

        let flag = FileManager.default.temporaryDirectory
            .appendingPathComponent("go-on-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: flag) }
        let arguments = ["migrate", kind.rawValue, place.text, "wait", flag.path]
        let child = try await onOwnThread {
            let child = try ChildProcess(arguments)
            child.go()
            #expect(child.line() == "opening")
            #expect(child.line() == "inside")
            return Shared(child)
        }
        // It waits in the first call of a function. This process has opened the old version.
        let record = OldItem("z", .text("Z"), .null, .integer(1))
        await expectMigrating { try await old.create(record) }
        await expectMigrating {
            _ = try await old.context.transaction { context in
                try await VersionedRepository<MigratedItems.Old>(context).create(record)
            }
        }
        #expect(try await old.fetch() == MigratedItems.oldItems(Self.count), "It reads.")
        // A program of the old version starts, one of the new version, and another migration.
        let started = items(MigratedItems.Old.self, kind, place, first)
        await expectMigrating { try await started.create(record) }
        let new = items(MigratedItems.New.self, kind, place, second)
        await expectMigrating { _ = try await new.count() }
        await expectMigrating { try await new.context.migrate(MigrationControl()) }
        let other = try await onOwnThread {
            let other = try ChildProcess(["migrate", kind.rawValue, place.text, "plain", "-"])
            other.go()
            #expect(other.line() == "opening")
            return Shared(other)
        }

        #expect(FileManager.default.createFile(atPath: flag.path, contents: nil))
        let lines = try await onOwnThread { [child.value.line(), other.value.line()] }
        #expect(lines == ["done", "done"])
        for program in [old, items(MigratedItems.Old.self, kind, place, first)] {
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await program.create(record)
            }
            #expect(error?.code == .schemaMismatch && error?.isRetryable == false)
        }
        // The program of the new version that had to wait goes on, without being started again.
        #expect(try await new.fetch() == MigratedItems.newItems(Self.count))
        let marks = VersionedRepository<MigratedItems.NewMark>(new.context)
        #expect(try await marks.fetch() == MigratedItems.newMarks(Self.count))
        let tags = VersionedRepository<MigratedItems.NewTag>(new.context)
        #expect(try await tags.fetch() == MigratedItems.newTags(Self.count))
        try await new.create(.init("z", .text("Z"), .decimal(1), .text("new")))
        #expect(try await new.count() == Self.count + 1)
    }
}

/// A child that one thread after the other uses.
private struct Shared: @unchecked Sendable {
    let value: ChildProcess
    init(_ value: ChildProcess) { self.value = value }
}
