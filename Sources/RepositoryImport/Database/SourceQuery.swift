internal import CSQLite

/// A query of the database that is imported.
final class SourceQuery {
    private let statement: OpaquePointer
    private let connection: OpaquePointer
    private let path: String

    /// Prepares a query.
    ///
    /// - Parameters:
    ///   - text: the SQL, with `?1` for a parameter.
    ///   - parameter: the text of `?1`, if there is one.
    ///   - file: the database.
    ///   - path: its path, for errors.
    /// - Throws: ``ImportProblem``.
    init(
        _ text: String, parameter: String? = nil, of file: SourceFile, path: String
    ) throws(ImportProblem) {
        self.path = path
        connection = file.handle
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(connection, text, -1, &prepared, nil) == SQLITE_OK,
            let prepared
        else {
            throw ImportProblem(
                path: path,
                reason: "cannot be read: \(String(cString: sqlite3_errmsg(connection)))")
        }
        statement = prepared
        if let parameter {
            // SQLite copies the text.
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            sqlite3_bind_text(
                statement, 1, parameter, Int32(parameter.utf8.count), transient)
        }
    }

    deinit { sqlite3_finalize(statement) }

    /// Moves to the next row.
    ///
    /// - Returns: whether there is one.
    /// - Throws: ``ImportProblem`` if the row cannot be read.
    func step() throws(ImportProblem) -> Bool {
        let code = sqlite3_step(statement)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            throw ImportProblem(
                path: path,
                reason: "cannot be read: \(String(cString: sqlite3_errmsg(connection)))")
        }
        return false
    }

    /// Returns a value of the current row, which is valid until the next step.
    func value(_ column: Int) -> OpaquePointer? {
        sqlite3_column_value(statement, Int32(truncatingIfNeeded: column))
    }

    /// Returns the text of a column; `nil` for null.
    func text(_ column: Int) -> String? {
        sqlite3_column_text(statement, Int32(truncatingIfNeeded: column)).map {
            String(cString: $0)
        }
    }

    /// Returns the integer of a column.
    func integer(_ column: Int) -> Int {
        Int(sqlite3_column_int64(statement, Int32(truncatingIfNeeded: column)))
    }
}

extension SourceFile {
    /// Returns a result for each row of a query.
    ///
    /// - Throws: ``ImportProblem``.
    func rows<Row>(
        _ text: String, _ parameter: String? = nil, path: String, _ row: (SourceQuery) -> Row
    ) throws(ImportProblem) -> [Row] {
        let query = try SourceQuery(text, parameter: parameter, of: self, path: path)
        var rows: [Row] = []
        while try query.step() { rows.append(row(query)) }
        return rows
    }

    /// Returns a name as an identifier of SQL.
    static func quoted(_ name: String) -> String {
        var result = "\""
        for scalar in name.unicodeScalars {
            result.unicodeScalars.append(scalar)
            if scalar == "\"" { result += "\"" }
        }
        return result + "\""
    }
}
