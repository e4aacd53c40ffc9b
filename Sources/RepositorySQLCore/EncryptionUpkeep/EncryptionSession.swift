package import Foundation
package import RepositoryRuntime

/// A connection, inside a transaction, on which the notes and the hashes of encrypted fields are read
/// and written. It blocks its thread.
package protocol EncryptionSession: SQLSession {
    /// The kind of store, for messages.
    var storeName: String { get }
    /// What follows a query to lock its records until the end of the transaction, with a leading
    /// space, or an empty string.
    var lockingRecords: String { get }

    /// Returns the rows of a query. The first columns form the id of a table, if one is given; the
    /// others are strings and data.
    func rows(of query: SQLQuery, idOf table: SQLTable?) throws -> [[StoredValue]]
    /// Calls a body for each row of a query with one column of data, which may have any number of
    /// rows.
    func forEachValue(of text: String, _ body: (Data) throws -> Void) throws
    /// Runs statements that write, in one round trip if there are any. They do not count as changes
    /// of records.
    func change(_ queries: [SQLQuery]) throws
    /// Returns whether a unique index has refused a value.
    func isDuplicate(_ error: any Error) -> Bool

    /// Returns whether the table of the notes is there.
    func hasNotes() throws -> Bool
    /// Creates the table of the notes if it is not there.
    func createNotes() throws
    /// Has other programs that change the notes wait until the end of the transaction.
    func lockNotes() throws
    /// Has writers of tables wait until the end of the transaction.
    func lock(_ tables: [String]) throws
    /// Returns whether the database was written with a key.
    func isNoted(_ key: String, _ cipher: RecordCipher) throws -> Bool
}

/// The encrypted values of a table, in the order of the ids of the records.
struct EncryptedValues {
    /// The stored values of a record.
    struct Row {
        /// The components of the id.
        let id: [StoredValue]
        /// The stored bytes of the fields; nil for null.
        let stored: [Data?]
    }

    let table: SQLTable

    /// Returns the quoted column of an encrypted field.
    func column(_ field: Int, _ dialect: any SQLDialect) -> String {
        dialect.quoted(table.columns[table.offsets[field]].name)
    }

    /// Returns the values of fields in the next records.
    ///
    /// - Parameters:
    ///   - fields: the fields.
    ///   - start: the id of the record before; empty for the first records.
    ///   - count: the number of records.
    ///   - conditions: select records, by a parameter with the number 1 if there is a value.
    ///   - value: the parameter.
    ///   - option: follows the query, with a leading space.
    ///   - session: the connection.
    func next<Session: EncryptionSession>(
        _ fields: [Int], after start: [StoredValue], _ count: Int, where conditions: [String] = [],
        _ value: Data? = nil, option: String = "", _ session: Session
    ) throws -> [Row] {
        let dialect = session.dialect
        let keys = dialect.list(table.keyNames)
        let columns = fields.map { column($0, dialect) }.joined(separator: ", ")
        var conditions = conditions
        if !start.isEmpty {
            let first = value == nil ? 1 : 2
            let places = start.indices.map { dialect.placeholder($0 + first) }
            conditions.append("(\(keys)) > (\(places.joined(separator: ", ")))")
        }
        var text = "SELECT \(keys), \(columns) FROM \(dialect.quoted(table.name))"
        if !conditions.isEmpty { text += " WHERE \(conditions.joined(separator: " AND "))" }
        text += " ORDER BY \(keys) LIMIT \(count)\(option)"
        let parameters = (value.map { [SQLParameter(.data($0), .data)] } ?? []) + id(start)
        let query = SQLQuery(text: text, parameters: parameters)
        return try session.rows(of: query, idOf: table).map { row in
            let stored = row.dropFirst(table.key.count).map { value -> Data? in
                if case .data(let bytes) = value { bytes } else { nil }
            }
            return Row(id: Array(row.prefix(table.key.count)), stored: stored)
        }
    }

    /// Returns the statement that changes values of a record.
    func update(
        _ values: [(field: Int, value: Data)], of id: [StoredValue], _ dialect: any SQLDialect
    ) -> SQLQuery {
        let sets = values.enumerated().map {
            "\(column($1.field, dialect)) = \(dialect.placeholder($0 + 1))"
        }
        let isRecord = table.keyNames.enumerated().map {
            "\(dialect.quoted($1)) = \(dialect.placeholder(values.count + $0 + 1))"
        }
        return SQLQuery(
            text:
                "UPDATE \(dialect.quoted(table.name)) SET \(sets.joined(separator: ", ")) WHERE \(isRecord.joined(separator: " AND "))",
            parameters: values.map { SQLParameter(.data($0.value), .data) } + self.id(id))
    }

    /// Returns the parameters of an id.
    private func id(_ components: [StoredValue]) -> [SQLParameter] {
        components.enumerated().map { SQLParameter($1, table.columns[table.key[$0]].form) }
    }
}
