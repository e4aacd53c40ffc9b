import Foundation
import RepositoryTesting
import Synchronization
import Testing

@testable import RepositoryRuntime

/// The versions of a schema over the same documents.
@Suite("Migrations of documents")
struct DocumentMigrationTests {
    /// A format of documents.
    struct Format: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let transformer: any DataTransformer

        static let all = [
            Format(testDescription: "JSON", transformer: JSONDataTransformer()),
            Format(testDescription: "XML", transformer: XMLDataTransformer()),
            Format(testDescription: "binary", transformer: BinaryPropertyListDataTransformer()),
            Format(testDescription: "CBOR", transformer: CBORDataTransformer()),
            Format(
                testDescription: "Foundation's JSON",
                transformer: CoderDataTransformer(
                    JSONEncoder(), JSONDecoder(), formatExtension: "json")),
        ]
    }

    @Test("In files of every format", arguments: StoreBehaviour.migrations, Format.all)
    func files(_ behaviour: StoreBehaviour, _ format: Format) async throws {
        try await require(behaviour) { place in
            FileSystemStore(
                directory: place.directory.appending(path: "store"),
                transformer: format.transformer)
        }
    }

    @Test("In user defaults", arguments: StoreBehaviour.migrations)
    func userDefaults(_ behaviour: StoreBehaviour) async throws {
        let suite = TemporarySuite()
        // One behaviour uses further places.
        let others = Mutex<[String: TemporarySuite]>([:])
        try await require(behaviour) { place in
            let name = others.withLock { others in
                if others.isEmpty { others[place.name] = suite }
                let own = others[place.name] ?? TemporarySuite()
                others[place.name] = own
                return own.name
            }
            return UserDefaultsStore(suiteName: name)
        }
    }

    @Test("Over the smallest driver", arguments: StoreBehaviour.migrations)
    func smallDriver(_ behaviour: StoreBehaviour) async throws {
        let drivers = Mutex<[String: SmallDriver]>([:])
        try await require(behaviour) { place in
            let driver = drivers.withLock { drivers in
                let driver = drivers[place.name] ?? SmallDriver()
                drivers[place.name] = driver
                return driver
            }
            return DocumentStore(driver, transformer: JSONDataTransformer())
        }
    }

    /// Checks a behaviour, which must apply.
    private func require(
        _ behaviour: StoreBehaviour, _ make: @escaping StoreHarness.Make
    ) async throws {
        let outcome = try await behaviour.check(make)
        guard case .passed = outcome else {
            Issue.record("It does not apply: \(outcome)")
            return
        }
    }
}
