import Foundation
import RepositoryTesting
import Synchronization
import Testing

@testable import RepositoryRuntime

/// Holds the file operations that may wait for a disk or for another process, until it is opened.
private final class Gate: Sendable {
    private let condition = NSCondition()
    private let isOpen = Mutex(false)
    /// How many operations have come to it.
    let arrivals = Mutex(0)
    /// Whether it was opened because nothing else could have ended the test.
    let gaveUp = Mutex(false)

    func pass() {
        arrivals.withLock { $0 += 1 }
        condition.lock()
        defer { condition.unlock() }
        let limit = Date.now.addingTimeInterval(600)
        while !isOpen.withLock({ $0 }) {
            if condition.wait(until: limit) { continue }
            gaveUp.withLock { $0 = true }
            isOpen.withLock { $0 = true }
            condition.broadcast()
        }
    }

    func open() {
        condition.lock()
        isOpen.withLock { $0 = true }
        condition.broadcast()
        condition.unlock()
    }
}

/// The operations of the system, all of which are held up by a gate except those that never wait.
private struct SlowFileOperations: FileOperations {
    let system = POSIXFileOperations()
    let gate: Gate
    /// Whether the system may have files in memory.
    var inMemory = true

    func open(_ name: FileName, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        gate.pass()
        return try system.open(name, mode)
    }

    func openPlain(_ name: FileName, _ mode: FileOpenMode) throws(FileFailure) -> Int32 {
        gate.pass()
        return try system.openPlain(name, mode)
    }

    func read(_ file: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer)
        throws(FileFailure) -> Int
    {
        gate.pass()
        return try system.read(file, path, into: buffer)
    }

    func write(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer)
        throws(FileFailure) -> Int
    {
        gate.pass()
        return try system.write(file, path, bytes)
    }

    func overwrite(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer)
        throws(FileFailure) -> Int
    {
        gate.pass()
        return try system.overwrite(file, path, bytes)
    }

    func read(
        _ file: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(FileFailure) -> Int {
        gate.pass()
        return try system.read(file, path, into: buffer, at: offset)
    }

    func write(_ file: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer, at offset: UInt64)
        throws(FileFailure) -> Int
    {
        gate.pass()
        return try system.write(file, path, bytes, at: offset)
    }

    func synchronize(_ file: Int32, _ path: String) throws(FileFailure) {
        gate.pass()
        try system.synchronize(file, path)
    }

    func close(_ file: Int32, _ path: String) throws(FileFailure) {
        try system.close(file, path)
    }

    func lock(_ file: Int32, _ path: String) throws(FileFailure) {
        gate.pass()
        try system.lock(file, path)
    }

    func tryLock(_ file: Int32, _ path: String) throws(FileFailure) -> Bool {
        gate.pass()
        return try system.tryLock(file, path)
    }

    func unlock(_ file: Int32, _ path: String) throws(FileFailure) {
        try system.unlock(file, path)
    }

    func rename(_ name: FileName, to other: FileName) throws(FileFailure) {
        gate.pass()
        try system.rename(name, to: other)
    }

    func link(_ name: FileName, to other: FileName) throws(FileFailure) {
        gate.pass()
        try system.link(name, to: other)
    }

    func unlink(_ name: FileName) throws(FileFailure) {
        gate.pass()
        try system.unlink(name)
    }

    func makeFolder(_ name: FileName) throws(FileFailure) {
        gate.pass()
        try system.makeFolder(name)
    }

    func removeFolder(_ name: FileName) throws(FileFailure) {
        gate.pass()
        try system.removeFolder(name)
    }

    func visitNames(
        in folder: Int32, _ path: String, _ body: (String) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        gate.pass()
        try system.visitNames(in: folder, path, body)
    }

    func status(ofOpen file: Int32, _ path: String) throws(FileFailure) -> FileStatus {
        gate.pass()
        return try system.status(ofOpen: file, path)
    }

    func status(of name: FileName) throws(FileFailure) -> FileStatus? {
        gate.pass()
        return try system.status(of: name)
    }

    func readCached(
        _ path: UnsafePointer<CChar>, into buffer: UnsafeMutableRawBufferPointer
    ) -> CachedFile {
        inMemory ? system.readCached(path, into: buffer) : .unknown
    }

    func findCached(_ path: UnsafePointer<CChar>) -> CachedFile {
        inMemory ? system.findCached(path) : .unknown
    }
}

@Suite("Nothing that waits for a disk holds a thread of Swift's pool")
struct BlockingTests {
    /// Far more calls than the pool has threads.
    private static let callCount = 64

    /// Runs calls that all come to a closed gate, which is opened when a timer has ticked
    /// several times meanwhile.
    private func saturate(
        _ gate: Gate, _ call: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let ticks = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<Self.callCount {
                group.addTask { @concurrent in
                    try await call(number)
                    return 0
                }
            }
            group.addTask { @concurrent in
                var ticks = 0
                while gate.arrivals.withLock({ $0 == 0 }) {
                    try await Task.sleep(for: .milliseconds(1))
                }
                // Few, because each one waits for the threads that other tests use.
                while ticks < 20 {
                    try await Task.sleep(for: .milliseconds(1))
                    ticks += 1
                }
                gate.open()
                return ticks
            }
            return try await group.reduce(0, +)
        }
        #expect(ticks == 20)
        #expect(gate.arrivals.withLock { $0 } > 0)
        #expect(!gate.gaveUp.withLock { $0 }, "The timer did not tick while calls waited.")
    }

    @Test(
        "A timer ticks while 64 reads, writes and lists wait for the file system",
        arguments: [true, false])
    func store(inMemory: Bool) async throws {
        let folder = TemporaryFolder()
        func library(_ operations: any FileOperations) -> Conformance {
            let driver = FileDriver(
                root: folder.url, formatExtension: "json", providesStamps: true,
                operations: operations)
            return Conformance(FileSystemStore(driver, transformer: JSONDataTransformer()))
        }
        try await library(POSIXFileOperations()).notes.createAll(
            (0..<Self.callCount).map { Note(id: .init("\($0)"), text: "") })
        let gate = Gate()
        let slow = library(SlowFileOperations(gate: gate, inMemory: inMemory))
        try await saturate(gate) { number in
            switch number % 8 {
            case 0: try await slow.notes.create(Note(id: .init("new \(number)"), text: ""))
            case 1: try await slow.notes.update(Note(id: .init("\(number)"), text: "new"))
            case 2: try await slow.notes.delete(.init("\(number)"))
            case 3: _ = try await slow.notes.count()
            case 4: _ = try await slow.notes.findAll(rank: 0)
            case 5: #expect(try await slow.notes.read(.init("\(number)")).text == "")
            case 6: #expect(try await slow.notes.exists(.init("\(number)")))
            default:
                try await slow.notes.createAll(
                    (0..<4).map { Note(id: .init("new \(number) \($0)"), text: "") })
            }
        }
    }

    @Test("A timer ticks while 64 calls of the four methods wait for the file system")
    func repository() async throws {
        let gate = Gate()
        let folder = TemporaryFolder()
        let repository = FileSystemRepository(
            FileDriver(
                root: folder.url, formatExtension: "json", providesStamps: false,
                operations: SlowFileOperations(gate: gate)),
            dataTransformer: JSONDataTransformer())
        try await saturate(gate) { number in
            try await repository.create(id: "\(number)", item: number)
            try await repository.update(id: "\(number)", item: -number)
            let item: Int = try await repository.read(id: "\(number)")
            #expect(item == -number)
        }
    }

    @Test("A timer ticks while user defaults wait for the file system")
    func userDefaults() async throws {
        let gate = Gate()
        let suite = TemporarySuite()
        let domain = DefaultsDomain(
            suiteName: suite.name, operations: SlowFileOperations(gate: gate))
        let library = Conformance.plain(
            DocumentStore(
                UserDefaultsDriver(domain, providesStamps: true), transformer: JSONDataTransformer()
            ))
        try await saturate(gate) { number in
            try await library.notes.create(Note(id: .init("\(number)"), text: ""))
            _ = try await library.notes.read(.init("\(number)"))
        }
    }
}
