internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// The SQL functions that the store adds to each of its connections.
enum SQLiteFunctions {
    /// The name of the function that applies simple case folding to a text.
    static let caseFolded = "repository_casefold"

    /// Adds the functions to a connection.
    ///
    /// - Throws: `SQLiteError`.
    static func add(to connection: OpaquePointer) throws {
        // An index may use the function, even if the schema of the database is not trusted.
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        let code = sqlite3_create_function_v2(
            connection, caseFolded, 1, flags, nil,
            { context, _, arguments in SQLiteFunctions.fold(context, arguments?[0]) }, nil, nil, nil
        )
        guard code == SQLITE_OK else { throw SQLiteError(connection) }
    }

    /// Implements the SQL function: returns the folded text, or the argument itself if it is not
    /// text.
    private static func fold(_ context: OpaquePointer?, _ value: OpaquePointer?) {
        guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value),
            sqlite3_value_bytes(value) > 0
        else { return sqlite3_result_value(context, value) }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        var folded = CaseFolding.folded(String(decoding: bytes, as: UTF8.self))
        folded.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_result_text64(
                    context, $0.baseAddress, sqlite3_uint64($0.count), SQLiteBinding.copy,
                    UInt8(SQLITE_UTF8))
            }
        }
    }
}
