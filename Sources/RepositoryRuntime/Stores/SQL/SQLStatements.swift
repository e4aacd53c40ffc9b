/// The statements that read and write the records of a table.
///
/// In those that write a whole record parameter `n` is column `n`, counted from 1, so that one
/// binder serves all; in those that take an id parameter `n` is its component `n`.
package struct SQLStatements: Sendable {
    private let table: SQLTable
    private let dialect: any SQLDialect
    private let name: String
    private let columnList: String
    private let orderByKey: String

    /// `INSERT` of a record.
    package let insert: String
    /// `INSERT` of a record, or replacement of the one of its id.
    package let upsert: String
    /// Replacement of the record of this id.
    package let update: String
    /// The same where the version is parameter `columns + 1`; nil for an entity without one.
    package let updateVersion: String?
    /// Deletion of the record of an id.
    package let delete: String
    /// Deletion of all records.
    package let deleteAll: String
    /// The record of an id.
    package let select: String
    /// One row where there is a record of an id.
    package let exists: String
    /// The version of the record of an id; nil for an entity without one.
    package let version: String?
    /// The number of records.
    package let count: String
    /// All ids, in order.
    package let ids: String
    /// The first records in id order; parameter 1 is the limit.
    package let firstPage: String
    /// The records after an id in id order; the limit is the parameter after the id's components.
    package let nextPage: String

    /// Writes the statements of a table in a dialect.
    package init(_ table: SQLTable, _ dialect: any SQLDialect) {
        self.table = table
        self.dialect = dialect
        name = dialect.quoted(table.name)
        let columns = table.columns.map { dialect.quoted($0.name) }
        let places = columns.indices.map { dialect.placeholder($0 + 1) }
        columnList = columns.joined(separator: ", ")
        let keyNames = table.keyNames.map { dialect.quoted($0) }
        orderByKey = " ORDER BY \(keyNames.joined(separator: ", "))"
        let hasID = zip(keyNames, keyNames.indices)
            .map { "\($0) = \(dialect.placeholder($1 + 1))" }.joined(separator: " AND ")
        let isRecord = table.key.map { "\(columns[$0]) = \(places[$0])" }.joined(separator: " AND ")
        // A record that is nothing but its id is found by an update although there is nothing to
        // set.
        let changed = columns.indices.filter { !table.key.contains($0) }
        // Folded text is made of the parameter of its column.
        let folded = table.columns.indices.compactMap { position in
            table.columns[position].foldedName.map {
                (name: dialect.quoted($0), value: dialect.caseFolded(places[position]))
            }
        }
        let written = columns + folded.map { $0.name }
        let values = places + folded.map { $0.value }
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
            + " VALUES (\(values.joined(separator: ", ")))"
        upsert = "\(insert) ON CONFLICT (\(keyNames.joined(separator: ", "))) DO \(replacement)"
        update = "UPDATE \(name) SET \(sets) WHERE \(isRecord)"
        delete = "DELETE FROM \(name) WHERE \(hasID)"
        deleteAll = "DELETE FROM \(name)"
        select = "SELECT \(columnList) FROM \(name) WHERE \(hasID)"
        exists = "SELECT 1 FROM \(name) WHERE \(hasID)"
        count = "SELECT count(*) FROM \(name)"
        ids = "SELECT \(keyNames.joined(separator: ", ")) FROM \(name)\(orderByKey)"
        firstPage =
            "SELECT \(columnList) FROM \(name)\(orderByKey) LIMIT \(dialect.placeholder(1))"
        let (left, right) = (
            keyNames.joined(separator: ", "),
            keyNames.indices.map { dialect.placeholder($0 + 1) }.joined(separator: ", ")
        )
        let isAfter = keyNames.count == 1 ? "\(left) > \(right)" : "(\(left)) > (\(right))"
        nextPage =
            "SELECT \(columnList) FROM \(name) WHERE \(isAfter)\(orderByKey)"
            + " LIMIT \(dialect.placeholder(keyNames.count + 1))"
        if let field = table.entity.versionField {
            let column = columns[table.offsets[field]]
            updateVersion = "\(update) AND \(column) = \(dialect.placeholder(columns.count + 1))"
            version = "SELECT \(column) FROM \(name) WHERE \(hasID)"
        } else {
            updateVersion = nil
            version = nil
        }
    }
}

extension SQLStatements {
    /// One row where a reference's target is there; its parameters are the components of the id
    /// referred to.
    package func target(_ reference: SQLReference) -> String {
        let conditions = reference.targetColumns.enumerated().map { index, column in
            "\(dialect.quoted(column)) = \(dialect.placeholder(index + 1))"
        }
        return "SELECT 1 FROM \(dialect.quoted(reference.table))"
            + " WHERE \(conditions.joined(separator: " AND "))"
    }
    /// The id of a record whose reference is to nothing.
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

    /// One row where a record refers to an id, whose components are the parameters.
    package func referrer(_ reference: SQLReference) -> String {
        let conditions = reference.columns.enumerated().map { index, column in
            "\(dialect.quoted(column)) = \(dialect.placeholder(index + 1))"
        }
        return "SELECT 1 FROM \(name) WHERE \(conditions.joined(separator: " AND ")) LIMIT 1"
    }
}
