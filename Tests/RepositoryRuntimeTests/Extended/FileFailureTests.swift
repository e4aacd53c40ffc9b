import Foundation
import Testing

@testable import RepositoryRuntime

/// A write whose every file operation is made to fail in turn.
struct FileScenario: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let changes: [DocumentChange]

    static let longID = String(repeating: "long", count: 100)

    static let all: [FileScenario] = [
        FileScenario(testDescription: "create", changes: [change("new", "created", .absent)]),
        FileScenario(testDescription: "create long", changes: [change(longID, "created", .absent)]),
        FileScenario(testDescription: "update", changes: [change("a", "changed", .present)]),
        FileScenario(testDescription: "delete", changes: [change("a", nil, .present)]),
        FileScenario(
            testDescription: "batch",
            changes: [
                change("a", "changed"), change("b", nil), change("new", "created"),
                change(longID, "created"), change("C", nil), change("other", "x", in: "others"),
            ]),
    ]

    private static func change(
        _ key: String, _ text: String?, _ condition: DocumentChange.Condition = .none,
        in collection: String = "things"
    ) -> DocumentChange {
        DocumentChange(
            key, in: collection, data: text.map { Data($0.utf8) }, when: condition)
    }

    /// What every test starts from.
    static let before: [String: String] = ["a": "one", "b": "two", "C": "three"]

    /// What is there when the changes have been made.
    var after: [String: String] {
        changes.reduce(into: Self.before) { records, change in
            records[change.key] = change.data.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    func run(_ driver: FileDriver) throws {
        try driver.withLock {
            if changes.count > 1 { return try driver.applyAll(changes) }
            #expect(try driver.apply(changes[0]))
        }
    }
}

@Suite("Every file operation that can fail")
struct FileFailureTests {
    private func driver(_ folder: TemporaryFolder, _ operations: any FileOperations) -> FileDriver {
        FileDriver(
            root: folder.url, formatExtension: "txt", providesStamps: true, operations: operations)
    }

    /// A folder with records, one of them written by hand.
    private func prepared() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        let good = driver(folder, POSIXFileOperations())
        try good.withLock {
            try good.applyAll(
                ["a", "b"].map {
                    DocumentChange(
                        $0, in: "things", data: Data((FileScenario.before[$0] ?? "").utf8))
                })
        }
        try folder.write("three", to: "things/item_C.txt")
        return folder
    }

    /// All records, as a program sees them that starts afterwards.
    private func records(_ folder: TemporaryFolder) throws -> [String: String] {
        let good = driver(folder, POSIXFileOperations())
        try good.withLock {}
        let leftOver = folder.names(".repository").filter {
            $0.hasPrefix("tmp-") || $0 == "intent"
        }
        #expect(leftOver == [])
        var records: [String: String] = [:]
        for collection in ["things", "others"] {
            for key in try good.keys(in: collection) {
                records[key] = try good.get(key, in: collection).map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
        }
        return records
    }

    private func operationCount(_ scenario: FileScenario) throws -> Int {
        let folder = try prepared()
        let operations = FailingFileOperations()
        try scenario.run(driver(folder, operations))
        #expect(try records(folder) == scenario.after)
        return operations.operationCount
    }

    @Test("Once: an error and the state before, or success", arguments: FileScenario.all)
    func once(_ scenario: FileScenario) throws {
        let count = try operationCount(scenario)
        var failures = 0
        for fault in FailingFileOperations.Fault.allCases {
            for number in 1...count {
                let folder = try prepared()
                let operations = FailingFileOperations(failing: number, fault: fault)
                let failing = driver(folder, operations)
                do {
                    try scenario.run(failing)
                    #expect(try records(folder) == scenario.after, "\(fault) \(number)")
                } catch {
                    failures += 1
                    #expect((error as? CRUDRepositoryError)?.code == fault.storeCode)
                    #expect(try records(folder) == FileScenario.before, "\(fault) \(number)")
                    // The same driver works on when the trouble has passed.
                    try scenario.run(failing)
                    #expect(try records(folder) == scenario.after, "\(fault) \(number)")
                }
            }
        }
        #expect(failures > count)
        print("\(scenario.testDescription): \(count) operations, \(failures) reported failures")
    }

    @Test("For ever, as when the program dies: all or nothing", arguments: FileScenario.all)
    func forEver(_ scenario: FileScenario) throws {
        let count = try operationCount(scenario)
        for fault in FailingFileOperations.Fault.allCases {
            for number in 1...count {
                let folder = try prepared()
                let operations = FailingFileOperations(
                    failing: number, fault: fault, forEver: true)
                let failing = driver(folder, operations)
                var failure: (any Error)?
                do { try scenario.run(failing) } catch { failure = error }
                let records = try records(folder)
                let isWhole = records == scenario.after || records == FileScenario.before
                #expect(isWhole, "\(fault) \(number): \(records)")
                if failure == nil { #expect(records == scenario.after) }
                if let failure, (failure as? CRUDRepositoryError)?.code != .outcomeUnknown {
                    #expect(records == FileScenario.before, "\(fault) \(number): \(failure)")
                }
            }
        }
    }
}
