import Foundation
import SQLiteAPI

/// Schemas from a database that exists already, by the generator as a program.
func imports(_ scratch: Scratch, _ package: MainPackage) -> [Workload] {
    [importing(scratch, package, tables: 300, rows: 1_000_000)]
}

private func importing(
    _ scratch: Scratch, _ package: MainPackage, tables: Int, rows: Int
) -> Workload {
    Workload(
        name: "import: generate from \(tables) tables, \(rows / 1_000_000),000,000 rows",
        unit: .milliseconds, rounds: 3
    ) {
        let program = try package.generator("release")
        let folder = try scratch.newFolder("import").path
        let database = "\(folder)/shop.sqlite"
        try OwnedDatabase.make(database, tables: tables, rows: rows)
        return Sides(
            ours: Side {
                let output = try scratch.newFolder("imported").path
                return try Command(
                    program, ["import", "sqlite:\(database)", "--output", "\(output)/Schemas"]
                ).run()
            },
            limit: Side("reading each value in C") {
                try timed {
                    try OwnedDatabase.readAll(database, tables: tables)
                }
            })
    }
}

/// A database as many applications have it: keys, references, texts, dates as text and as numbers.
private enum OwnedDatabase {
    static func make(_ path: String, tables: Int, rows: Int) throws {
        let handle = try open(path)
        defer { sqlite3_close_v2(handle) }
        try run(handle, "PRAGMA journal_mode = OFF; BEGIN")
        for table in 0..<tables {
            let parent = table == 0 ? "" : " REFERENCES orders_\(table - 1)(id)"
            try run(
                handle,
                """
                CREATE TABLE orders_\(table) (
                    id INTEGER PRIMARY KEY, parent_id INTEGER\(parent), name TEXT NOT NULL,
                    total DECIMAL(10,2) NOT NULL, is_paid BOOLEAN NOT NULL, created_at TEXT NOT NULL,
                    shipped_at DATETIME, weight REAL);
                WITH RECURSIVE numbers(n) AS (
                    SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(rows / tables))
                INSERT INTO orders_\(table)
                SELECT n, CASE WHEN \(table) > 0 AND n % 3 = 0 THEN n / 3 END,
                    'Customer number ' || n, round(n * 1.25, 2), n % 2,
                    strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + n * 61, 'unixepoch'),
                    1700000000 + n, n / 7.0
                FROM numbers;
                CREATE INDEX orders_\(table)_name ON orders_\(table) (name);
                """)
        }
        // What the division leaves.
        let rest = rows - rows / tables * tables
        try run(
            handle,
            """
            WITH RECURSIVE numbers(n) AS (
                SELECT 1000001 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000000 + \(max(rest, 1)))
            INSERT INTO orders_0
            SELECT n, NULL, 'Customer number ' || n, 1.25, 0, '2026-11-25T10:00:00Z', NULL, 1.5
            FROM numbers WHERE \(rest) > 0;
            COMMIT
            """)
    }

    /// Reads every value once.
    static func readAll(_ path: String, tables: Int) throws {
        let handle = try open(path)
        defer { sqlite3_close_v2(handle) }
        var bytes = 0
        for table in 0..<tables {
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            guard
                sqlite3_prepare_v2(
                    handle, "SELECT * FROM orders_\(table)", -1, &statement, nil) == SQLITE_OK
            else { throw failure(handle) }
            let columns = sqlite3_column_count(statement)
            while sqlite3_step(statement) == SQLITE_ROW {
                for column in 0..<columns {
                    switch sqlite3_column_type(statement, column) {
                    case SQLITE_INTEGER: bytes &+= Int(sqlite3_column_int64(statement, column))
                    case SQLITE_FLOAT:
                        if sqlite3_column_double(statement, column) > 0 { bytes &+= 1 }
                    case SQLITE_TEXT:
                        if sqlite3_column_text(statement, column) != nil {
                            bytes &+= Int(sqlite3_column_bytes(statement, column))
                        }
                    default: break
                    }
                }
            }
        }
        guard bytes != 0 else { throw failure(handle) }
    }

    private static func open(_ path: String) throws -> OpaquePointer? {
        var handle: OpaquePointer?
        guard sqlite3_open(path, &handle) == SQLITE_OK else { throw failure(handle) }
        return handle
    }

    private static func run(_ handle: OpaquePointer?, _ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(handle) }
    }

    private static func failure(_ handle: OpaquePointer?) -> OwnedDatabaseFailure {
        OwnedDatabaseFailure(message: sqlite3_errmsg(handle).map { String(cString: $0) } ?? "?")
    }
}

private struct OwnedDatabaseFailure: Error {
    let message: String
}
