import CSQLite
import Foundation
import RepositoryRuntime
import RepositorySQL
import RepositoryTesting
import Testing

/// The conformance suite over drivers: SQLite as the article shows it, and with the other ways of
/// writing SQL.
@Suite struct SQLStoreBehaviourTests {
    @Test("The store over the driver of the article satisfies every behaviour", arguments: StoreBehaviour.all.filter { b in ProcessInfo.processInfo.environment["B"].map { b.id.hasPrefix($0) } ?? true })
    func example(_ behaviour: StoreBehaviour) async throws {
        print("BEGIN", behaviour.id); defer { print("END", behaviour.id) }
        try await behaviour.check(Self.harness { ExampleDriver(path: $0) })
    }

    /// Returns a harness for a driver.
    static func harness(
        _ driver: @escaping @Sendable (_ path: String) -> some SQLDriver
    ) -> StoreHarness {
        StoreHarness { place in
            SQLStore(driver(place.directory.appending(path: "example.db").path))
        }
    }
}
