internal import RepositoryRuntime
internal import RepositorySQLCore

/// The names and statements of the external data of one table.
///
/// A table of the store contains the chunks: for each, the id of the record, the value of the field,
/// and the number of the chunk. Triggers remove the chunks of a value in the same transaction in
/// which no field of the record has it any more, whichever program changes or deletes the record.
struct SQLiteExternalData: Sendable {
    /// The prefix of the names of the tables and triggers.
    static let prefix = "repository_external "

    /// The table of the records.
    let table: SQLTable
    private let dialect = SQLiteDialect()

    /// Creates the names and statements; nil if the table has no external data.
    init?(_ table: SQLTable) {
        guard table.entity.isManaged, !table.entity.externalFields.isEmpty else { return nil }
        self.table = table
    }

    /// Returns the name of the table or of a trigger.
    private func name(_ part: String, of table: String) -> String {
        "\(Self.prefix)\(part): \(dialect.quoted(table))"
    }

    /// The table of chunks.
    private var chunks: String { dialect.quoted(name("chunks", of: table.name)) }
    /// The name of the table of chunks.
    var chunksName: String { name("chunks", of: table.name) }
    /// The names that the table of chunks may have if the table of the records had an earlier name.
    var earlierChunksNames: [String] {
        table.entity.renamedFrom.map { name("chunks", of: $0) }
    }

    private var keys: [String] { table.key.indices.map { "\"k\($0)\"" } }
    private var keyColumns: [String] { table.keyNames.map { dialect.quoted($0) } }
    /// The columns of the external fields.
    private var columns: [String] {
        table.entity.externalFields.flatMap { field in
            table.columns(ofField: field).map { dialect.quoted(table.columns[$0].name) }
        }
    }

    private func isKey(_ values: [String]) -> String {
        zip(keys, values).map { "\($0) = \($1)" }.joined(separator: " AND ")
    }

    /// The statement that creates the table of chunks.
    var createTable: String {
        let types = table.key.map { dialect.typeName(table.columns[$0].form) }
        let columns = zip(keys, types).map { "\($0) \($1) NOT NULL" }.joined(separator: ", ")
        let key = (keys + ["content", "number"]).joined(separator: ", ")
        return "CREATE TABLE \(chunks) (\(columns), content TEXT NOT NULL, "
            + "number INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (\(key))) STRICT"
    }

    /// The statements that create the triggers, by name.
    var triggers: [String: String] {
        let old = keyColumns.map { "OLD.\($0)" }
        let gone = columns.map { "OLD.\($0)" }.joined(separator: ", ")
        let kept = columns.map { "coalesce(NEW.\($0), '')" }.joined(separator: ", ")
        let moved = zip(keyColumns, old).map { "NEW.\($0) IS NOT \($1)" }
            .joined(separator: " OR ")
        let changed = zip(keys, keyColumns).map { "\($0) = NEW.\($1)" }.joined(separator: ", ")
        return [
            trigger("delete", "DELETE", "DELETE FROM \(chunks) WHERE \(isKey(old));"),
            trigger(
                "update", "UPDATE OF \(columns.joined(separator: ", "))",
                "DELETE FROM \(chunks) WHERE \(isKey(old)) AND content IN (\(gone))"
                    + " AND content NOT IN (\(kept));"),
            trigger(
                "move", "UPDATE OF \(keyColumns.joined(separator: ", "))",
                "UPDATE \(chunks) SET \(changed) WHERE \(isKey(old)) AND (\(moved));"),
        ].reduce(into: [:]) { $0[$1.name] = $1.text }
    }

    private func trigger(
        _ part: String, _ event: String, _ statement: String
    ) -> (name: String, text: String) {
        let name = name(part, of: table.name)
        return (
            name,
            "CREATE TRIGGER \(dialect.quoted(name)) AFTER \(event)"
                + " ON \(dialect.quoted(table.name)) BEGIN \(statement) END"
        )
    }

    /// The statement that removes chunks of contents that no record has.
    var removeStray: String {
        let same = zip(keys, keyColumns).map { "t.\($1) = \(chunks).\($0)" }
            .joined(separator: " AND ")
        let contents = columns.map { "t.\($0)" }.joined(separator: ", ")
        return "DELETE FROM \(chunks) WHERE NOT EXISTS (SELECT 1 FROM "
            + "\(dialect.quoted(table.name)) AS t WHERE \(same) AND content IN (\(contents)))"
    }

    /// The parameters of the id, from 1.
    private var parameters: [String] { table.key.indices.map { "?\($0 + 1)" } }
    /// The parameter after those of the id.
    private var next: Int { table.key.count + 1 }

    /// The query for a chunk: by id, content and number.
    var select: String {
        "SELECT data FROM \(chunks) WHERE \(isKey(parameters)) AND content = ?\(next)"
            + " AND number = ?\(next + 1)"
    }

    /// The statement that stores a chunk: the id, the content, the number and the data.
    var insert: String {
        let values = (parameters + (next...next + 2).map { "?\($0)" }).joined(separator: ", ")
        let key = (keys + ["content", "number"]).joined(separator: ", ")
        return "INSERT INTO \(chunks) VALUES (\(values))"
            + " ON CONFLICT (\(key)) DO UPDATE SET data = excluded.data"
    }
}
