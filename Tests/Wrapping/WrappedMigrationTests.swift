#if Compression && Encryption
    import Foundation
    import RepositoryCompression
    import RepositoryEncryption
    import RepositoryRuntime
    import Testing

    @testable import RepositoryTesting

    /// Migrations of encrypted documents: renamed tables and fields, new forms, repeated openings.
    @Suite struct WrappedMigrationTests {
        @Test(arguments: StoreBehaviour.migrations)
        func files(_ behaviour: StoreBehaviour) async throws {
            let keys = try KeyRing(EncryptionKey(id: "k", bytes: Data(repeating: 5, count: 32)))
            let transformer = EncryptedTransformer(
                CompressedTransformer(JSONDataTransformer()), keys: keys)
            let harness = StoreHarness { place in
                FileSystemStore(
                    directory: place.directory.appending(path: "store"), transformer: transformer)
            }
            let outcome = try await behaviour.check(harness)
            if case .passed = outcome { return }
            Issue.record("\(behaviour.id) was not checked: \(outcome)")
        }
    }
#endif
