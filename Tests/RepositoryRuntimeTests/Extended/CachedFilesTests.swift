import Foundation
import RepositoryRuntime
import RepositoryTesting
import Testing

/// A cache over files, beside another process that writes them.
@Suite("Cached files")
struct CachedFilesTests {
    @Test("answer as the files do while another process writes")
    func following() async throws {
        let folder = TemporaryFolder()
        let seed = UInt64.random(in: 0 ..< .max)
        let store = FileSystemStore(directory: folder.url)
        let schema = Conformance.schema
        func library(_ store: any EntityStore) -> Conformance {
            Conformance(
                context: RepositoryContext(store: store, schema: schema, fullScans: .allow))
        }
        let (cached, plain) = (library(try store.caching(limit: 40)), library(store))
        try await plain.open()
        let other = try FollowingWorker(["follow", "filesJSON", folder.url.path, "\(seed)"])
        for round in 0..<60 {
            try other.write(round % 3)
            if round % 7 == 0 {
                try await plain.notes.save(Note(id: .init("note \(round % 8)"), text: "own"))
            }
            for _ in 0..<2 {
                for number in 0..<8 {
                    let id = Note.ID("note \(number)")
                    #expect(
                        try await cached.notes.exists(id) == plain.notes.exists(id),
                        "seed \(seed), round \(round)")
                }
                #expect(
                    try await cached.notes.fetch() == plain.notes.fetch(),
                    "seed \(seed), round \(round)")
                #expect(
                    try await cached.notes.count(where: { $0.rank > 1 })
                        == plain.notes.count(where: { $0.rank > 1 }),
                    "seed \(seed), round \(round)")
            }
        }
        try other.end()
    }

    /// A store that says that nothing ever changes.
    private struct Unchanging: EntityStoreWrapper {
        let store: any EntityStore

        func changeState() async throws -> UInt64? { 7 }
    }

    @Test("A store with a wrong state of its changes is found out by the suite")
    func wrongState() async throws {
        var failed: [String] = []
        for behaviour in StoreBehaviour.all where behaviour.area == "changeState" {
            do {
                try await behaviour.check { place in
                    Unchanging(store: FileSystemStore(directory: place.directory))
                }
            } catch let failure as BehaviourFailure {
                failed.append(failure.behaviour)
            }
        }
        #expect(failed == ["changeState.commits", "changeState.others"])
    }
}

/// The program `store-worker` that writes as often as it is told.
private struct FollowingWorker {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("store-worker")
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
    }

    /// Has the process make some writes, and waits for them.
    func write(_ count: Int) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(count)\n".utf8))
        var line = Data()
        while !line.contains(0x0A) {
            let part = try output.fileHandleForReading.read(upToCount: 1) ?? Data()
            try #require(!part.isEmpty, "The process has ended.")
            line += part
        }
        try #require(String(decoding: line, as: UTF8.self) == "done\n")
    }

    func end() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
