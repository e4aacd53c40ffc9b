internal import RepositoryRuntime
internal import RepositorySQLCore

/// The table with the external data of the records of a table, in chunks.
///
/// A write that takes a content from a record removes its chunks in the same transaction.
struct ChunkTable: Sendable {
    private let table: SQLTable
    private let dialect: DriverDialect
    /// The name, not quoted.
    let name: String
    /// The columns of the contents in the table of the records.
    let columns: [Int]

    /// Describes the table; nil if the records have no external data.
    init?(_ table: SQLTable, _ dialect: DriverDialect) {
        let fields = table.entity.layout.fields
        columns = table.columns.indices.filter {
            fields[table.columns[$0].field].type == .externalData
        }
        if columns.isEmpty { return nil }
        self.table = table
        self.dialect = dialect
        name = Self.name(of: table.name)
    }

    /// Returns the name of the table with the external data of a table.
    static func name(of table: String) -> String { "repository_data_\(table)" }

    private var quoted: String { dialect.quoted(name) }
    /// The names of the components of the id.
    private var keys: [String] { table.key.indices.map { "\"k\($0)\"" } }

    /// The condition that the components of the id have the values of the first parameters.
    private var isKey: String {
        keys.enumerated().map { "\($1) = \(dialect.placeholder($0 + 1))" }
            .joined(separator: " AND ")
    }

    private func place(_ number: Int) -> String { dialect.placeholder(keys.count + number) }

    /// Creates the table.
    var create: String {
        let types = table.key.map { dialect.typeName(table.columns[$0].form) }
        let columns = zip(keys, types).map { "\($0) \($1) NOT NULL" }
        let syntax = dialect.syntax
        return """
            CREATE TABLE \(quoted) (\(columns.joined(separator: ", ")), \
            "content" \(syntax.textType) NOT NULL, "part" \(syntax.integerType) NOT NULL, \
            "chunk" \(syntax.dataType) NOT NULL, \
            PRIMARY KEY (\(keys.joined(separator: ", ")), "content", "part"))\
            \(dialect.tableOptions(table))
            """
    }

    /// Selects a chunk. The parameters are the id, the content and the number of the chunk.
    var select: String {
        "SELECT \"chunk\" FROM \(quoted) WHERE \(isKey) AND \"content\" = \(place(1)) AND \"part\" = \(place(2))"
    }

    /// Removes a chunk. The parameters are the id, the content and the number of the chunk.
    var deleteChunk: String {
        "DELETE FROM \(quoted) WHERE \(isKey) AND \"content\" = \(place(1)) AND \"part\" = \(place(2))"
    }

    /// Stores a chunk. The parameters are the id, the content, the number of the chunk and its bytes.
    var insert: String {
        let places = (1...keys.count + 3).map { dialect.placeholder($0) }
        return
            "INSERT INTO \(quoted) (\(keys.joined(separator: ", ")), \"content\", \"part\", \"chunk\") VALUES (\(places.joined(separator: ", ")))"
    }

    /// Removes a content of a record. The parameters are the id and the content.
    var deleteContent: String {
        "DELETE FROM \(quoted) WHERE \(isKey) AND \"content\" = \(place(1))"
    }

    /// Removes all contents of a record. The parameters are the id.
    var deleteRecord: String { "DELETE FROM \(quoted) WHERE \(isKey)" }

    /// Removes everything.
    var deleteAll: String { "DELETE FROM \(quoted)" }

    /// Removes the chunks that no record has.
    var deleteStray: String {
        let same = zip(table.keyNames, keys).map { "r.\(dialect.quoted($0)) = \(quoted).\($1)" }
        let contents = columns.map {
            "r.\(dialect.quoted(table.columns[$0].name)) = \(quoted).\"content\""
        }
        return
            "DELETE FROM \(quoted) WHERE NOT EXISTS (SELECT 1 FROM \(dialect.quoted(table.name)) AS r WHERE \(same.joined(separator: " AND ")) AND (\(contents.joined(separator: " OR "))))"
    }

    /// Returns the contents in a row of the table of the records.
    func contents(of row: [SQLValue]) -> Set<SQLValue> {
        Set(columns.map { row[$0] }.filter { $0 != .null })
    }
}
