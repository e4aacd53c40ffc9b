import RepositoryRuntime
import Synchronization
import Testing

@testable import RepositoryTesting

/// A store whose search index is wrong in one thing.
final class BrokenSearchStore: EntityStoreWrapper {
    /// What is wrong with it.
    enum Flaw: String, CaseIterable, Sendable {
        case neverChanges, keepsDeleted, losesLists, losesPrefixes, losesHits, losesOccurrences
        case forgetsIDs, needsAll
    }

    let flaw: Flaw
    let store: any EntityStore = ReferenceStore()
    private let first = Mutex<[String: [StoredValue]]>([:])
    private let ids = Mutex<[String: [[StoredValue]]]>([:])

    init(flaw: Flaw) {
        self.flaw = flaw
    }

    var name: String { "Broken: \(flaw.rawValue)" }

    func search<E: Entity>(_ type: E.Type, _ query: SearchQuery) async throws -> SearchHits? {
        var hits: [SearchHits.Ranked] = []
        var query = query
        if flaw == .needsAll, query.matching == .any { query = SearchQuery("a", matching: .any) }
        for entity in try await store.page(type, after: nil, limit: .max) {
            var values = try StoredValueEncoder.values(of: entity, E.Mapper.self)
            let key = "\(E.Mapper.table.name) \(entity.id)"
            if flaw == .neverChanges {
                values = first.withLock { first in
                    if first[key] == nil { first[key] = values }
                    return first[key] ?? values
                }
            }
            var fields = E.Mapper.table.searchedFields
            if flaw == .losesLists {
                fields.removeAll { E.Mapper.layout.fields[$0].name == "tags" }
            }
            guard var rank = SearchedWords(values, fields).rank(in: query) else { continue }
            if flaw == .losesPrefixes, rank.wholeTerms < rank.terms { continue }
            if flaw == .losesOccurrences { rank.occurrences = 1 }
            let id = E.Mapper.table.key.map { values[$0] }
            hits.append(.init(rank: rank, id: flaw == .forgetsIDs ? id.map { _ in .null } : id))
        }
        if flaw == .losesHits { hits = Array(hits.prefix(4)) }
        if flaw == .keepsDeleted {
            // The runtime reads every record that an index finds: too many are no mistake.
            let deleted = hits.map(\.id)
            let table = E.Mapper.table.name
            let earlier = ids.withLock { $0.updateValue(deleted, forKey: table) } ?? []
            return SearchHits(
                ranked: hits, unranked: earlier.filter { !deleted.contains($0) })
        }
        return SearchHits(ranked: hits, unranked: [])
    }
}

/// A store whose index finds only records that have gone, as if they were deleted after it was read,
/// unless all records are wanted.
final class ShortSearchStore: EntityStoreWrapper {
    let store: any EntityStore = InMemoryStore()
    let name = "Short"
    /// The numbers of records that the searches wanted.
    let wanted = Mutex<[Int?]>([])

    func search<E: Entity>(_ type: E.Type, _ query: SearchQuery) async throws -> SearchHits? {
        wanted.withLock { $0.append(query.wanted) }
        guard query.wanted != nil else { return try await store.search(type, query) }
        var hits = SearchHits(
            ranked: [SearchHits.Ranked(rank: SearchRank(), id: [.integer(99)])], unranked: [])
        hits.isComplete = false
        return hits
    }
}

/// Each store whose search index is wrong fails a behaviour.
@Suite("Broken search indexes are found out")
struct BrokenSearchTests {
    @Test(arguments: BrokenSearchStore.Flaw.allCases.filter { $0 != .keepsDeleted })
    func found(_ flaw: BrokenSearchStore.Flaw) async throws {
        let failed = try await failures(flaw)
        print("broken: \(flaw.rawValue): found by \(failed.joined(separator: ", "))")
        #expect(!failed.isEmpty)
    }

    @Test("An index may find too many records")
    func tooMany() async throws {
        #expect(try await failures(.keepsDeleted) == [])
    }

    @Test("Records that have changed since the index was read are made up for")
    func tooFew() async throws {
        let store = ShortSearchStore()
        let set = Conformance(store)
        for number in 0..<5 {
            try await set.essays.create(Essay(number: .init(number), title: "Word"))
        }
        let found = try await set.essays.search("word", limit: 3)
        #expect(found.map(\.number) == [0, 1, 2])
        #expect(store.wanted.withLock { $0 } == [3, nil])
        #expect(try await set.essays.count(searching: "word") == 5)
        #expect(store.wanted.withLock { $0 } == [3, nil, nil])
    }

    private func failures(_ flaw: BrokenSearchStore.Flaw) async throws -> [String] {
        var failed: [String] = []
        for behaviour in StoreBehaviour.all
        where ["search", "random"].contains(behaviour.area) && behaviour.id.contains("search") {
            do {
                try await behaviour.check { _ in BrokenSearchStore(flaw: flaw) }
            } catch let failure as BehaviourFailure {
                failed.append(failure.behaviour)
            }
        }
        return failed
    }
}
