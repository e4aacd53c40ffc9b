import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting
import Testing

/// How much is tried: little in each run of the tests, much where the environment's `REPOSITORY_LONG` is 1.
enum Effort {
    static let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
    static let kills = isLong ? 1_000 : 18
    /// The environment's `REPOSITORY_SEED` replays a run.
    static let seed =
        ProcessInfo.processInfo.environment["REPOSITORY_SEED"].flatMap { UInt64($0) }
        ?? 20_260_101
}

@Suite("A program that writes is killed")
struct KillTests {
    @Test(
        "Nothing acknowledged is lost, nothing is torn, nothing is half done",
        arguments: DurableStore.allCases)
    func kills(_ kind: DurableStore) async throws {
        let store = kind.make(at: try CrashPlace(kind).text)
        guard store.capabilities.has(.durable) else { return }
        let began = ContinuousClock.now
        var random = SeededGenerator(seed: Effort.seed)
        var tally = KillTally()
        var old = try KilledLedger(kind, seed: random.next())
        var young = try KilledLedger(kind, seed: random.next())
        for number in 0..<Effort.kills {
            // One place grows old over many kills; others are new for the first write.
            if number % 2 == 0 {
                if number % 250 == 0, number > 0 {
                    old = try KilledLedger(kind, seed: random.next())
                }
                try await old.kill(&random, &tally)
            } else {
                if number % 6 == 1 { young = try KilledLedger(kind, seed: random.next()) }
                try await young.kill(&random, &tally)
            }
        }
        print("\(kind.rawValue): \(tally), in \(ContinuousClock.now - began); seed \(Effort.seed)")
        #expect(tally.problems == [])
        #expect(tally.kills == Effort.kills && tally.acknowledged > Effort.kills)
        #expect(tally.lost == 0 && tally.torn == 0 && tally.half == 0)
    }
}
