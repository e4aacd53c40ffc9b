import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting
import Testing

@Suite("Eight processes sell one product")
struct StockTests {
    private static let processes = 8
    private static let stores: [DurableStore] = [.sqlite, .filesJSON, .userDefaults]

    @Test(
        "Each piece is sold once, and none that is not there",
        arguments: stores)
    func sells(_ kind: DurableStore) async throws {
        // User defaults are read and written as a whole for each piece.
        let tasks = kind == .userDefaults ? 16 : 64
        let pieces = Self.processes * tasks * 15 / 16
        let began = ContinuousClock.now
        let place = try CrashPlace(kind)
        let library = Conformance.ledger(kind.make(at: place.text))
        try await library.products.create(Product(id: SharedRecords.product, stock: pieces))
        let lines = try await onOwnThread { [text = place.text] in
            let children = try (0..<Self.processes).map { _ in
                try ChildProcess(["sell", kind.rawValue, text, "\(tasks)"])
            }
            for child in children { child.go() }
            return children.map { $0.line() ?? "died" }
        }
        let results = lines.map { line in line.split(separator: " ").compactMap { Int($0) } }
        try #require(
            results.allSatisfy { $0.count == 2 && $0.reduce(0, +) == tasks }, "\(lines)")
        #expect(results.map { $0[0] }.reduce(0, +) == pieces)
        #expect(try await library.products.read(SharedRecords.product).stock == 0)
        print(
            "\(kind.rawValue): \(Self.processes) processes of \(tasks) tasks sell "
                + "\(pieces) pieces, in \(ContinuousClock.now - began)")
    }
}
