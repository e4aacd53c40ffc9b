import Foundation
import RepositorySQLite
import Testing

@testable import RepositoryTesting

/// External data and indexes of tables that get other names.
@Suite("What moves with a renamed table of SQLite", .serialized)
struct SQLiteMovedTableTests {
    @Test("Everything has moved", arguments: MovedTables.Scenario.allCases)
    func moved(_ scenario: MovedTables.Scenario) async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            try await MovedTables { SQLiteStore(path: path) }.run(scenario)
            #expect(try PlainDatabase(path).value(Self.strayChunks(path)) == "0")
        }
    }

    /// Returns a query for the number of chunks: the scenarios delete all records at the end.
    private static func strayChunks(_ path: String) throws -> String {
        let tables = try PlainDatabase(path).rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'repository_chunks%'"
        )
        #expect(!tables.isEmpty)
        return "SELECT "
            + tables.map { "(SELECT count(*) FROM \"\($0[0])\")" }.joined(separator: " + ")
    }
}
