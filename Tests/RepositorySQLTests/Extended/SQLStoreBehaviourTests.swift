import Foundation
import RepositoryRuntime
import RepositorySQL
import RepositoryTesting
import Testing

/// The conformance suite over drivers: SQLite as the article shows it, and with the other ways of
/// writing SQL. With `REPOSITORY_LONG=1` all behaviours over each.
@Suite("Every behaviour over a driver") struct SQLStoreBehaviourTests {
    /// A behaviour of each area, or all.
    static let some: [StoreBehaviour] = {
        if Self.isLong { return StoreBehaviour.all }
        return Dictionary(grouping: StoreBehaviour.all, by: \.area).values
            .compactMap { $0.min { $0.id < $1.id } }
            .sorted { $0.id < $1.id }
    }()

    static let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"

    /// Every sixth behaviour, or all.
    static let sixth = StoreBehaviour.all.enumerated()
        .filter { isLong || $0.offset % 6 == 0 }.map(\.element)

    @Test("The driver of the article", arguments: sixth)
    func example(_ behaviour: StoreBehaviour) async throws {
        try await behaviour.check(Self.harness())
    }

    @Test("A database whose parameters have no numbers", arguments: some)
    func positional(_ behaviour: StoreBehaviour) async throws {
        try await behaviour.check(
            Self.harness {
                $0.placeholders = .positional("?")
                $0.nullOrder = .said
            })
    }

    @Test("A database whose transactions end with a failed statement", arguments: some)
    func fragile(_ behaviour: StoreBehaviour) async throws {
        try await behaviour.check(
            Self.harness {
                $0.failureEndsTransaction = true
                $0.beginWriting = "BEGIN"
                $0.tableOptions = ""
            })
    }

    /// Those of versions, except the plans that say how many bytes are rewritten: the store does not
    /// know it.
    static let versions = StoreBehaviour.migrations.filter { behaviour in
        !["migrations.plan", "migrations.tablesPlan"].contains(behaviour.id)
    }

    @Test("Versions of a schema", arguments: versions)
    func migrations(_ behaviour: StoreBehaviour) async throws {
        try await behaviour.check(Self.harness { $0.failureEndsTransaction = true })
    }

    @Test("Random operations and queries give what plain Swift gives")
    func random() async throws {
        let (operations, queries) = Self.isLong ? (100_000, 20_000) : (800, 200)
        try await RandomOperations(harness: Self.harness(), count: operations).check()
        try await RandomQueries(harness: Self.harness(), count: queries).check()
    }

    /// Returns a harness for the driver of the article.
    ///
    /// - Parameter change: changes its syntax.
    static func harness(
        _ change: @escaping @Sendable (inout SQLSyntax) -> Void = { _ in }
    ) -> StoreHarness {
        StoreHarness(
            damage: { place, table, id in
                let text = table.layout.fields.indices.first {
                    table.layout.fields[$0].type == .text && !table.key.contains($0)
                }
                guard let text else { return }
                let (column, key) = (table.fields[text].column, table.fields[table.key[0]].column)
                let path = place.directory.appending(path: "example.db").path
                let connection = try ExampleDriver(path: path).connect()
                defer { connection.close() }
                _ = try connection.execute(
                    """
                    UPDATE "\(table.name)" SET "\(column)" = CAST(x'FF' || id AS TEXT) \
                    WHERE "\(key)" = '\(id)'
                    """, [])
            }
        ) { place in
            let path = place.directory.appending(path: "example.db").path
            return SQLStore(ChangedDriver(driver: ExampleDriver(path: path), change: change))
        }
    }
}
