internal import RepositorySchema

/// Rules for the names of tables and columns.
///
/// A schema must be valid for all SQL stores, so the rules combine the restrictions of SQLite and
/// PostgreSQL, independently of the stores in the settings.
extension Validator {
    /// The maximum length of a name in PostgreSQL, in bytes. PostgreSQL truncates longer names, so
    /// that two of them can become equal.
    private static let longestName = 63

    /// The system columns that PostgreSQL adds to every table.
    private static let systemColumns: Set<String> = [
        "tableoid", "xmin", "cmin", "xmax", "cmax", "ctid",
    ]

    /// The table in which SQL stores record the schema of their tables.
    private static let ownTable = "repository_schema"

    /// Checks that no two fields share a column. Column names are compared without case, as in SQL.
    ///
    /// Names that are derived from fields of a mixin are checked for duplicates only; their form is
    /// checked at the mixin.
    ///
    /// ```yaml
    /// entity: Book
    /// fields:
    ///   author: Author
    ///   note: { type: String, column: author_id }   # reported: 'author' has this column, too
    /// ```
    mutating func checkColumns(of fields: [FieldDeclaration]) {
        var seen: [String: FieldDeclaration] = [:]
        for field in fields {
            let place = field.origin ?? field.column ?? field.name
            for column in scope.columns(of: field) {
                if field.origin == nil { checkColumn(Located(column, at: place.range)) }
                guard let first = seen[column.lowercased()] else {
                    seen[column.lowercased()] = field
                    continue
                }
                // Two fields with the same property are reported as duplicate properties.
                guard scope.property(of: first) != scope.property(of: field),
                    !field.isOfSameMixin(as: first)
                else { continue }
                let other = first.column ?? first.name
                add(
                    "two fields are stored in the column '\(column)'", at: place.range,
                    help: "name another column with 'column', or rename the field",
                    notes: field.mixinNotes + [
                        Diagnostic.Note("the other one stands here", at: other.range)
                    ])
            }
        }
    }

    /// Checks the length of a column's name and that it is not a system column.
    private mutating func checkColumn(_ column: Located<String>) {
        checkSQLName(column, kind: "column")
        guard Self.systemColumns.contains(column.value.lowercased()) else { return }
        add(
            "PostgreSQL has a column '\(column.value)' of its own in each table",
            at: column.range, help: "choose another one with 'column'")
    }

    /// Checks that no two entities share a table or a property of the set, and that no table has a
    /// reserved name.
    ///
    /// ```yaml
    /// entity: UserLog
    /// ---
    /// entity: User_Log   # reported: both have the table 'user_logs'
    /// ```
    mutating func checkTables() {
        var tables: [String: SourceRange] = [:]
        var properties: [String: Located<String>] = [:]
        for entity in scope.entities {
            let table = scope.table(of: entity)
            let name = entity.header.name
            checkSQLName(table, kind: "table")
            if table.value.lowercased().hasPrefix("sqlite_") {
                add(
                    "SQLite keeps names that begin with 'sqlite_' for itself", at: table.range,
                    help: "choose another one with 'table'")
            }
            if table.value.lowercased() == Self.ownTable {
                add(
                    "the stores keep a table '\(Self.ownTable)' of their own", at: table.range,
                    help: "choose another one with 'table'")
            }
            let property = Naming.repositoryPropertyName(for: name.value)
            if let first = tables[table.value.lowercased()] {
                add(
                    "two entities are stored in the table '\(table.value)', ignoring case",
                    at: table.range, help: "name another table with 'table'",
                    notes: [Diagnostic.Note("the other one stands here", at: first)])
            } else if let first = properties[property], first.value != name.value {
                add(
                    "the repositories of two entities become the property '\(property)'",
                    at: name.range, help: "rename one of the entities",
                    notes: [
                        Diagnostic.Note("'\(first.value)' is declared here", at: first.range)
                    ])
            }
            tables[table.value.lowercased()] = table.range
            properties[property] = name
        }
    }

    /// Checks the length of the name of a table, column or index.
    ///
    /// - Parameter kind: The kind of object, for the message.
    mutating func checkSQLName(_ name: Located<String>, kind: String) {
        let bytes = name.value.utf8.count
        guard bytes > Self.longestName else { return }
        add(
            "the name of the \(kind) is \(bytes) bytes long; PostgreSQL takes \(Self.longestName)",
            at: name.range, help: "give it a shorter one")
    }
}
