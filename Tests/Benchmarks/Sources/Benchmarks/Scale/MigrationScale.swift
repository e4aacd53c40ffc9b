import Foundation
import RepositoryRuntime
import RepositorySQLite

/// A migration by a function over few records and over many: its time and the memory that it takes.
struct MigrationScale {
    private static let few = 10_000
    /// How many records there are in the end.
    let many: Int
    let scratch: Scratch

    private static let stores = ["sqlite", "files"]

    /// The names of all lines, in their order.
    static let names = stores.flatMap { [time($0), memory($0)] }

    private static func time(_ store: String) -> String { "scale migrate: \(store): by a function" }
    private static func memory(_ store: String) -> String {
        "scale migrate: \(store): memory that it takes"
    }

    /// Runs the lines whose names begin with a word, and gives each as soon as it is known.
    func run(_ word: String, _ give: (Result) -> Void) async throws {
        for store in Self.stores
        where Self.time(store).hasPrefix(word) || word.hasPrefix(Self.time(store)) {
            let few = try await once(store, Self.few)
            let many = try await once(store, self.many)
            func tell(_ name: String, _ unit: Workload.Unit, _ value: (Cost) -> Double) {
                give(
                    Result(
                        workload: name, unit: unit.rawValue, ours: value(many), limit: value(few),
                        limitName: "\(Self.few) records", peer: nil, peerName: nil))
            }
            tell(Self.time(store), .microseconds, \.microseconds)
            tell(Self.memory(store), .megabytes, \.megabytes)
        }
    }

    private struct Cost {
        /// For each record.
        var microseconds: Double
        var megabytes: Double
    }

    private func once(_ kind: String, _ count: Int) async throws -> Cost {
        let folder = try scratch.newFolder("migrated")
        func store() -> any EntityStore {
            kind == "sqlite"
                ? SQLiteStore(path: folder.appendingPathComponent("readings.sqlite").path)
                : FileSystemStore(directory: folder)
        }
        try await fill(Versions.first(store()), count)
        let library = Versions.second(store())
        let before = try ResidentMemory.now()
        let sampler = MemorySampler()
        let time = try await timed { try await library.open() }
        let highest = try sampler.stop()
        // A million files are not left behind.
        try scratch.remove(folder)
        return Cost(
            microseconds: time / .seconds(1) * 1_000_000 / Double(count),
            megabytes: Double(highest - before) / 1_048_576)
    }

    private func fill(_ library: Measurements, _ count: Int) async throws {
        for first in stride(from: 0, to: count, by: 1_000) {
            try await library.readings.createAll(
                (first..<min(count, first + 1_000)).map { Reading(number: $0) })
        }
    }
}

/// Looks every few milliseconds how much memory the program holds.
private final class MemorySampler: @unchecked Sendable {
    private let lock = NSLock()
    private var highest = 0
    private var failure: (any Error)?
    private var isStopped = false

    init() {
        Thread.detachNewThread { [self] in
            while sample() { usleep(2_000) }
        }
    }

    private func sample() -> Bool {
        lock.withLock {
            do {
                highest = max(highest, try ResidentMemory.now())
            } catch {
                failure = error
            }
            return !isStopped
        }
    }

    /// Returns the highest value.
    func stop() throws -> Int {
        _ = sample()
        return try lock.withLock {
            isStopped = true
            if let failure { throw failure }
            return highest
        }
    }
}
