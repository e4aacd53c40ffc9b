import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting

/// Writes the steps of an archive, each lane in a task of its own, and says `<lane> <number>` once
/// the write has returned. It says `cut` and the error if the outcome of a write is not known or the
/// database was not there.
///
/// Arguments: the store, its place, the seed, the first lane, and for each lane the number of the
/// last step that is done, with commas.
struct ArchiveWriter {
    /// The most steps of a lane in one run: more than it does before it is killed.
    private static let most = 1_000_000

    private let library: Conformance
    private let archive: Archive
    private let first: Int
    private let done: [Int]

    init?(_ arguments: ArraySlice<String>) {
        let arguments = Array(arguments)
        guard arguments.count == 5, let kind = DurableStore(rawValue: arguments[0]),
            let seed = UInt64(arguments[2]), let first = Int(arguments[3])
        else { return nil }
        library = Archive.library(kind.make(at: arguments[1]))
        archive = Archive(seed: seed)
        self.first = first
        done = arguments[4].split(separator: ",").compactMap { Int($0) }
    }

    /// Writes; what the store holds at first is what the steps so far have left.
    func run() async throws -> String {
        do {
            let before = try await ArchiveRecords.read(library, lanes: first..<first + done.count)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in done.indices {
                    group.addTask { try await write(index, before[index]) }
                }
                try await group.waitForAll()
            }
        } catch let error as CRUDRepositoryError
            where error.code == .outcomeUnknown || error.isRetryable
        {
            return "cut \(error.message)"
        }
        return "end"
    }

    private func write(_ index: Int, _ before: ArchiveRecords) async throws {
        let lane = first + index
        var records = before
        for number in done[index] + 1...done[index] + Self.most {
            let step = archive.step(number, lane: lane, records)
            try await untilDecided { try await step.run(on: library) }
            // One write of a few bytes to a pipe is whole, and with the reader once it has returned.
            try FileHandle.standardOutput.write(contentsOf: Data("\(lane) \(number)\n".utf8))
            step.apply(to: &records)
            // A search indexes what was written before it.
            if number % 8 == 0 {
                let word = Archive.words[number / 8 % Archive.words.count]
                try await untilDecided { _ = try await library.letters.search(word, limit: 3) }
            }
        }
    }

    /// Runs a body until it does not lose against another transaction, after which nothing is
    /// changed.
    private func untilDecided(_ body: () async throws -> Void) async throws {
        while true {
            do {
                return try await body()
            } catch let error as CRUDRepositoryError where error.code == .transactionConflict {
                continue
            }
        }
    }
}
