import Foundation
import RepositoryTesting
import Synchronization
import Testing

@testable import RepositoryRuntime

@Suite("The calls to the system that a record costs")
struct FileCallTests {
    private let operations = CountingFileOperations()
    private let folder = TemporaryFolder()

    private func library() -> Conformance {
        Conformance(
            FileSystemStore(
                FileDriver(
                    root: folder.url, formatExtension: "json", providesStamps: true,
                    operations: operations),
                transformer: JSONDataTransformer()))
    }

    /// The calls of a body, in order, with those that a write makes when it has answered.
    private func calls(
        of library: Conformance, _ body: () async throws -> Void
    ) async throws -> [String] {
        try await library.settle()
        _ = operations.taken()
        try await body()
        try await library.settle()
        return operations.taken()
    }

    /// Takes the lock of all processes, and looks for a batch that one of them left half done.
    private static let lock = ["flock", "lstat", "lstat", "pwrite", "open"]
    /// Closes the folder of the records.
    private static let unlock = ["close", "flock"]
    /// Counts a write for those who keep what they have read.
    private static let begin = ["open", "read", "pwrite"]
    private static let end = ["pwrite", "close"]
    private static let durableFile = ["open", "write", "fsync", "close"]
    /// The folder is open.
    private static let durableNames = ["fsync"]
    private static let list = ["open", "list"]
    /// The count of the writes and the time of the folder.
    private static let stamp = ["open", "read", "close", "lstat"]

    @Test("Single records")
    func records() async throws {
        let library = library()
        try await library.counters.create(Counter(number: 1, label: "x"))

        let create = try await calls(of: library) {
            try await library.counters.create(Counter(number: 2, label: "x"))
        }
        // The note of the schema is compared with the one that the store was opened with. Then the
        // folder is opened, and the store and the driver each look for the record.
        let found = ["lstat", "open", "lstat", "lstat"]
        let head = Self.lock + found
        // For a record that is absent, both look for a placeholder, too.
        let absent = Self.lock + found + ["lstat", "lstat"]
        let tail = Self.end + Self.unlock
        let make = Self.begin + ["link"] + Self.durableNames + ["unlink"]
        #expect(create == absent + Self.durableFile + make + tail)

        let read = try await calls(of: library) { _ = try await library.counters.read(2) }
        #expect(read == ["openat2", "preadv2", "close"])

        let update = try await calls(of: library) {
            try await library.counters.update(Counter(number: 2, label: "x"))
        }
        // The old record keeps a name until the new one is on the disk, for the case that it does
        // not come there. Its space is given back when the answer is there, by closing it.
        let remove = ["open", "unlink"]
        let replace = Self.begin + ["link", "rename"] + Self.durableNames + remove
        #expect(update == head + Self.durableFile + replace + tail + ["close"])

        let exists = try await calls(of: library) { _ = try await library.counters.exists(2) }
        #expect(exists == ["openat2", "close"])

        let delete = try await calls(of: library) { try await library.counters.delete(2) }
        let take = Self.begin + ["rename"] + Self.durableNames + remove
        #expect(delete == head + take + tail + ["close"])
    }

    @Test("The lock of a file that another one has replaced meanwhile is not taken for the lock")
    func replacedLock() async throws {
        let library = library()
        try await library.counters.create(Counter(number: 1, label: "x"))
        let lock = folder.path(".repository/lock")
        operations.beforeLock.withLock {
            $0 = {
                unlink(lock)
                close(open(lock, O_CREAT | O_RDWR, 0o644))
            }
        }
        let calls = try await calls(of: library) {
            try await library.counters.create(Counter(number: 2, label: "x"))
        }
        let isOther = ["flock", "lstat", "lstat"] + ["close", "close", "close"]
        let reopen = ["open", "open", "open", "fstat", "fstat"]
        let expected = isOther + reopen + Self.lock
        #expect(Array(calls.prefix(expected.count)) == expected)
    }

    @Test("Single records where the system does not say what it has in memory")
    func waitingReads() async throws {
        let library = library()
        operations.memory.withLock { $0 = .isUnknown }
        try await library.counters.create(Counter(number: 1, label: "x"))
        let read = try await calls(of: library) { _ = try await library.counters.read(1) }
        #expect(read == ["open", "read", "close"])
        let exists = try await calls(of: library) { _ = try await library.counters.exists(1) }
        #expect(exists == ["open", "lstat", "close"])
    }

    @Test("Lists, and a page for which the names are known")
    func lists() async throws {
        let library = library()
        try await library.counters.createAll(
            (0..<600).map { Counter(number: .init($0), label: "x") })
        let count = try await calls(of: library) { _ = try await library.counters.count() }
        #expect(count == Self.stamp + Self.list + Self.stamp)
        var stream = library.counters.stream(.all).makeAsyncIterator()
        let one = ["openat2", "preadv2", "close"]
        let page = Array(repeating: one, count: 256).flatMap(\.self) + Self.stamp
        let first = try await calls(of: library) { _ = try await stream.next() }
        #expect(first == Self.stamp + Self.list + Self.stamp + page)
        for _ in 1..<256 { _ = try await stream.next() }
        let second = try await calls(of: library) { _ = try await stream.next() }
        #expect(second == Self.stamp + page)
    }

    @Test("A batch forces the folder to the disk once")
    func batch() async throws {
        let library = library()
        try await library.counters.create(Counter(number: 1, label: "x"))
        let calls = try await calls(of: library) {
            try await library.counters.createAll(
                (2..<102).map { Counter(number: .init($0), label: "x") })
        }
        let counts = Dictionary(calls.map { ($0, 1) }, uniquingKeysWith: +)
        // Each record, and what says how the batch is undone, which is written and taken away.
        #expect(counts["fsync"] == 100 + 1 + 1 + 1 + 1)
        #expect(counts["write"] == 100 + 1)
        #expect(counts["link"] == 100)
        // The lock of all processes is taken and released, that of batches is closed.
        #expect(counts["flock"] == 3)
    }
}
