import CSQLite
import Foundation
import RepositoryRuntime
import Testing

@testable import RepositorySQLite
@testable import RepositoryTesting

/// Copies of a database that another program replaces meanwhile.
@Suite("A database is replaced while it is copied")
struct SQLiteBackupTests {
    /// Creates a database of several thousand pages, and its location, which knows the file.
    private func database(_ folder: String) throws -> (SQLiteLocation, SQLiteConnection) {
        let location = SQLiteLocation.file(folder + "/books.sqlite", busyTimeout: .zero)
        let connection = try SQLiteConnection(location, .writing)
        try connection.execute("CREATE TABLE books (text TEXT)")
        try connection.execute(
            """
            INSERT INTO books
            WITH numbers(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 9000)
            SELECT hex(randomblob(1000)) FROM numbers
            """)
        return (location, connection)
    }

    /// Puts another database in the place of one.
    private func replace(_ location: SQLiteLocation) throws {
        let other = location.name + ".other"
        let connection = try SQLiteConnection(.file(other, busyTimeout: .zero), .copying)
        try connection.execute("CREATE TABLE others (text TEXT)")
        guard rename(other, location.name) == 0 else { throw POSIXError(.EIO) }
    }

    @Test("The copy fails, and has no name", arguments: [0, 1, 3])
    func replaced(after checks: Int) async throws {
        try await withFolder { folder in
            let (location, connection) = try database(folder)
            let copy = URL(filePath: folder + "/copy.sqlite")
            var count = 0
            if checks == 0 { try replace(location) }
            let error = #expect(throws: CRUDRepositoryError.self) {
                try SQLiteBackup(location, to: copy).run {
                    count += 1
                    if count == checks { try replace(location) }
                }
            }
            #expect(error?.code == .storeMoved)
            #expect(checks == 0 ? count == 0 : count > checks, "It was replaced in the middle.")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.filter { $0.hasPrefix("copy") } == [])
            withExtendedLifetime(connection) {}
        }
    }

    @Test("Without that it is whole")
    func whole() async throws {
        try await withFolder { folder in
            let (location, connection) = try database(folder)
            let copy = folder + "/copy.sqlite"
            var count = 0
            try SQLiteBackup(location, to: URL(filePath: copy)).run { count += 1 }
            #expect(count > 4)
            let size = try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int
            #expect(size.map { $0 > 9_000 * 2_000 } == true)
            withExtendedLifetime(connection) {}
        }
    }
}
