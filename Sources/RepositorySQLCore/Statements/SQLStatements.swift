internal import RepositoryRuntime

/// The statements that read and write the records of a table.
///
/// In statements that write a whole record, parameter `n` is column `n`, counted from 1, so that
/// one binder serves them all. In statements that take an id, parameter `n` is component `n` of the
/// id.
///
/// For a table `book` with the columns `id` and `title`, in SQLite:
///
/// ```sql
/// INSERT INTO "book" ("id", "title") VALUES (?1, ?2) ON CONFLICT ("id")
///     DO UPDATE SET "title" = excluded."title"        -- upsert
/// UPDATE "book" SET "title" = ?2 WHERE "id" = ?1      -- update
/// SELECT "id", "title" FROM "book" WHERE "id" = ?1    -- select
/// SELECT "id", "title" FROM "book" WHERE "id" > ?1 ORDER BY "id" LIMIT ?2    -- nextPage
/// ```
///
/// The texts are created once per table and store.
package struct SQLStatements: Sendable {
    /// The table that the statements read and write.
    private let table: SQLTable
    /// The dialect of the database.
    private let dialect: any SQLDialect
    /// The quoted name of the table.
    private let name: String
    /// The quoted columns, separated by commas.
    private let columnList: String
    /// The columns of the id as they are sorted, separated by commas.
    private let sortedKey: String
    /// The `ORDER BY` clause for the id order, with a leading space.
    private let orderByKey: String

    /// Inserts a record.
    package let insert: String
    /// Inserts a record, or replaces the record with the same id.
    package let upsert: String
    /// Replaces the record with the same id.
    package let update: String
    /// The number of the parameter with the expected version, which follows those of the record.
    package let versionParameter: Int
    /// Replaces the record with the same id if its version equals ``versionParameter``; nil for an
    /// entity without a version.
    package let updateVersion: String?
    /// Deletes the record with an id.
    package let delete: String
    /// Deletes all records.
    package let deleteAll: String
    /// Selects the record with an id.
    package let select: String
    /// Returns one row if there is a record with an id.
    package let exists: String
    /// Selects the version of the record with an id; nil for an entity without a version.
    package let version: String?
    /// Counts the records.
    package let count: String
    /// Selects all ids, in order.
    package let ids: String
    /// Selects the first records in id order. Parameter 1 is the limit.
    package let firstPage: String
    /// Selects the records after an id, in id order. The limit is the parameter after the
    /// components of the id.
    package let nextPage: String

    /// Creates the statements for a table in a dialect.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - dialect: the dialect of the database.
    ///   - other: the name of a copy of the table to use instead; the table's own name if nil.
    package init(_ table: SQLTable, _ dialect: any SQLDialect, in other: String? = nil) {
        self.table = table
        self.dialect = dialect
        name = dialect.quoted(other ?? table.name)
        let columns = table.columns.map { dialect.quoted($0.name) }
        let places = columns.indices.map { dialect.placeholder($0 + 1) }
        columnList = table.columns.map { table.selected($0, dialect) }.joined(separator: ", ")
        let keyNames = table.keyNames.map { dialect.quoted($0) }
        let (keys, sortedKeys) = (table.equatableKey(dialect), table.sortedKey(dialect))
        sortedKey = sortedKeys.joined(separator: ", ")
        orderByKey = " ORDER BY \(sortedKey)"
        let hasID = zip(keys, keys.indices)
            .map { "\($0) = \(dialect.placeholder($1 + 1))" }.joined(separator: " AND ")
        let isRecord = zip(keys, table.key).map { "\($0) = \(places[$1])" }
            .joined(separator: " AND ")
        // If a record has no fields except its id, the update assigns the id to itself, so that the
        // statement still reports whether the record exists.
        let changed = columns.indices.filter {
            !table.key.contains($0) && table.columns[$0].isWritten
        }
        // A column that the database computes keeps its parameter, which no statement uses.
        let given = columns.indices.filter { table.columns[$0].isWritten }
        // The folded string is computed from the parameter of its column, or a parameter itself.
        let foldedPositions = table.columns.indices.filter { table.columns[$0].foldedName != nil }
        let folded = foldedPositions.enumerated().map { number, position in
            (
                name: dialect.quoted(table.columns[position].foldedName ?? ""),
                value: dialect.foldsText
                    ? dialect.caseFolded(places[position])
                    : dialect.placeholder(columns.count + number + 1)
            )
        }
        versionParameter = columns.count + (dialect.foldsText ? 0 : folded.count) + 1
        let written = given.map { columns[$0] } + folded.map { $0.name }
        let values = given.map { places[$0] } + folded.map { $0.value }
        var assignments = (changed.isEmpty ? Array(table.key.prefix(1)) : changed)
            .map { "\(columns[$0]) = \(places[$0])" }
        assignments += folded.map { "\($0.name) = \($0.value)" }
        let sets = assignments.joined(separator: ", ")
        let replaced = changed.map { columns[$0] } + folded.map { $0.name }
        let replacement =
            changed.isEmpty
            ? "NOTHING"
            : "UPDATE SET "
                + replaced.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")

        insert =
            "INSERT INTO \(name) (\(written.joined(separator: ", ")))"
            + dialect.insertOption(table) + " VALUES (\(values.joined(separator: ", ")))"
        upsert = "\(insert) ON CONFLICT (\(keyNames.joined(separator: ", "))) DO \(replacement)"
        update = "UPDATE \(name) SET \(sets) WHERE \(isRecord)"
        delete = "DELETE FROM \(name) WHERE \(hasID)"
        deleteAll = "DELETE FROM \(name)"
        select = "SELECT \(columnList) FROM \(name) WHERE \(hasID)"
        exists = "SELECT 1 FROM \(name) WHERE \(hasID)"
        count = "SELECT count(*) FROM \(name)"
        let selectedKeys = table.key.map { table.selected(table.columns[$0], dialect) }
        ids = "SELECT \(selectedKeys.joined(separator: ", ")) FROM \(name)\(orderByKey)"
        firstPage =
            "SELECT \(columnList) FROM \(name)\(orderByKey) LIMIT \(dialect.placeholder(1))"
        let components = keyNames.indices.map { dialect.placeholder($0 + 1) }
        let isAfter = Self.isAfter(sortedKey, components)
        nextPage =
            "SELECT \(columnList) FROM \(name) WHERE \(isAfter)\(orderByKey)"
            + " LIMIT \(dialect.placeholder(keyNames.count + 1))"
        if let field = table.entity.versionField {
            let column = columns[table.offsets[field]]
            updateVersion = "\(update) AND \(column) = \(dialect.placeholder(versionParameter))"
            let selected = table.selected(table.columns[table.offsets[field]], dialect)
            version = "SELECT \(selected) FROM \(name) WHERE \(hasID)"
        } else {
            updateVersion = nil
            version = nil
        }
    }

    /// Returns the condition that an id comes after another one.
    private static func isAfter(_ key: String, _ components: [String]) -> String {
        components.count == 1
            ? "\(key) > \(components[0])" : "(\(key)) > (\(components.joined(separator: ", ")))"
    }

    /// Returns the statement that selects all records after an id, in id order.
    ///
    /// - Parameter components: the literals of the components of the id.
    package func following(_ components: [String]) -> String {
        "SELECT \(columnList) FROM \(name) WHERE \(Self.isAfter(sortedKey, components))"
            + orderByKey
    }

    /// Selects no record, for the types of the columns.
    package var noRecords: String { "SELECT \(columnList) FROM \(name) LIMIT 0" }
}

/// Statements for references. In contrast to the others, they are created on demand.
extension SQLStatements {
    /// Returns a statement with one result row if the target of a reference exists. The parameters
    /// are the components of the target's id.
    package func target(_ reference: SQLReference) -> String {
        let conditions = reference.targetColumns.enumerated().map { index, column in
            "\(dialect.quoted(column)) = \(dialect.placeholder(index + 1))"
        }
        return "SELECT 1 FROM \(dialect.quoted(reference.table))"
            + " WHERE \(conditions.joined(separator: " AND "))"
    }
    /// Returns a statement that selects the id of one record with a dangling reference.
    package func dangling(_ reference: SQLReference) -> String {
        let pairs = zip(reference.columns, reference.targetColumns).map { column, target in
            "target.\(dialect.quoted(target)) = \(name).\(dialect.quoted(column))"
        }
        let keys = table.keyNames.map { "\(name).\(dialect.quoted($0))" }.joined(separator: ", ")
        let first = reference.columns.first.map { "\(name).\(dialect.quoted($0))" } ?? "NULL"
        return "SELECT \(keys) FROM \(name) WHERE \(first) IS NOT NULL AND NOT EXISTS"
            + " (SELECT 1 FROM \(dialect.quoted(reference.table)) AS target"
            + " WHERE \(pairs.joined(separator: " AND "))) LIMIT 1"
    }

    /// Returns a statement with one result row if a record refers to an id. The parameters are the
    /// components of that id.
    package func referrer(_ reference: SQLReference) -> String {
        let conditions = reference.columns.enumerated().map { index, column in
            "\(dialect.quoted(column)) = \(dialect.placeholder(index + 1))"
        }
        return "SELECT 1 FROM \(name) WHERE \(conditions.joined(separator: " AND ")) LIMIT 1"
    }
}
