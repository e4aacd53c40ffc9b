import Foundation
import RepositoryRuntime
import RepositorySQLite

/// The same work over few records and over many: what does not grow with their number costs the same for each.
struct Scale {
    private static let few = 10_000
    /// How many records there are in the end.
    let many: Int
    let scratch: Scratch

    private static let stores = ["sqlite", "files"]

    /// The names of all lines, in their order.
    static let names = stores.flatMap { store in
        ScalePhase.allCases.map { name(store, $0) + $0.word }
    }

    /// Runs the lines whose names hold a word, and gives each as soon as it is known.
    func run(_ word: String, _ give: (Result) -> Void) async throws {
        for store in Self.stores where Self.name(store, .insert).hasPrefix(word) {
            var earlier: [ScalePhase: [Double]] = [:]
            for _ in 0..<3 {
                try await once(store, Self.few) { earlier[$0, default: []].append($1) }
            }
            try await once(store, many) { phase, ours in
                let few = earlier[phase, default: []].sorted()
                let limit = few.isEmpty ? nil : few[few.count / 2]
                give(
                    Result(
                        workload: Self.name(store, phase) + phase.word, unit: phase.unit.rawValue,
                        ours: ours, limit: limit,
                        limitName: limit.map { _ in "\(Self.few) records" }, peer: nil,
                        peerName: nil))
            }
        }
    }

    private static func name(_ store: String, _ phase: ScalePhase) -> String {
        "scale: \(store): \(phase.rawValue)"
    }

    private func once(
        _ store: String, _ count: Int, _ tell: (ScalePhase, Double) -> Void
    ) async throws {
        let folder = try scratch.newFolder("scale")
        // A million files are not left behind.
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("books.sqlite").path
        let run =
            switch store {
            case "sqlite":
                ScaleRun(
                    batch: 10_000, count: count,
                    open: { Measurements(SQLiteStore(path: path)) }, database: path)
            default:
                ScaleRun(
                    batch: 1_000, count: count,
                    open: { Measurements(FileSystemStore(directory: folder)) },
                    files: RawFolder(folder.appendingPathComponent("books")))
            }
        try await run.run(tell)
    }
}
