import Foundation
import RepositoryTesting
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// An observation while the store is reset.
@Suite("Observations beside a reset")
struct ResetObservationTests {
    private typealias Thing = VersionedRecord<ThingVersions.Noted>

    /// A store in which something else happens before and after it is emptied, while the reset of
    /// its set runs.
    private struct DisturbedStore: EntityStoreWrapper {
        let store: any EntityStore
        let before: @Sendable () async throws -> Void
        let after: @Sendable () async throws -> Void

        func reset(_ schema: StoreSchema) async throws {
            try await before()
            try await store.reset(schema)
            try await after()
        }
    }

    /// What the disturbances use; set once everything is made.
    private actor Observed {
        var context: RepositoryContext?
        var iterator: ObservedResults<[Thing], CRUDRepositoryError>.AsyncIterator?
        var seen: [Int] = []

        func use(
            _ context: RepositoryContext,
            _ results: ObservedResults<[Thing], CRUDRepositoryError>
        ) {
            self.context = context
            iterator = results.makeAsyncIterator()
        }

        func open() async throws { try await context?.open() }

        func next() async throws {
            guard var iterator else { return }
            seen.append(try await iterator.next()?.count ?? -1)
        }
    }

    @Test("An observer goes on", arguments: ["memory", "files", "the smallest driver"])
    func reset(_ kind: String) async throws {
        let folder = TemporaryFolder()
        let base: any EntityStore =
            switch kind {
            case "memory": InMemoryStore()
            case "files": FileSystemStore(directory: folder.url)
            default: DocumentStore(SmallDriver(), transformer: JSONDataTransformer())
            }
        let observed = Observed()
        // A stream opens the store while it is about to be emptied, and the observer reads when it
        // is empty.
        let store = DisturbedStore(
            store: base, before: { try await observed.open() },
            after: { try await observed.next() })
        let things = VersionedRepository<ThingVersions.Noted>(
            RepositoryContext(
                store: store, schema: StoreSchema("Things", [Thing.self]), fullScans: .allow))
        await observed.use(things.context, things.observe())
        try await things.create(Thing("a", .text("a")))
        try await observed.next()
        try await things.context.reset()
        try await things.createAll([Thing("b", .text("b")), Thing("c", .text("c"))])
        try await observed.next()
        await #expect(observed.seen == [1, 0, 2])
    }
}
