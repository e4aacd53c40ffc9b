#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import RepositorySQL
    import RepositoryTesting
    import Testing

    @testable import RepositoryPostgreSQL

    /// Checks of what the store keeps beside the records.
    @Suite("Checks of PostgreSQL", .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLCheckTests {
        @Test("External data that no record has is found and removed", arguments: [false, true])
        func strayExternalData(_ isOverDriver: Bool) async throws {
            let schema = "check-\(UUID().uuidString)"
            let store: any EntityStore =
                isOverDriver
                ? SQLStore(
                    PostgreSQLDriver(address: try TestServer.address.get(), schema: schema),
                    readers: 1, lockTimeout: .seconds(60))
                : try TestServer.store(schema, connections: 2)
            let gallery = Conformance.gallery(store)
            for id in ["a", "b"] {
                let image = ExternalData(Data(id.utf8))
                try await gallery.photos.create(Photo(id: Photo.ID(id), image: image))
            }
            #expect(try await gallery.check().problems == [])
            // No trigger of a row is called.
            try await TestServer.run("TRUNCATE \"\(schema)\".\"photos\"")
            let found = try await gallery.check()
            #expect(found.problems.map(\.kind) == [.strayExternalData])
            #expect(found.problems.map(\.table) == ["photos"])
            #expect(try await gallery.check(repair: true).isSound)
            #expect(try await gallery.check().problems == [])
            let chunks = "SELECT count(*) FROM \"\(schema)\".\"repository_chunks_photos\""
            #expect(try await TestServer.number(chunks) == 0)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }
    }
#endif
