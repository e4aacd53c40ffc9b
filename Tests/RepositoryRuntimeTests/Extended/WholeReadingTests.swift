import Foundation
import RepositoryTesting
import Testing

@testable import RepositoryRuntime

@Suite("Lists while others write batches of files")
struct WholeReadingTests {
    private let folder = TemporaryFolder()

    /// A driver as another process would have it.
    private func driver(
        _ operations: any FileOperations = POSIXFileOperations()
    ) -> FileDriver {
        FileDriver(
            root: folder.url, formatExtension: "json", providesStamps: true, operations: operations)
    }

    private func store() -> DocumentStore<FileDriver> {
        DocumentStore(driver(), transformer: JSONDataTransformer())
    }

    private func write(_ numbers: Range<Int>, with driver: FileDriver) throws {
        try driver.withLock {
            try driver.applyAll(
                numbers.map { DocumentChange("\($0)", in: "notes", data: Data("{}".utf8)) })
        }
    }

    /// Leaves the count of writes as a program does that is killed while it writes.
    private func leaveOdd() throws {
        let driver = driver()
        try FileCounter("notes", driver.layout, driver.read).begin().leave()
    }

    @Test("A read is made anew where somebody wrote meanwhile, at last without batches")
    func anew() throws {
        let store = store()
        for writes in 0...DocumentStore<FileDriver>.quietTries {
            var calls = 0
            let keys = try store.whole("notes") {
                calls += 1
                let before = try store.driver.keys(in: "notes")
                if calls <= writes {
                    let first = before.count
                    try write(first..<first + 3, with: driver())
                    // As if it had been listed in the middle of the batch.
                    return before + ["\(first)"]
                }
                return before
            }
            #expect(calls == writes + 1)
            #expect(try keys.count == driver().keys(in: "notes").count)
        }
    }

    @Test("A batch that a program left half done is not listed")
    func halfDone() throws {
        try write(0..<2, with: driver())
        var halves = 0
        for number in 1... {
            let operations = FailingFileOperations(failing: number, forEver: true)
            let dying = driver(operations)
            do {
                try write(10..<14, with: dying)
            } catch {
                #expect(error is CRUDRepositoryError)
            }
            if !operations.hasFailed { break }
            if ![2, 6].contains(try driver().keys(in: "notes").count) { halves += 1 }
            let store = store()
            let keys = try store.whole("notes") { try store.driver.keys(in: "notes") }
            #expect([2, 6].contains(keys.count), "operation \(number): \(keys.sorted())")
            let tidy = driver()
            try tidy.withLock {
                try tidy.applyAll(
                    (10..<14).map { DocumentChange("\($0)", in: "notes", data: nil) })
            }
        }
        #expect(halves > 0)
    }

    @Test("A list does not wait for an open transaction, also where a count was left odd")
    func transactions() async throws {
        let (mine, other) = (Conformance(store()), Conformance(store()))
        try await mine.notes.createAll((0..<3).map { Note(id: .init("\($0)"), text: "") })
        try await other.open()
        for isOdd in [false, true] {
            if isOdd { try leaveOdd() }
            for writer in [mine, other] {
                try await writer.transaction { library in
                    try await library.notes.create(Note(id: "new", text: ""))
                    // Not of the transaction.
                    let counts = Task.detached {
                        let fetched = try await mine.notes.fetch().count
                        let found = try await mine.notes.findAll(rank: 0).count
                        return try await [
                            mine.notes.count(), mine.notes.ids().count, fetched, found,
                        ]
                    }
                    #expect(try await counts.value == [3, 3, 3, 3])
                    try await library.notes.delete("new")
                }
            }
        }
    }

    @Test("A transaction lists what others wrote since the one before")
    func laterTransactions() async throws {
        let (mine, other) = (Conformance(store()), Conformance(store()))
        for number in 0..<3 {
            try await other.notes.create(Note(id: .init("\(number)"), text: ""))
            let seen = try await mine.transaction { library in
                try await library.notes.fetch().count
            }
            #expect(seen == number + 1)
        }
    }

    @Test("Lists make a count even that a program left odd")
    func settled() async throws {
        let library = Conformance(store())
        try await library.notes.create(Note(id: "a", text: ""))
        try leaveOdd()
        #expect(try driver().generation(of: "notes") == nil)
        // A program that is just being started elsewhere may hold a copy of the lock for a moment.
        for _ in 0..<100_000 where try driver().generation(of: "notes") == nil {
            #expect(try await library.notes.count() == 1)
        }
        #expect(try driver().generation(of: "notes") != nil)
    }
}
