import Foundation
import RepositoryMoving
import RepositoryRuntime
import RepositoryTesting
import Testing

/// The check that the package offers to those who write stores.
@Suite("The check of a move")
struct MoveCheckTests {
    @Test("holds between stores of this package", arguments: StoreKind.pairs)
    func pairs(_ from: StoreKind, _ to: StoreKind) async throws {
        let stores = try OfficeStores()
        let source = stores.store(from, "source")
        try await OfficeStores.fill(source, people: 40)
        let report = try await checkMove(Office.self, from: source, interruptions: 4) {
            stores.store(to, "target\($0)")
        }
        #expect(report.isEqual)
    }

    @Test("finds a store that loses a field")
    func lossyStore() async throws {
        let stores = try OfficeStores()
        let source = stores.store(.memory, "source")
        try await OfficeStores.fill(source, people: 6)
        let error = await #expect(throws: MoveError.self) {
            try await checkMove(Office.self, from: source) { _ in LossyStore() }
        }
        #expect(error?.code == .stopped)
        let different = error?.report?.tables.flatMap(\.differences).map(\.fields)
        #expect(different?.contains(["note"]) == true)
    }
}

/// A store that loses the notes of bookings when they are read.
private struct LossyStore: EntityStoreWrapper {
    let store: any EntityStore = InMemoryStore()

    func page<E: Entity>(_ type: E.Type, after id: E.ID?, limit: Int) async throws -> [E] {
        try await store.page(type, after: id, limit: limit).map { record in
            guard var booking = record as? Booking else { return record }
            booking.note = nil
            return booking as? E ?? record
        }
    }
}
