import Foundation
import RepositoryRuntime
import RepositoryTesting
import Testing

@testable import RepositoryTesting

/// A store of files that is wrong about records that cannot be read.
private struct BrokenDamageStore: EntityStoreWrapper {
    enum Flaw: String, CaseIterable, Sendable {
        case namesNoID, skipsThem, readsBeforeSaving, readsBeforeUpdating, comparesNothing
    }

    let flaw: Flaw
    let store: any EntityStore
    var name: String { "Broken: \(flaw.rawValue)" }

    private func translated<R>(_ call: () async throws -> R) async throws -> R {
        do {
            return try await call()
        } catch var error as CRUDRepositoryError {
            if flaw == .namesNoID, error.code == .invalidRecord { error.id = nil }
            throw error
        }
    }

    func read<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E {
        try await translated { try await store.read(type, id: id) }
    }

    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        guard flaw == .skipsThem else {
            return try await translated { try await store.page(type, after: id, limit: limit) }
        }
        var page: [E] = []
        for next in try await store.ids(type) where id.map({ $0 < next }) ?? true {
            if page.count < limit, let entity = try? await store.read(type, id: next) {
                page.append(entity)
            }
        }
        return page
    }

    func save<E: Entity>(_ entity: E) async throws -> E {
        if flaw == .readsBeforeSaving, try await store.exists(E.self, id: entity.id) {
            _ = try await store.read(E.self, id: entity.id)
        }
        return try await store.save(entity)
    }

    func update<E: Entity>(_ entity: E) async throws -> E {
        if flaw == .readsBeforeUpdating { _ = try await store.read(E.self, id: entity.id) }
        if flaw == .comparesNothing {
            var copy = entity
            if let stored = try? await store.read(E.self, id: entity.id),
                let version = E.Mapper.version(of: stored)
            {
                E.Mapper.setVersion(version, of: &copy)
            }
            return try await store.update(copy)
        }
        return try await store.update(entity)
    }
}

@Suite("Stores that are wrong about damaged records are found out")
struct BrokenDamageTests {
    @Test(arguments: BrokenDamageStore.Flaw.allCases)
    private func found(_ flaw: BrokenDamageStore.Flaw) async throws {
        let house = try #require(
            HouseStore.all.first { $0.testDescription == "store: files, JSON" })
        let harness = StoreHarness(damage: house.harness.damage) { place in
            BrokenDamageStore(flaw: flaw, store: try await house.harness.make(place))
        }
        var failed: [String] = []
        for behaviour in StoreBehaviour.all where behaviour.area == "damage" {
            do {
                try await behaviour.check(harness)
            } catch let failure as BehaviourFailure {
                failed.append(failure.behaviour)
            }
        }
        print("broken: \(flaw.rawValue): found by \(failed.joined(separator: ", "))")
        #expect(!failed.isEmpty)
    }
}
