import RepositoryRuntime
import RepositoryTesting
import Testing

/// Each store that is wrong in one thing about queries fails a behaviour, and random queries find it and say how.
@Suite("Broken queries are found out")
struct BrokenQueryTests {
    @Test(arguments: BrokenQueryStore.Flaw.allCases)
    func foundByABehaviour(_ flaw: BrokenQueryStore.Flaw) async throws {
        // With `REPOSITORY_LONG=1` the first three that find it.
        let most = Chosen.isLong ? 3 : 1
        var failed: [String] = []
        for behaviour in StoreBehaviour.all
        where behaviour.id.hasPrefix("queries.") && failed.count < most {
            do {
                try await behaviour.check { _ in BrokenQueryStore(flaw: flaw) }
            } catch let failure as BehaviourFailure {
                failed.append(failure.behaviour)
            }
        }
        print("broken: \(flaw.rawValue): found by \(failed.joined(separator: ", "))")
        #expect(!failed.isEmpty)
    }

    // Random conditions have fewer alternatives than that flaw needs.
    @Test(arguments: BrokenQueryStore.Flaw.allCases.filter { $0 != .forgetsManyAlternatives })
    func foundByRandomQueriesWithFewRecords(_ flaw: BrokenQueryStore.Flaw) async throws {
        let harness = StoreHarness { _ in BrokenQueryStore(flaw: flaw) }
        let failures = try await twice { seed in
            try await RandomQueries(harness: harness, seed: seed, count: 2_000).check()
        }
        #expect(
            failures[0].description == failures[1].description,
            "The same seed ends as another program.")
        let records = failures[0].message.split(separator: "\n").filter {
            $0.contains(".create(")
        }
        #expect(records.count <= 5, "\(failures[0])")
        print("broken: \(flaw.rawValue):\n\(failures[0].message)")
    }

    /// The flaws that random operations find; every fifth of them without `REPOSITORY_LONG=1`, because a program is shrunk by
    /// running it many times.
    private static let shrunk: [BrokenStore.Flaw] = {
        let all: [BrokenStore.Flaw] = [
            .losesUpdates, .overwritesOnCreate, .forgetsDeletes, .ignoresVersions,
            .ignoresChecks, .updatesDespiteChecks, .ignoresUniqueIndexes, .collidesOnNulls,
            .ignoresReferences, .neverCascades, .batchesHalf, .countsWrong, .finderIgnoresOrder,
            .listsInWrongOrder,
        ]
        return all.enumerated().filter { Chosen.isLong || $0.offset % 5 == 0 }.map(\.element)
    }()

    @Test(arguments: shrunk)
    func shrunkToFewOperations(_ flaw: BrokenStore.Flaw) async throws {
        let harness = StoreHarness { _ in BrokenStore(flaw: flaw) }
        let failures = try await twice { seed in
            try await RandomOperations(harness: harness, seed: seed, count: 2_000).check()
        }
        #expect(
            failures[0].description == failures[1].description,
            "The same seed ends as another program.")
        // Every call and every transaction is one; the lines that end a transaction are none.
        let operations = failures[0].message.split(separator: "\n").dropFirst()
            .map { $0.drop { $0 == " " } }
            .filter { $0 != "}" && $0 != "throw" && !$0.hasPrefix("REPOSITORY_SEED") }
        #expect((1...5).contains(operations.count), "\(failures[0])")
        print("broken: \(flaw.rawValue):\n\(failures[0].message)")
    }

    /// What a run that fails throws, twice.
    private func twice(
        _ run: (UInt64) async throws -> BehaviourOutcome
    ) async throws -> [BehaviourFailure] {
        var failures: [BehaviourFailure] = []
        for _ in 0..<2 {
            let failure = await #expect(throws: BehaviourFailure.self) { _ = try await run(7) }
            failures.append(try #require(failure))
        }
        return failures
    }
}
