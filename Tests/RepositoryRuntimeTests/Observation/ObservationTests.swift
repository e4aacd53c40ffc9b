import Generated
import RepositoryRuntime
import Testing

@Suite struct ObservationTests {
    /// What a view would be made over.
    @MainActor
    private final class ShelfModel {
        private(set) var names: [String] = []
        private let library: Library

        init(_ library: Library) { self.library = library }

        /// Follows the authors until so many are there.
        func follow(until count: Int) async throws(CRUDRepositoryError) {
            for try await authors in library.authors.observe(.sorted(by: \.name)) {
                names = authors.map(\.name)
                if names.count == count { return }
            }
        }
    }

    @Test @MainActor func followsOnTheMainActor() async throws {
        let library = Library(InMemoryStore())
        let model = ShelfModel(library)
        async let following: Void = model.follow(until: 3)
        for name in ["c", "a", "b"] { try await library.authors.create(Author(name: name)) }
        try await following
        #expect(model.names == ["a", "b", "c"])
    }

    @Test func readsOnlyWhatWasWritten() async throws {
        let store = CountingStore(
            capabilities: StoreCapabilities([
                .records: .native, .listing: .native, .queries: .native, .observation: .native,
            ]))
        let library = Library(store)
        for number in 0..<300 {
            try await library.authors.create(Author(name: "author \(number)"))
        }
        var iterator = library.authors.observe(.sorted(by: \.name)).makeAsyncIterator()
        #expect(try await iterator.next()?.count == 300)
        _ = store.takeReads()
        let author = try await library.authors.create(Author(name: "author 7 again"))
        #expect(try await iterator.next()?.count == 301)
        #expect(store.takeReads() == 1)
        try await library.authors.delete(author.id)
        #expect(try await iterator.next()?.count == 300)
        #expect(store.takeReads() == 0)
    }
}
