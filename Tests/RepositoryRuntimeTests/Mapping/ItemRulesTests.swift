import Foundation
import Generated
import RepositoryRuntime
import Testing

/// A repository that takes everything, so that what is refused was refused before it.
private struct Sink: CRUDRepository {
    func create<T: Item>(id: ItemIdentifier, item: T) async throws {}
    func read<T: Item>(id: ItemIdentifier) async throws -> T {
        throw CRUDRepositoryError.recordNotFound(id: id)
    }
    func update<T: Item>(id: ItemIdentifier, item: T) async throws {}
    func delete(id: ItemIdentifier) async throws {}
}

@Suite("Rules that every item keeps on every store")
struct ItemRulesTests {
    private func expectRefusal(
        _ field: String, _ location: SourceLocation = #_sourceLocation,
        _ change: (inout Specimen) -> Void
    ) async {
        var specimen = Specimen("s")
        change(&specimen)
        await #expect(sourceLocation: location) {
            try await SpecimenRepository(Sink()).create(specimen)
        } throws: { error in
            let error = error as? CRUDRepositoryError
            return error?.code == .invalidItem && error?.field == field && error?.id == "s"
        }
    }

    @Test("A clean item passes")
    func clean() async {
        var specimen = Specimen("s")
        specimen.tags = ["", nil, "a"]
        specimen.maybe = ["": nil]
        let item = specimen
        await #expect(throws: Never.self) {
            try await SpecimenRepository(Sink()).create(item)
        }
    }

    @Test("U+0000 is refused wherever text stands")
    func nul() async {
        await expectRefusal("text") { $0.text = "a\0" }
        await expectRefusal("text") { $0.text = String(repeating: "long", count: 20) + "\0" }
        await expectRefusal("note") { $0.note = "\0" }
        await expectRefusal("shelf.room") { $0.shelf = Shelf(room: "\0", row: 1) }
        await expectRefusal("loan.bookID") { $0.loan = Loan.ID(bookID: "\0", number: 1) }
        await expectRefusal("tags.1") { $0.tags = [nil, "\0"] }
        await expectRefusal("prices") { $0.prices = ["\0": 1] }
        await expectRefusal("shelves.1.room") {
            $0.shelves = [Shelf(room: "a", row: 1), Shelf(room: "\0", row: 1)]
        }
    }

    @Test("Numbers that are not finite are refused")
    func notFinite() async {
        await expectRefusal("single") { $0.single = .infinity }
        await expectRefusal("single") { $0.single = .nan }
        await expectRefusal("ratio") { $0.ratio = -.infinity }
        await expectRefusal("ratio") { $0.ratio = .nan }
        await expectRefusal("price") { $0.price = .nan }
        await expectRefusal("prices.b") { $0.prices = ["b": .nan] }
    }

    @Test("An id is not empty and holds no U+0000")
    func ids() async {
        for id in ["", "\0"] {
            await #expect {
                try await SpecimenRepository(Sink()).create(Specimen(.init(id)))
            } throws: { error in
                let error = error as? CRUDRepositoryError
                return error?.code == .invalidIdentifier && error?.id == id
            }
        }
    }
}
