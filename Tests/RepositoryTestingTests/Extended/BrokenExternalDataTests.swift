import Foundation
import RepositoryRuntime
import Synchronization
import Testing

@testable import RepositoryTesting

/// A store whose external data is wrong in one thing.
private struct BrokenExternalDataStore: EntityStoreWrapper {
    /// What is wrong with it.
    enum Flaw: String, CaseIterable, Sendable {
        case losesLaterChunks, reversesBytes, keepsEverything, mixesRecords, ignoresFields
    }

    let flaw: Flaw
    let store: any EntityStore = InMemoryStore()
    let kept = KeptChunks()

    var name: String { "Broken: \(flaw.rawValue)" }

    func begin() async throws -> any StoreTransaction {
        BrokenExternalDataTransaction(transaction: try await store.begin(), flaw: flaw, kept: kept)
    }

    func externalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int
    ) async throws -> Data? {
        let chunk = try await store.externalChunk(type, id: id, content: content, index: index)
        return switch flaw {
        case .reversesBytes: chunk.map { Data($0.reversed()) }
        case .keepsEverything: chunk ?? kept.chunk(flaw, id.description, content, index)
        case .mixesRecords, .ignoresFields: kept.chunk(flaw, id.description, content, index)
        case .losesLaterChunks: chunk
        }
    }
}

/// A transaction of the store.
private struct BrokenExternalDataTransaction: StoreTransaction, EntityStoreWrapper {
    let transaction: any StoreTransaction
    let flaw: BrokenExternalDataStore.Flaw
    let kept: KeptChunks
    var store: any EntityStore { transaction }

    func commit() async throws { try await transaction.commit() }
    func rollBack() async { await transaction.rollBack() }

    func begin() async throws -> any StoreTransaction {
        Self(transaction: try await transaction.begin(), flaw: flaw, kept: kept)
    }

    func writeExternalChunk<E: Entity>(
        _ type: E.Type, id: E.ID, content: String, index: Int, _ chunk: Data
    ) async throws {
        kept.add(chunk, flaw, id.description, content, index)
        if flaw == .losesLaterChunks, index > 0 { return }
        try await transaction.writeExternalChunk(
            type, id: id, content: content, index: index, chunk)
    }
}

/// The chunks that a broken store keeps beside those of the right one.
private final class KeptChunks: Sendable {
    private let chunks = Mutex<[String: Data]>([:])

    private func key(
        _ flaw: BrokenExternalDataStore.Flaw, _ id: String, _ content: String, _ index: Int
    ) -> String {
        switch flaw {
        case .mixesRecords: "\(content) \(index)"
        case .ignoresFields: "\(id) \(index)"
        default: "\(id) \(content) \(index)"
        }
    }

    func add(
        _ chunk: Data, _ flaw: BrokenExternalDataStore.Flaw, _ id: String, _ content: String,
        _ index: Int
    ) {
        chunks.withLock { $0[key(flaw, id, content, index)] = chunk }
    }

    func chunk(
        _ flaw: BrokenExternalDataStore.Flaw, _ id: String, _ content: String, _ index: Int
    ) -> Data? {
        chunks.withLock { $0[key(flaw, id, content, index)] }
    }
}

/// Each store whose external data is wrong fails a behaviour.
@Suite("Broken external data is found out")
struct BrokenExternalDataTests {
    @Test(arguments: BrokenExternalDataStore.Flaw.allCases)
    fileprivate func found(_ flaw: BrokenExternalDataStore.Flaw) async throws {
        // The first that finds it; with `REPOSITORY_LONG=1` all.
        var failed: [String] = []
        for behaviour in StoreBehaviour.all
        where behaviour.area == "external" && (Chosen.isLong || failed.isEmpty) {
            do {
                try await behaviour.check { _ in BrokenExternalDataStore(flaw: flaw) }
            } catch is BehaviourFailure {
                failed.append(behaviour.id)
            }
        }
        print("broken: \(flaw.rawValue): found by \(failed.joined(separator: ", "))")
        #expect(!failed.isEmpty)
    }
}
