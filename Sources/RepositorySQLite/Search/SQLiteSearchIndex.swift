internal import RepositoryRuntime
internal import RepositorySQLCore

/// The names and statements of the search index of one table.
///
/// The index consists of three tables of the store:
///
/// - the words, each with blocks of its entries (``SQLiteSearchBlock``) in the order of the records,
/// - the indexed records, with their words,
/// - the changed records, whose entries in the other two are out of date.
///
/// Triggers record every change, by whichever program, in the transaction of the change. The next
/// search indexes the changed records.
struct SQLiteSearchIndex: Sendable {
    /// The prefix of the names of the tables and triggers.
    static let prefix = "repository_search "
    /// The table with the state of each index: the definition it was built for.
    static let stateTable = "repository_search"
    /// The version of the layout of the tables.
    private static let layout = 2

    /// The searched table.
    let table: SQLTable
    private let dialect = SQLiteDialect()

    /// Creates the names and statements; nil if the table is not searched.
    init?(_ table: SQLTable) {
        guard table.entity.isManaged, !table.entity.searchedFields.isEmpty else { return nil }
        self.table = table
    }

    /// The definition of the index. An index with another definition is rebuilt.
    var definition: String {
        let fields = table.entity.searchedFields.map { table.entity.layout.fields[$0].name }
        return "\(Self.layout) \(SearchQuery.unicodeVersion) \(fields.joined(separator: " "))"
    }

    /// Returns the name of a table or trigger of the index.
    private func name(_ part: String) -> String {
        "\(Self.prefix)\(part): \(dialect.quoted(table.name))"
    }

    /// The table of words.
    var words: String { dialect.quoted(name("words")) }
    /// The table of indexed records.
    var records: String { dialect.quoted(name("records")) }
    /// The table of changed records.
    var changes: String { dialect.quoted(name("changes")) }

    /// The names of the components of the id in the tables of the index.
    private var keys: [String] { table.key.indices.map { "\"k\($0)\"" } }
    /// The names of the components of the id, as a list.
    private var keyList: String { keys.joined(separator: ", ") }
    /// The columns of the id in the searched table.
    private var keyColumns: [String] { table.keyNames.map { dialect.quoted($0) } }

    /// Returns the condition that the components of the id have these values.
    private func isKey(_ values: [String]) -> String {
        zip(keys, values).map { "\($0) = \($1)" }.joined(separator: " AND ")
    }

    /// The statements that create the tables, by name.
    var tables: [String: String] {
        let types = table.key.map { dialect.typeName(table.columns[$0].form) }
        let columns = zip(keys, types).map { "\($0) \($1) NOT NULL" }.joined(separator: ", ")
        return [
            name("words"): """
            CREATE TABLE \(words) (word TEXT NOT NULL, first INTEGER NOT NULL, \
            entries BLOB NOT NULL, PRIMARY KEY (word, first)) STRICT, WITHOUT ROWID
            """,
            name("records"): """
            CREATE TABLE \(records) (record INTEGER PRIMARY KEY, \(columns), \
            words TEXT NOT NULL, UNIQUE (\(keyList))) STRICT
            """,
            name("changes"): """
            CREATE TABLE \(changes) (\(columns), PRIMARY KEY (\(keyList))) \
            STRICT, WITHOUT ROWID
            """,
        ]
    }

    /// The statements that create the triggers, by name.
    var triggers: [String: String] {
        let searched = table.entity.searchedFields.flatMap { field in
            table.columns(ofField: field).map { dialect.quoted(table.columns[$0].name) }
        }
        let updated = Set(searched + keyColumns).sorted().joined(separator: ", ")
        return [
            trigger("insert", "INSERT", ["NEW"]), trigger("delete", "DELETE", ["OLD"]),
            trigger("update", "UPDATE OF \(updated)", ["OLD", "NEW"]),
        ].reduce(into: [:]) { $0[$1.name] = $1.text }
    }

    /// Returns a trigger that records the changed ids.
    ///
    /// The inserted ids are never there already: the conflict policy of the statement that fires a
    /// trigger overrides that of its statements.
    private func trigger(
        _ part: String, _ event: String, _ rows: [String]
    ) -> (name: String, text: String) {
        let statements = rows.map { row in
            let values = keyColumns.map { "\(row).\($0)" }
            return "INSERT INTO \(changes) SELECT \(values.joined(separator: ", "))"
                + " WHERE NOT EXISTS (SELECT 1 FROM \(changes) WHERE \(isKey(values)));"
        }
        let name = name(part)
        return (
            name,
            "CREATE TRIGGER \(dialect.quoted(name)) AFTER \(event) ON \(dialect.quoted(table.name))"
                + " BEGIN \(statements.joined(separator: " ")) END"
        )
    }

    /// The statement that marks every record as changed.
    var markAll: String {
        "INSERT OR IGNORE INTO \(changes) SELECT \(keyColumns.joined(separator: ", "))"
            + " FROM \(dialect.quoted(table.name))"
    }
    /// The statements that remove everything from the index.
    var clear: [String] { [words, records, changes].map { "DELETE FROM \($0)" } }
    /// The query for the definition that the index was built for.
    var selectDefinition: String {
        "SELECT definition FROM \"\(Self.stateTable)\" WHERE name = ?1"
    }
    /// The statement that stores the definition.
    var insertDefinition: String { "INSERT OR REPLACE INTO \"\(Self.stateTable)\" VALUES (?1, ?2)" }

    /// The query for the changed ids.
    var selectChanges: String { "SELECT \(keyList) FROM \(changes)" }
    /// The statement that removes a changed id.
    var deleteChange: String { "DELETE FROM \(changes) WHERE \(isKey(parameters))" }
    /// The query for the number and the words of an indexed record.
    var selectRecord: String { "SELECT record, words FROM \(records) WHERE \(isKey(parameters))" }
    /// The query for the id of an indexed record.
    var selectKey: String { "SELECT \(keyList) FROM \(records) WHERE record = ?1" }
    /// The statement that removes an indexed record.
    var deleteRecord: String { "DELETE FROM \(records) WHERE record = ?1" }
    /// The statement that inserts an indexed record: its id and words.
    var insertRecord: String {
        "INSERT INTO \(records) (\(keyList), words) VALUES"
            + " (\((parameters + ["?\(table.key.count + 1)"]).joined(separator: ", ")))"
    }
    /// The statement that changes the words of an indexed record.
    var updateRecord: String { "UPDATE \(records) SET words = ?2 WHERE record = ?1" }
    /// The query for the blocks of a word, from the one that contains a record, or would contain it.
    var selectBlocks: String {
        "SELECT first, entries FROM \(words) WHERE word = ?1 AND first >= coalesce("
            + "(SELECT max(first) FROM \(words) WHERE word = ?1 AND first <= ?2), ?2) ORDER BY first"
    }
    /// The query for the last block of a word that begins at a record or before it.
    var selectLastBlock: String {
        "SELECT first, entries FROM \(words) WHERE word = ?1 AND first <= ?2"
            + " ORDER BY first DESC LIMIT 1"
    }
    /// The query for the highest number of an indexed record.
    var selectLastRecord: String { "SELECT max(record) FROM \(records)" }
    /// The statement that inserts a block of a word, or replaces the one with the same first record.
    var insertBlock: String { "INSERT OR REPLACE INTO \(words) VALUES (?1, ?2, ?3)" }
    /// The statement that removes a block of a word.
    var deleteBlock: String { "DELETE FROM \(words) WHERE word = ?1 AND first = ?2" }
    /// The query for the blocks of a word.
    var selectWord: String {
        "SELECT first, entries FROM \(words) WHERE word = ?1 ORDER BY first"
    }
    /// The query for the blocks of the words in a range.
    var selectPrefix: String {
        "SELECT first, entries, word = ?1 FROM \(words) WHERE word >= ?1 AND word < ?2"
            + " ORDER BY word, first"
    }

    /// The encoding of the blocks.
    var encoding: SQLiteSearchBlock { SQLiteSearchBlock(fields: table.entity.searchedFields.count) }

    /// The parameters of the id, from 1.
    private var parameters: [String] { table.key.indices.map { "?\($0 + 1)" } }
}
