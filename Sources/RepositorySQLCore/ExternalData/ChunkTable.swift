internal import RepositoryRuntime

/// The table with the external data of the records of a table, in chunks, and its statements.
///
/// Each row contains the id of the record, the value of the field, the number of the chunk and its
/// bytes. A chunk is removed in the transaction in which no field of its record has the value any
/// more: by triggers, whichever program writes, or by a store without triggers.
package struct ChunkTable: Sendable {
    /// The prefix of the names of the tables, of triggers and of functions.
    package static let prefix = "repository_chunks_"

    /// The table of the records.
    package let table: SQLTable
    /// The positions of the columns of the external fields.
    package let columns: [Int]
    /// The name, not quoted.
    package let name: String
    private let dialect: any SQLDialect

    /// Describes the table; nil if the records have no external data.
    package init?(_ table: SQLTable, _ dialect: any SQLDialect) {
        guard table.entity.isManaged else { return nil }
        columns = table.entity.externalFields.flatMap { table.columns(ofField: $0) }
        if columns.isEmpty { return nil }
        self.table = table
        self.dialect = dialect
        name = Self.name(of: table.name, dialect)
    }

    /// Returns the name of the table with the external data of a table.
    package static func name(of table: String, _ dialect: any SQLDialect) -> String {
        dialect.fitting(prefix + table)
    }

    /// The quoted name.
    package var quoted: String { dialect.quoted(name) }
    /// The quoted columns of the external fields.
    package var contents: [String] { columns.map { dialect.quoted(table.columns[$0].name) } }
    /// The quoted columns of the id in the table of the records.
    package var recordKey: [String] { table.keyNames.map { dialect.quoted($0) } }
    /// The quoted columns of the id in this table.
    package var key: [String] { table.key.indices.map { "\"k\($0)\"" } }
    /// The quoted columns that identify a chunk.
    private var chunkKey: [String] { key + ["\"content\"", "\"number\""] }

    /// Returns the condition that the components of the id have values.
    package func isKey(_ values: [String]) -> String { Self.equal(key, values) }

    private static func equal(_ columns: [String], _ values: [String]) -> String {
        zip(columns, values).map { "\($0) = \($1)" }.joined(separator: " AND ")
    }

    /// Returns the condition that the first columns that identify a chunk have the values of the
    /// parameters.
    private func isChunk(_ count: Int) -> String {
        Self.equal(Array(chunkKey.prefix(count)), (1...count).map { dialect.placeholder($0) })
    }

    /// Creates the table.
    package var create: String {
        let forms = table.key.map { table.columns[$0].form } + [.text, .integer(bits: 64)]
        let columns = zip(chunkKey, forms).map { "\($0) \(dialect.typeName($1)) NOT NULL" }
        return "CREATE TABLE \(quoted) (\(columns.joined(separator: ", ")), "
            + "\"data\" \(dialect.typeName(.data)) NOT NULL, "
            + "PRIMARY KEY (\(chunkKey.joined(separator: ", "))))\(dialect.tableOptions(nil))"
    }

    /// Selects a chunk. The parameters are the id, the content and the number.
    package var select: String {
        "SELECT \"data\" FROM \(quoted) WHERE \(isChunk(chunkKey.count))"
    }

    /// Stores a chunk. The parameters are the id, the content, the number and the bytes.
    package var insert: String {
        let places = (1...chunkKey.count + 1).map { dialect.placeholder($0) }
        let columns = chunkKey + ["\"data\""]
        return "INSERT INTO \(quoted) (\(columns.joined(separator: ", "))) "
            + "VALUES (\(places.joined(separator: ", ")))"
    }

    /// Stores a chunk, as ``insert`` does, or replaces the one that is there.
    package var upsert: String {
        "\(insert) ON CONFLICT (\(chunkKey.joined(separator: ", "))) "
            + "DO UPDATE SET \"data\" = excluded.\"data\""
    }

    /// Removes a chunk. The parameters are the id, the content and the number.
    package var deleteChunk: String {
        "DELETE FROM \(quoted) WHERE \(isChunk(chunkKey.count))"
    }

    /// Removes a content of a record. The parameters are the id and the content.
    package var deleteContent: String {
        "DELETE FROM \(quoted) WHERE \(isChunk(key.count + 1))"
    }

    /// Removes all contents of a record. The parameters are the id.
    package var deleteRecord: String { "DELETE FROM \(quoted) WHERE \(isChunk(key.count))" }

    /// Removes everything.
    package var deleteAll: String { "DELETE FROM \(quoted)" }

    /// Removes the chunks that no record has.
    package var deleteStray: String { "DELETE FROM \(quoted) WHERE \(isStray)" }

    /// Counts the chunks that no record has.
    package var countStray: String { "SELECT count(*) FROM \(quoted) WHERE \(isStray)" }

    /// The condition that no record has a chunk.
    private var isStray: String {
        let same = zip(recordKey, key).map { "r.\($0) = \(quoted).\($1)" }
        let contents = contents.map { "r.\($0)" }.joined(separator: ", ")
        return "NOT EXISTS (SELECT 1 FROM \(dialect.quoted(table.name)) AS r WHERE "
            + "\(same.joined(separator: " AND ")) AND \(quoted).\"content\" IN (\(contents)))"
    }
}

extension SQLTable {
    /// Checks that the table does not have the name of a table of external data.
    ///
    /// - Parameter store: the kind of store, for the message.
    /// - Throws: `unsupported`.
    package func requireOwnName(of store: String) throws {
        guard entity.isManaged, name.lowercased().hasPrefix(ChunkTable.prefix) else { return }
        var error = CRUDRepositoryError.unsupported(
            "the name '\(name)': names that begin with '\(ChunkTable.prefix)' are the store's own",
            by: store)
        error.table = name
        throw error
    }
}
