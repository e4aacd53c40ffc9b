import Foundation
import RepositoryRuntime
import RepositorySQLite
import RepositoryTesting
import Testing

/// The behaviours that every store shows.
@Suite struct SQLiteBehaviourTests {
    private static let file = StoreHarness(
        damage: { place, table, id in
            let database = try PlainDatabase(
                place.directory.appendingPathComponent("data.sqlite").path)
            // The last column of the table gets text that no mapper reads: JSON, a moment, a case.
            let columns = try database.rows(
                "SELECT name, type FROM pragma_table_info('\(table.name)')")
            guard let column = columns.last(where: { $0[1] == "TEXT" }) else { return }
            let key = try database.rows(
                "SELECT name FROM pragma_table_info('\(table.name)') WHERE pk = 1")
            try database.run(
                "UPDATE \"\(table.name)\" SET \"\(column[0])\" = CAST(x'FF' AS TEXT) WHERE \"\(key[0][0])\" = '\(id)'"
            )
        }
    ) { place in
        SQLiteStore(path: place.directory.appendingPathComponent("data.sqlite").path)
    }

    @Test(arguments: StoreBehaviour.all)
    func onFile(_ behaviour: StoreBehaviour) async throws {
        _ = try await behaviour.check(Self.file)
    }

    @Test(arguments: StoreBehaviour.all)
    func inMemory(_ behaviour: StoreBehaviour) async throws {
        _ = try await behaviour.check { _ in SQLiteStore.inMemory() }
    }
}
