import Foundation
import Synchronization
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

@Suite("Waiting for the lock of a store of files")
struct LockTests {
    private let folder = TemporaryFolder()

    private func library(_ busyTimeout: Duration = .milliseconds(200)) -> Conformance {
        Conformance(
            FileSystemStore(
                directory: folder.url, transformer: JSONDataTransformer(),
                busyTimeout: busyTimeout))
    }

    /// Runs a body while another store holds the lock in a transaction.
    ///
    /// - Parameter after: the texts that the record may have once the transaction has ended.
    private func whileHeld(
        after: Set<String> = ["held"], _ body: () async throws -> Void
    ) async throws {
        let other = library()
        try await other.notes.save(Note(id: "a", text: "old"))
        try await other.transaction { held in
            try await held.notes.update(Note(id: "a", text: "held"))
            try await body()
        }
        #expect(after.contains(try await other.notes.read("a").text))
    }

    /// Checks the error of a write that waited for this program.
    private func expectBusy(_ body: () async throws -> Void) async {
        let error = await #expect(throws: CRUDRepositoryError.self) { try await body() }
        #expect(error?.code == .databaseError && error?.isRetryable == true)
        let message = error?.message ?? ""
        #expect(message.contains("'.repository/lock'"), "\(message)")
        #expect(message.contains("process \(getpid()) ('"), "\(message)")
    }

    @Test("The same task through a second store gets an error that names the holder")
    func sameTask() async throws {
        let mine = library()
        try await mine.open()
        try await whileHeld {
            let began = ContinuousClock.now
            await expectBusy { try await mine.notes.create(Note(id: "b", text: "")) }
            await expectBusy { _ = try await mine.notes.saveAll([Note(id: "b", text: "")]) }
            await expectBusy { try await mine.notes.delete("a") }
            await expectBusy { try await mine.transaction { try await $0.notes.delete("a") } }
            let took = ContinuousClock.now - began
            #expect(took >= .milliseconds(800))
            let text = try await mine.notes.read("a").text
            #expect(text == "old")
        }
        try await mine.notes.create(Note(id: "b", text: ""))
        #expect(try await mine.notes.ids() == ["a", "b"])
    }

    @Test("No time at all is one try")
    func noTime() async throws {
        let mine = library(.zero)
        try await mine.open()
        try await whileHeld {
            await expectBusy { try await mine.notes.create(Note(id: "b", text: "")) }
        }
        // A process that another test is starting has the descriptor of the lock until its own
        // program runs, so that one try may be too few.
        var isCreated = false
        for _ in 0..<10_000 where !isCreated {
            do {
                try await mine.notes.create(Note(id: "b", text: ""))
                isCreated = true
            } catch let error as CRUDRepositoryError where error.code == .databaseError {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        #expect(isCreated)
    }

    @Test("A repository of opaque items waits no longer either")
    func repository() async throws {
        let mine = FileSystemRepository(
            directoryURL: folder.url, dataTransformer: JSONDataTransformer(),
            busyTimeout: .milliseconds(100))
        try await whileHeld {
            await expectBusy { try await mine.create(id: "b", item: 1) }
        }
        try await mine.create(id: "b", item: 1)
    }

    #if os(Linux)
        @Test("User defaults wait no longer either")
        func userDefaults() async throws {
            let suite = TemporarySuite()
            let mine = Conformance.plain(
                UserDefaultsStore(suiteName: suite.name, busyTimeout: .milliseconds(100)))
            let other = Conformance.plain(UserDefaultsStore(suiteName: suite.name))
            try await mine.notes.create(Note(id: "a", text: ""))
            try await other.transaction { held in
                try await held.notes.delete("a")
                await expectBusy { try await mine.notes.create(Note(id: "b", text: "")) }
            }
            try await mine.notes.create(Note(id: "b", text: ""))
            #expect(try await mine.notes.ids() == ["b"])
        }
    #endif

    @Test("Writes and transactions that wait can be cancelled, and never happen")
    func cancelled() async throws {
        let mine = library(.seconds(3_600))
        try await mine.open()
        try await whileHeld {
            // The first waits for the lock, the others for the first; the transactions wait for
            // each other.
            let writes = (0..<4).map { number in
                Task { try await mine.notes.create(Note(id: .init("\(number)"), text: "")) }
            }
            let others = library(.seconds(3_600))
            let transactions = (0..<2).map { number in
                Task {
                    try await others.transaction {
                        try await $0.notes.create(Note(id: .init("t\(number)"), text: ""))
                    }
                }
            }
            try await Task.sleep(for: .milliseconds(50))
            for task in writes + transactions {
                task.cancel()
                let error = await #expect(throws: (any Error).self) { try await task.value }
                #expect(error is CancellationError, "\(String(describing: error))")
            }
        }
        #expect(try await mine.notes.ids() == ["a"])
        // Neither the lock nor the thread of writes is lost to those that gave up.
        for number in 0..<20 {
            try await mine.notes.create(Note(id: .init("\(number)"), text: ""))
            try await library().notes.delete(.init("\(number)"))
        }
    }

    @Test("Those that gave up leave one thread and one descriptor, which the next ones use")
    func manyGiveUp() async throws {
        let mine = library(.milliseconds(1))
        try await mine.open()
        try await whileHeld {
            await expectBusy { try await mine.notes.delete("a") }
            let before = openDescriptors()
            for _ in 0..<50 { await expectBusy { try await mine.notes.delete("a") } }
            if let before, let after = openDescriptors() { #expect(after <= before) }
        }
        for _ in 0..<50 {
            try await mine.notes.save(Note(id: "a", text: "mine"))
            try await library().notes.save(Note(id: "a", text: "other"))
        }
    }

    /// How many descriptors this program has of the folder; nil where the system does not say.
    private func openDescriptors() -> Int? {
        let path = StoreFiles.resolved(folder.url)
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return names.map { names in
            names.filter { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/" + name)
                return target?.hasPrefix(path) ?? false
            }.count
        }
    }

    @Test("A task that waits gets the lock when it is free, and does not wait for its limit")
    func waits() async throws {
        let mine = library(.seconds(3_600))
        try await mine.open()
        let task = Mutex<Task<Void, any Error>?>(nil)
        // The task may write before the record is read.
        try await whileHeld(after: ["held", "mine"]) {
            task.withLock { task in
                task = Task { try await mine.notes.update(Note(id: "a", text: "mine")) }
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        try await task.withLock { $0 }?.value
        #expect(try await mine.notes.read("a").text == "mine")
    }

    @Test("A stopped process that holds the lock is named, and writing goes on when it is gone")
    func stoppedProcess() async throws {
        let mine = library()
        try await mine.notes.create(Note(id: "a", text: "old"))
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("store-worker")
        let process = Process()
        process.executableURL = program
        process.arguments = ["hold", "filesJSON", folder.url.path, "100"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
        let line = output.fileHandleForReading.availableData
        #expect(String(decoding: line, as: UTF8.self) == "held\n")
        kill(process.processIdentifier, SIGSTOP)
        let error = await #expect(throws: CRUDRepositoryError.self) {
            try await mine.notes.update(Note(id: "a", text: "new"))
        }
        #expect(error?.code == .databaseError && error?.isRetryable == true)
        let message = error?.message ?? ""
        #expect(
            message.contains("process \(process.processIdentifier) ('store-worker'"), "\(message)")
        #expect(try await mine.notes.read("a").text == "old")
        #expect(try await mine.notes.count() == 1)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try await mine.notes.update(Note(id: "a", text: "new"))
        #expect(try await mine.notes.fetch().map(\.text) == ["new"])
    }

    @Test("A reader that is stopped between batches holds no writer for ever")
    func stoppedReader() async throws {
        let mine = library()
        try await mine.notes.createAll(["a", "b"].map { Note(id: $0, text: "old") })
        // Not inherited by the processes that other tests start meanwhile: each would hold the
        // lock.
        let file = open(folder.path(".repository/batches"), O_RDWR | O_CLOEXEC)
        #expect(flock(file, LOCK_EX) == 0)
        let error = await #expect(throws: CRUDRepositoryError.self) {
            _ = try await mine.notes.saveAll(["a", "b"].map { Note(id: $0, text: "new") })
        }
        #expect(error?.isRetryable == true)
        #expect(error?.message.contains("'.repository/batches'") == true)
        #expect(try await mine.notes.fetch().map(\.text) == ["old", "old"])
        close(file)
        for text in ["new", "newer"] {
            _ = try await mine.notes.saveAll(["a", "b"].map { Note(id: $0, text: text) })
            #expect(try await library().notes.fetch().map(\.text) == [text, text])
        }
    }

    @Test("A lock file that is removed because its holder does not let it go frees the others")
    func removedLock() async throws {
        let mine = library(.milliseconds(50))
        try await mine.open()
        try await whileHeld {
            await expectBusy { try await mine.notes.create(Note(id: "b", text: "")) }
            try FileManager.default.removeItem(atPath: folder.path(".repository/lock"))
            try await mine.notes.create(Note(id: "b", text: ""))
        }
        #expect(try await mine.notes.ids() == ["a", "b"])
    }
}
