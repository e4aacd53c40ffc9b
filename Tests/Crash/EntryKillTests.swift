import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting
import Testing

@Suite("Programs that write entries are killed")
struct EntryKillTests {
    /// What was counted over the kills of a store.
    private struct Tally: CustomStringConvertible {
        var kills = 0
        var writes = 0
        var given = 0
        var exchanges = 0
        var searches = 0

        /// Whether there were more writes than given, and something of each kind.
        func shows(writes least: Int) -> Bool {
            writes > least && given > 0 && exchanges > 0 && searches > 0
        }

        var description: String {
            "\(kills) kills, \(writes) writes acknowledged, \(given) ids given, "
                + "\(exchanges) exchanges, \(searches) words searched"
        }
    }

    @Test(
        "No id is given twice, no exchange is half done, and searches find what is stored",
        arguments: DurableStore.allCases)
    func kills(_ kind: DurableStore) async throws {
        let capabilities = kind.make(at: "/nowhere").capabilities
        let writers = capabilities.has(.multipleProcesses) ? ["a", "b", "c"] : ["a"]
        var random = SeededGenerator(seed: Effort.seed)
        var tally = Tally()
        var run = try Run(kind, writers)
        let rounds = Effort.isLong ? (1_000 + writers.count - 1) / writers.count : 8
        for round in 0..<rounds {
            if round % 60 == 0, round > 0 { run = try Run(kind, writers) }
            try await run.round(round, &random, &tally)
        }
        print("\(kind.rawValue), entries: \(tally); seed \(Effort.seed)")
        #expect(tally.kills >= rounds * writers.count && tally.shows(writes: rounds))
    }

    /// A place whose writers are killed again and again, and what its entries must be.
    private final class Run {
        private let kind: DurableStore
        private let place: CrashPlace
        private let writers: [String]
        /// The entries of each writer, by id.
        private var entries: [String: [Int: Entry]] = [:]
        /// All ids that were given.
        private var given: Set<Int> = []

        init(_ kind: DurableStore, _ writers: [String]) throws {
            self.kind = kind
            self.writers = writers
            place = try CrashPlace(kind)
        }

        /// Lets the writers write a little, kills them, and checks what they have left.
        func round(
            _ round: Int, _ random: inout SeededGenerator, _ tally: inout Tally
        ) async throws {
            let arguments = writers.enumerated().map { number, name in
                [
                    "entries", kind.rawValue, place.text, name,
                    "\((round * 8 + number) * 100_000 + 1)",
                ]
            }
            // A line says that a write begins, the next one that it is done.
            let limits = writers.map { _ in
                random.once(in: 6) ? 0 : Int.random(in: 1...48, using: &random)
            }
            let lines = try await ChildProcess.killed(
                arguments, after: limits, delay: .random(in: 0...40_000, using: &random))
            tally.kills += writers.count
            var pending: [String: EntryWrite] = [:]
            for (writer, lines) in zip(writers, lines) {
                pending[writer] = acknowledge(lines, of: writer, &tally)
            }
            try await check(pending, &tally)
        }

        /// Applies the acknowledged writes, and returns the one that was running.
        private func acknowledge(
            _ lines: [String], of writer: String, _ tally: inout Tally
        ) -> EntryWrite? {
            var pending: EntryWrite?
            for line in lines {
                let words = line.split(separator: " ").map(String.init)
                if words.first == "try", let write = EntryWrite(Array(words.dropFirst())) {
                    pending = write
                    continue
                }
                guard let write = pending, words.count == 2, words[0] == "did",
                    let id = Int(words[1])
                else {
                    Issue.record("\(kind.rawValue): '\(writer)' said '\(line)'")
                    return nil
                }
                if case .create = write {
                    #expect(given.insert(id).inserted, "\(kind.rawValue): \(id) was given twice")
                    tally.given += 1
                }
                if case .exchange = write { tally.exchanges += 1 }
                write.apply(to: &entries[writer, default: [:]], of: writer, id: id)
                tally.writes += 1
                pending = nil
            }
            return pending
        }

        /// Compares the entries of each writer with what the acknowledged writes left, or that and
        /// the running one, and the searches and the checks of the store with all entries.
        private func check(_ pending: [String: EntryWrite], _ tally: inout Tally) async throws {
            let set = Entries(
                context: RepositoryContext(store: kind.make(at: place.text), schema: Entries.schema)
            )
            let all = try await set.entries.fetch()
            for writer in writers {
                let found = Dictionary(
                    uniqueKeysWithValues: all.filter { $0.writer == writer }
                        .map { ($0.id.rawValue, $0) })
                let before = entries[writer] ?? [:]
                var after = before
                if let write = pending[writer] {
                    let new = found.keys.first { before[$0] == nil }
                    if case .create = write {
                        if let new {
                            #expect(given.insert(new).inserted, "\(new) was given twice")
                            write.apply(to: &after, of: writer, id: new)
                        }
                    } else {
                        write.apply(to: &after, of: writer, id: 0)
                    }
                }
                #expect(
                    found == before || found == after,
                    "\(kind.rawValue), seed \(Effort.seed): '\(writer)' after \(String(describing: pending[writer]))"
                )
                entries[writer] = found
            }
            #expect(Set(all.map(\.place)).count == all.count)
            for word in Set(all.map(\.text)) {
                let found = try await set.entries.search(word).map(\.id)
                #expect(found == all.filter { $0.text == word }.map(\.id), "\(kind.rawValue)")
                tally.searches += 1
            }
            #expect(try await set.entries.count(searching: "nothing") == 0)
            let check = try await set.check()
            #expect(check.problems == [], "\(kind.rawValue)")
            try await set.close()
        }
    }
}
