import Foundation
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

@Suite("Every file operation of every call that can fail")
struct StoreFailureTests {
    private typealias Fault = FailingFileOperations.Fault
    private static let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"

    private func library(
        _ folder: TemporaryFolder, _ operations: FailingFileOperations = FailingFileOperations()
    ) -> Conformance {
        let driver = FileDriver(
            root: folder.url, formatExtension: "json", providesStamps: true, operations: operations)
        return StoreScenario.library(
            FileSystemStore(driver, transformer: JSONDataTransformer()))
    }

    private func copy(_ folder: TemporaryFolder) throws -> TemporaryFolder {
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(at: folder.url, to: copy.url)
        return copy
    }

    /// The records as a program sees them that starts afterwards.
    private func records(_ folder: TemporaryFolder) async throws -> StoreSnapshot {
        let records = try await StoreSnapshot(library(folder))
        #expect(records.indexesAgree)
        return records
    }

    /// What a scenario starts from, and what it leaves.
    private func states(
        of scenario: StoreScenario
    ) async throws -> (folder: TemporaryFolder, before: StoreSnapshot, after: StoreSnapshot) {
        let folder = TemporaryFolder()
        try await StoreScenario.prepare(library(folder))
        let before = try await records(folder)
        let other = try copy(folder)
        try await scenario.run(library(other))
        let after = try await records(other)
        #expect(before != after)
        return (folder, before, after)
    }

    @Test("Once: an error and the state before, or success", arguments: StoreScenario.all)
    func once(_ scenario: StoreScenario) async throws {
        let (prepared, before, after) = try await states(of: scenario)
        var (operationCount, failures) = (0, 0)
        for fault in Self.isLong ? Fault.allCases : [.shortWrite] {
            // Every third operation, with `REPOSITORY_LONG=1` each.
            for number in stride(from: 1, to: Int.max, by: Self.isLong ? 1 : 3) {
                let folder = try copy(prepared)
                let operations = FailingFileOperations(fault: fault)
                let library = library(folder, operations)
                // Its indexes are in memory from here on, and must not run ahead of the disk.
                _ = try await StoreSnapshot(library)
                try await library.settle()
                operations.arm(failing: number)
                var failure: CRUDRepositoryError?
                do { try await scenario.run(library) } catch let error as CRUDRepositoryError {
                    failure = error
                }
                guard operations.hasFailed else { break }
                operationCount += 1
                let expected = failure == nil ? after : before
                let (here, there) = try await (StoreSnapshot(library), records(folder))
                #expect(there == expected, "\(fault) \(number): \(String(describing: failure))")
                #expect(here == expected, "\(fault) \(number): \(String(describing: failure))")
                guard let failure else { continue }
                failures += 1
                #expect(failure.code == fault.storeCode)
                try await scenario.run(library)
                #expect(try await records(folder) == after, "\(fault) \(number) again")
            }
        }
        #expect(failures > (Self.isLong ? 5 : 1))
        print(
            "store, \(scenario.testDescription): \(operationCount) failing operations, "
                + "\(failures) reported")
    }

    @Test("For ever: all or nothing, and the error says which", arguments: StoreScenario.all)
    func forEver(_ scenario: StoreScenario) async throws {
        let (prepared, before, after) = try await states(of: scenario)
        var (operationCount, unknown) = (0, 0)
        for fault in Self.isLong ? Fault.allCases : [.broken] {
            // Every third operation, with `REPOSITORY_LONG=1` each. `once` looks at others.
            for number in stride(from: 2, to: Int.max, by: Self.isLong ? 1 : 3) {
                let folder = try copy(prepared)
                let operations = FailingFileOperations(fault: fault, forEver: true)
                let library = library(folder, operations)
                _ = try await StoreSnapshot(library)
                try await library.settle()
                operations.arm(failing: number)
                var failure: CRUDRepositoryError?
                do { try await scenario.run(library) } catch let error as CRUDRepositoryError {
                    failure = error
                }
                guard operations.hasFailed else { break }
                operationCount += 1
                let found = try await records(folder)
                switch failure?.code {
                case nil: #expect(found == after, "\(fault) \(number)")
                case .outcomeUnknown:
                    unknown += 1
                    #expect(found == before || found == after, "\(fault) \(number)")
                default: #expect(found == before, "\(fault) \(number): \(failure as Any)")
                }
                // The trouble has passed, and the program goes on with the store it has.
                operations.arm(failing: 0)
                #expect(try await StoreSnapshot(library) == found, "\(fault) \(number)")
                if found == before {
                    try await scenario.run(library)
                    #expect(try await records(folder) == after, "\(fault) \(number) again")
                }
            }
        }
        print(
            "store, \(scenario.testDescription): \(operationCount) failing for good, "
                + "\(unknown) with unknown outcome")
    }

    @Test("Opening a new store, once and for ever", arguments: [false, true])
    func opening(forEver: Bool) async throws {
        var failures = 0
        for number in 1... {
            let folder = TemporaryFolder()
            let operations = FailingFileOperations(failing: number, forEver: forEver)
            let failing = library(folder, operations)
            var hasOpened = true
            do { try await failing.open() } catch let error as CRUDRepositoryError {
                hasOpened = false
                failures += 1
                #expect(error.code == .databaseError)
            }
            guard operations.hasFailed else { break }
            if forEver { operations.arm(failing: 0) }
            if !hasOpened { try await failing.open() }
            try await failing.notes.create(Note(id: "a", text: "a"))
            #expect(try await library(folder).notes.read("a").text == "a")
        }
        #expect(failures > (Self.isLong ? 5 : 1))
    }

    @Test("Renaming a table while opening, once and for ever", arguments: [false, true])
    func renaming(forEver: Bool) async throws {
        func things<S: Shape>(
            _ shape: S.Type, _ folder: TemporaryFolder, _ operations: FailingFileOperations
        ) -> ShapedRepository<S> {
            ShapedRepository(
                RepositoryContext(
                    store: library(folder, operations).context.store,
                    schema: StoreSchema("Changing", [Shaped<S>.self])))
        }
        let prepared = TemporaryFolder()
        let old = things(Shapes.First.self, prepared, FailingFileOperations())
        try await old.createAll((0..<3).map { Shaped("\($0)", .text("a"), .integer($0)) })
        var failures = 0
        for number in 1... {
            let folder = try copy(prepared)
            let operations = FailingFileOperations(failing: number, forEver: forEver)
            let failing = things(Shapes.Moved.self, folder, operations)
            var count: Int?
            do { count = try await failing.count() } catch let error as CRUDRepositoryError {
                failures += 1
                #expect(error.code == .databaseError)
            }
            guard operations.hasFailed else { break }
            if let count { #expect(count == 3) }
            operations.arm(failing: 0)
            #expect(try await failing.count() == 3, "\(number)")
            let other = things(Shapes.Moved.self, folder, FailingFileOperations())
            #expect(try await other.fetch().map(\.values) == old.fetch().map(\.values))
        }
        #expect(failures > (Self.isLong ? 5 : 1))
    }

    @Test("Rewriting records while opening, once and for ever", arguments: [false, true])
    func rewriting(forEver: Bool) async throws {
        typealias First = PartedShape<NameParts.First, CountParts.None, IndexParts.None>
        typealias Second = PartedShape<NameParts.Renamed, CountParts.One, IndexParts.None>
        typealias Third = PartedShape<NameParts.Reused, CountParts.Five, IndexParts.Size>
        func things<S: Shape>(
            _ shape: S.Type, _ folder: TemporaryFolder, _ operations: FailingFileOperations
        ) -> ShapedRepository<S> {
            ShapedRepository(
                RepositoryContext(
                    store: library(folder, operations).context.store,
                    schema: StoreSchema("Changing", [Shaped<S>.self])))
        }
        let prepared = TemporaryFolder()
        try await things(First.self, prepared, FailingFileOperations())
            .create(Shaped("1", .integer(1), .text("one")))
        try await things(Second.self, prepared, FailingFileOperations())
            .create(Shaped("2", .integer(2), .text("two"), .integer(9)))
        let expected: [Shaped<Third>] = [
            Shaped("1", .integer(1), .text("one"), .null, .integer(1)),
            Shaped("2", .integer(2), .text("two"), .null, .integer(9)),
        ]
        var failures = 0
        for number in 1... {
            let folder = try copy(prepared)
            let operations = FailingFileOperations(failing: number, forEver: forEver)
            let failing = things(Third.self, folder, operations)
            do { _ = try await failing.count() } catch let error as CRUDRepositoryError {
                failures += 1
                #expect([.databaseError, .outcomeUnknown].contains(error.code), "\(error)")
            }
            guard operations.hasFailed else { break }
            operations.arm(failing: 0)
            // Another program of the same schema goes on where this one ended.
            let other = things(Third.self, folder, FailingFileOperations())
            #expect(try await other.fetch() == expected, "\(number)")
            #expect(try await failing.fetch() == expected, "\(number)")
        }
        #expect(failures > (Self.isLong ? 5 : 1))
    }

    @Test("A reset that fails leaves no more than there was, and can be done again")
    func resetting() async throws {
        let prepared = TemporaryFolder()
        try await StoreScenario.prepare(library(prepared))
        for forEver in [false, true] {
            var failures = 0
            for number in 1... {
                let folder = try copy(prepared)
                let operations = FailingFileOperations(forEver: forEver)
                let failing = library(folder, operations)
                try await failing.open()
                operations.arm(failing: number)
                var hasReset = true
                do { try await failing.reset() } catch let error as CRUDRepositoryError {
                    hasReset = false
                    failures += 1
                    #expect(error.code == .databaseError)
                }
                guard operations.hasFailed else { break }
                operations.arm(failing: 0)
                if !hasReset { try await failing.reset() }
                #expect(try await library(folder).notes.count() == 0)
                #expect(try await failing.halls.count() == 0)
            }
            #expect(failures > (Self.isLong ? 5 : 1))
        }
    }
}
