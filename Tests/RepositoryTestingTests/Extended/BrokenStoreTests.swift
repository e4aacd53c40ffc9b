import RepositoryTesting
import Testing

/// The suite is worth what it finds: each store that is wrong in one thing fails at least one behaviour.
@Suite("Broken stores are found out")
struct BrokenStoreTests {
    /// The behaviours that take no time: each flaw shows in one of them already.
    ///
    /// Those of some late areas come first. The flaws that only they find would cost a run of nearly
    /// the whole suite each.
    static let quick = {
        let behaviours = StoreBehaviour.all.filter { behaviour in
            !["hostileIDs", "random", "concurrency"].contains(behaviour.area)
                && behaviour.id != "batches.large"
        }
        let early: Set = ["closing", "upkeep", "cancellation", "sets"]
        return behaviours.filter { early.contains($0.area) }
            + behaviours.filter { !early.contains($0.area) }
    }()

    /// For each flaw, a behaviour that finds it.
    static let finders: [BrokenStore.Flaw: String] = [
        .losesUpdates: "ignoringCase.stored",
        .overwritesOnCreate: "errors.sentence",
        .forgetsDeletes: "distribution.records",
        .createsOnUpdate: "distribution.records",
        .ignoresVersions: "conflicts.failVersion",
        .checksVersionsTooEarly: "changes.race",
        .startsAtVersionTwo: "versions.create",
        .ignoresUniqueIndexes: "unique.create",
        .tellsCaseApart: "ignoringCase.unique",
        .collidesOnNulls: "unique.create",
        .ignoresReferences: "references.missing",
        .neverCascades: "deletes.cascade",
        .listsInWrongOrder: "streams.all",
        .ordersNumbersAsText: "listing.integerOrder",
        .losesTheLastOfAPage: "streams.all",
        .repeatsThePageStart: "streams.all",
        .finderIgnoresOrder: "indexes.equal",
        .finderFoldsCase: "ids.dayIndexes",
        .finderSkipsNulls: "indexes.null",
        .batchesHalf: "exchange.swap",
        .countsWrong: "transactions.batches",
        .throwsAnotherCode: "errors.sentence",
        .namesNoID: "changes.closure",
        .leaksValues: "unique.secret",
        .foldsIDs: "distribution.everywhere",
        .trimsTexts: "ids.whitespace",
        .dropsFractions: "stamps.rounded",
        .negatesZero: "types.negativeZero",
        .forgetsReset: "reset.empties",
        .answersWithoutFinders: "finders.refused",
        .returnsWhatWasGiven: "versions.given",
        .writesDespiteCancellation: "cancellation.before",
        .deletesDespiteCancellation: "cancellation.before",
        .neverIsolates: "closing.transactions",
        .forgetsCommits: "changes.closure",
        .keepsWhatIsRolledBack: "replace.outside",
        .rollsBackTheParentToo: "distribution.undone",
        .updatesOneByOne: "exchange.shift",
        .updatesBeyondTheLimit: "updates.limit",
        .updatesDespiteChecks: "checks.updateAll",
        .ignoresChecks: "checks.setNull",
        .partialIndexesCoverAll: "ignoringCase.partial",
        .partialScansFindAll: "indexes.partial.scan",
        .resetsEverySet: "sets.reset",
        .opensWhateverIsThere: "sets.otherwise",
        .idScansIgnoreTheBeginning: "ids.scans.equal",
        .checksUniqueValuesTooEarly: "exchange.swap",
        .staysOpen: "closing.operations",
        .closesWithoutWaiting: "closing.operations",
        .closesOnce: "closing.twice",
        .replacesFiles: "upkeep.backup.target",
        .restoresOverRecords: "upkeep.backup.nonEmpty",
        .losesInBackups: "upkeep.backup.whole",
        .findsNoBackupInvalid: "upkeep.backup.invalid",
        .findsProblems: "upkeep.sound",
        .scansIgnoreTheRange: "indexes.lower",
        .scansIgnoreTheDirection: "indexes.reversed",
        .scansIgnoreThePlace: "indexes.after",
    ]

    @Test(arguments: BrokenStore.Flaw.allCases)
    func found(_ flaw: BrokenStore.Flaw) async throws {
        let id = try #require(Self.finders[flaw])
        let behaviour = try #require(StoreBehaviour.all.first { $0.id == id })
        #expect(try await fails(behaviour, flaw), "\(id) does not find \(flaw)")
    }

    @Test(
        "The quick behaviours find each flaw",
        .enabled(if: Chosen.variable("REPOSITORY_LONG") == "1"),
        arguments: BrokenStore.Flaw.allCases)
    func foundBySuite(_ flaw: BrokenStore.Flaw) async throws {
        var failed: String?
        for behaviour in Self.quick where failed == nil {
            if try await fails(behaviour, flaw) { failed = behaviour.id }
        }
        print("broken: \(flaw.rawValue): found by \(failed ?? "nothing")")
        #expect(failed != nil)
    }

    /// Whether a store with a flaw fails a behaviour.
    private func fails(_ behaviour: StoreBehaviour, _ flaw: BrokenStore.Flaw) async throws -> Bool {
        do {
            try await behaviour.check { _ in BrokenStore(flaw: flaw) }
            return false
        } catch let failure as BehaviourFailure {
            #expect(failure.behaviour == behaviour.id)
            #expect(failure.line > 0 && failure.fileID.hasPrefix("RepositoryTesting/"))
            return true
        }
    }
}
