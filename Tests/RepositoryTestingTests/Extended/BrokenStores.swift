import RepositoryRuntime
import RepositoryTesting
import Synchronization

@testable import RepositoryTesting

/// The sets that a broken store was opened with.
final class OpenedSchemas: Sendable {
    let schemas = Mutex<[StoreSchema]>([])
    let isClosed = Atomic(false)
}

/// A store that is right in all but one thing.
struct BrokenStore: EntityStore {
    /// What is wrong with it.
    enum Flaw: String, CaseIterable, Sendable {
        case losesUpdates, overwritesOnCreate, forgetsDeletes, createsOnUpdate
        case ignoresVersions, checksVersionsTooEarly, startsAtVersionTwo
        case ignoresUniqueIndexes, tellsCaseApart, collidesOnNulls, ignoresReferences, neverCascades
        case listsInWrongOrder, ordersNumbersAsText, losesTheLastOfAPage, repeatsThePageStart
        case finderIgnoresOrder, finderFoldsCase, finderSkipsNulls
        case batchesHalf, countsWrong, throwsAnotherCode, namesNoID, leaksValues
        case foldsIDs, trimsTexts, dropsFractions, negatesZero, forgetsReset, answersWithoutFinders
        case returnsWhatWasGiven, writesDespiteCancellation, deletesDespiteCancellation
        case neverIsolates, forgetsCommits, keepsWhatIsRolledBack, rollsBackTheParentToo
        case updatesOneByOne, updatesBeyondTheLimit
        case updatesDespiteChecks, ignoresChecks, partialIndexesCoverAll, partialScansFindAll
        case resetsEverySet, opensWhateverIsThere, idScansIgnoreTheBeginning
        case checksUniqueValuesTooEarly
        case staysOpen, closesWithoutWaiting, closesOnce
        case replacesFiles, restoresOverRecords, losesInBackups, findsNoBackupInvalid, findsProblems
        case scansIgnoreTheRange, scansIgnoreTheDirection, scansIgnoreThePlace
    }

    let flaw: Flaw
    let good: any EntityStore
    /// Makes the transaction that this one is nested in forget everything.
    let losesParent: @Sendable () -> Void
    let changes: StoreChanges
    let opened = OpenedSchemas()

    init(
        flaw: Flaw, good: any EntityStore = ReferenceStore(),
        losesParent: @escaping @Sendable () -> Void = {}
    ) {
        self.flaw = flaw
        self.good = good
        self.losesParent = losesParent
        changes = good.changes
    }

    var name: String { "Broken: \(flaw.rawValue)" }

    var capabilities: StoreCapabilities {
        guard flaw == .answersWithoutFinders else { return good.capabilities }
        let all = StoreCapability.all.filter { good.capabilities.has($0) && $0 != .finders }
        return StoreCapabilities(Dictionary(uniqueKeysWithValues: all.map { ($0, .native) }))
    }

    func open(_ schema: StoreSchema) async throws {
        opened.schemas.withLock { $0.append(changed(schema)) }
        guard flaw == .opensWhateverIsThere else { return try await good.open(changed(schema)) }
        do {
            try await good.open(schema)
        } catch let error as CRUDRepositoryError where error.code == .schemaMismatch {
            // It takes the tables of other sets for its own.
        }
    }

    func create<E: Entity>(_ entity: E) async throws {
        if flaw == .overwritesOnCreate, try await good.exists(E.self, id: entity.id) {
            try await good.delete(E.self, id: entity.id)
        }
        if flaw == .collidesOnNulls { try await collide(entity) }
        if flaw == .writesDespiteCancellation {
            return try await Task.detached { try await good.create(entity) }.value
        }
        try await translated { try await good.create(changed(entity)) }
    }

    func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try await translated { try await good.read(type, id: changed(id)) }
    }

    func update<E: Entity>(_ entity: E) async throws -> E {
        if flaw == .losesUpdates { return try await good.read(E.self, id: entity.id) }
        if flaw == .createsOnUpdate { return try await good.save(entity) }
        if flaw == .checksVersionsTooEarly, let version = E.Mapper.version(of: entity) {
            let stored = try await good.read(E.self, id: entity.id)
            let actual = E.Mapper.version(of: stored) ?? 0
            guard actual == version else {
                throw CRUDRepositoryError.versionConflict(
                    id: "\(entity.id)", table: E.Mapper.table.name, expected: version,
                    stored: actual)
            }
            await Task.yield()
            return try await good.update(ignoringVersion(entity))
        }
        let stored = try await translated {
            try await good.update(ignoringVersion(changed(entity)))
        }
        return flaw == .returnsWhatWasGiven ? entity : stored
    }

    func save<E: Entity>(_ entity: E) async throws -> E {
        let stored = try await translated { try await good.save(ignoringVersion(changed(entity))) }
        return flaw == .returnsWhatWasGiven ? entity : stored
    }

    func delete<E: Entity>(_ type: E.Type, id: E.ID) async throws {
        if flaw == .forgetsDeletes { return }
        if flaw == .deletesDespiteCancellation {
            return try await Task.detached { try await good.delete(type, id: id) }.value
        }
        try await translated { try await good.delete(type, id: changed(id)) }
    }

    func exists<E: Entity>(_ type: E.Type, id: E.ID) async throws -> Bool {
        try await good.exists(type, id: changed(id))
    }

    func createAll<E: Entity>(_ entities: [E]) async throws {
        if flaw == .batchesHalf {
            for entity in entities { try await good.create(entity) }
        } else {
            try await good.createAll(entities.map(changed))
        }
    }

    func saveAll<E: Entity>(_ entities: [E]) async throws -> [E] {
        if flaw == .checksUniqueValuesTooEarly {
            let transaction = try await good.begin()
            do {
                var saved: [E] = []
                for entity in entities { saved.append(try await transaction.save(entity)) }
                try await transaction.commit()
                return saved
            } catch {
                await transaction.rollBack()
                throw error
            }
        }
        guard flaw == .batchesHalf else {
            var changes: [E] = []
            for entity in entities { changes.append(try await ignoringVersion(changed(entity))) }
            return try await good.saveAll(changes)
        }
        var saved: [E] = []
        for entity in entities { saved.append(try await good.save(entity)) }
        return saved
    }

    func deleteAll<E: Entity>(_ type: E.Type, ids: [E.ID]) async throws -> Int {
        let count = try await good.deleteAll(type, ids: ids.map(changed))
        return flaw == .countsWrong ? ids.count : count
    }

    func deleteAll<E: Entity>(_ type: E.Type) async throws -> Int {
        try await good.deleteAll(type)
    }

    func close() async throws {
        switch flaw {
        case .staysOpen: return
        case .closesWithoutWaiting: Task { try await good.close() }
        case .closesOnce:
            guard
                opened.isClosed.compareExchange(
                    expected: false, desired: true, ordering: .acquiringAndReleasing
                ).exchanged
            else { throw CRUDRepositoryError.storeClosed }
            try await good.close()
        default: try await good.close()
        }
    }

    func reset(_ schema: StoreSchema) async throws {
        if flaw == .forgetsReset { return }
        let all = flaw == .resetsEverySet ? opened.schemas.withLock { $0 } : [changed(schema)]
        for schema in all { try await good.reset(schema) }
    }
}
