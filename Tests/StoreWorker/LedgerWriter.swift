import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting

/// Writes the steps of a ledger, each lane in a task of its own, and says `<lane> <number>` once the write has returned.
///
/// Arguments: the store, its place, the seed, and for each lane the number of the last step that is done, with commas.
struct LedgerWriter {
    /// The most steps of a lane in one run.
    private static let most = 300

    private let library: Conformance
    private let ledger: Ledger
    private let done: [Int]

    init?(_ arguments: ArraySlice<String>) {
        let arguments = Array(arguments)
        guard arguments.count == 4, let kind = DurableStore(rawValue: arguments[0]),
            let seed = UInt64(arguments[2])
        else { return nil }
        let store = kind.make(at: arguments[1])
        library = .ledger(store)
        ledger = Ledger(seed: seed, for: store, of: kind)
        done = arguments[3].split(separator: ",").compactMap { Int($0) }
        guard done.count == Ledger.lanes else { return nil }
    }

    /// Writes; what the store holds at first is what the steps so far have left.
    func run() async throws -> String {
        let before = try await LedgerRecords.read(library, lanes: Ledger.lanes)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<Ledger.lanes {
                group.addTask { try await write(lane, before[lane]) }
            }
            try await group.waitForAll()
        }
        return "end"
    }

    private func write(_ lane: Int, _ before: LedgerRecords) async throws {
        var records = before
        for number in done[lane] + 1...done[lane] + Self.most {
            let step = ledger.step(number, lane: lane, records)
            try await step.run(on: library)
            // One write of a few bytes to a pipe is whole, and with the reader once it has returned.
            try FileHandle.standardOutput.write(contentsOf: Data("\(lane) \(number)\n".utf8))
            step.apply(to: &records)
        }
    }
}
