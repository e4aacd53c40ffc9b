internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Compares an unmanaged table, which the store neither creates nor changes, with its declaration.
///
/// The table must enforce everything that the schema declares: a missing key, unique index or
/// foreign key is a difference. Anything that the table has beyond its declaration is allowed,
/// except a required column without a default.
struct SQLiteForeignTable {
    private let table: SQLTable
    private let connection: SQLiteConnection

    init(_ table: SQLTable, _ connection: SQLiteConnection) {
        self.table = table
        self.connection = connection
    }

    /// Returns a description of every difference.
    ///
    /// - Parameter names: the names of all tables of the database.
    func differences(among names: Set<String>) throws -> [String] {
        guard names.contains(where: { SQLiteCatalog.isSameName($0, table.name) }) else {
            return ["the table '\(table.name)' is declared and not there"]
        }
        let columns = try SQLiteCatalog.columns(of: table.name, connection)
        if try SQLiteCatalog.isView(table.name, connection) {
            guard table.entity.isReadOnly else {
                return ["'\(table.name)' is a view and cannot be written: declare 'readOnly: true'"]
            }
            // A view has no constraints and no indexes of its own to compare.
            return self.columns(columns, ofView: true) + (try foreignKeys())
        }
        let indexes = try SQLiteCatalog.contents(ofIndexesOf: table.name, connection)
        return self.columns(columns) + key(columns, indexes) + declaredIndexes(columns, indexes)
            + (try foreignKeys())
    }

    /// Compares the columns: existence, affinity, nullability, and undeclared required columns.
    ///
    /// - Parameters:
    ///   - found: the columns of the table.
    ///   - isView: whether they are those of a view, which does not say what may be null.
    private func columns(
        _ found: [SQLiteCatalog.Column], ofView isView: Bool = false
    ) -> [String] {
        let isReadOnly = table.entity.isReadOnly
        var differences: [String] = []
        for (position, column) in table.columns.enumerated() {
            let place = "the column '\(column.name)' of '\(table.name)'"
            guard let other = found.first(where: { SQLiteCatalog.isSameName($0.name, column.name) })
            else {
                if !isView, isRowNumber(column) { continue }
                differences.append("\(place) is declared and not there")
                continue
            }
            if other.isGenerated, column.isWritten, !isReadOnly {
                differences.append(
                    "\(place) is computed by the database and cannot be written: declare 'computed: true'"
                )
            }
            if !column.isWritten, !isReadOnly, other.isNotNull, !other.isGenerated,
                !other.hasDefault
            {
                differences.append(
                    "\(place) is declared as never written, and a record without it cannot be stored: it is NOT NULL and has no default"
                )
            }
            let affinity = SQLiteAffinity(declaredType: other.type)
            // A day does not look like a number, so that no affinity converts it.
            if !affinity.keeps(column.form), !isDay(column) {
                let type = other.type.isEmpty ? "no type" : "the type \(other.type)"
                differences.append(
                    "\(place) has \(type), which does not keep \(column.form.inWords)")
            }
            // SQLite allows null in a primary key unless the column is NOT NULL. This is rarely
            // intended, and ignored here.
            guard !isView, !table.key.contains(position), column.isWritten,
                column.isOptional == other.isNotNull
            else { continue }
            differences.append(
                "\(place) is \(other.isNotNull ? "NOT NULL and declared as optional" : "not NOT NULL and declared as required")"
            )
        }
        for other in found
        where !isReadOnly && other.isNotNull && !other.hasDefault && !other.isGenerated {
            let isKnown =
                table.columns.contains { SQLiteCatalog.isSameName($0.name, other.name) }
            guard !isKnown, other.keyPlace == 0 else { continue }
            differences.append(
                "the column '\(other.name)' of '\(table.name)' is not declared, and a record without it cannot be stored: it is NOT NULL and has no default"
            )
        }
        return differences
    }

    /// Returns whether a column is the row number of the table, which is in no list of columns.
    private func isRowNumber(_ column: SQLColumn) -> Bool {
        guard table.entity.isReadOnly, table.keyNames == [column.name],
            SQLiteCatalog.isSameName(column.name, "rowid")
        else { return false }
        return SQLiteCatalog.hasRowNumbers(table.name, connection)
    }

    /// Returns whether the values of a column are calendar days.
    private func isDay(_ column: SQLColumn) -> Bool {
        guard column.form == .text,
            case .single(.localDate, _) = table.entity.layout.fields[column.field].type.structure
        else { return false }
        return true
    }

    /// Checks that the id is the primary key or has a unique index that compares text by its bytes.
    private func key(
        _ columns: [SQLiteCatalog.Column], _ indexes: [SQLiteCatalog.Index]
    ) -> [String] {
        let names = table.keyNames
        if table.columns.contains(where: isRowNumber) { return [] }
        let primary = columns.filter { $0.keyPlace > 0 }.map(\.name)
        let unique = indexes.first { isUnique($0, over: names) }
        guard isSame(primary, names) || unique != nil else {
            return ["the id \(list(names)) of '\(table.name)' is neither its key nor unique"]
        }
        guard let unique else { return [] }
        return zip(unique.columns, unique.collations).compactMap { name, collation in
            guard collation.uppercased() != "BINARY",
                table.columns.contains(where: {
                    $0.form == .text && SQLiteCatalog.isSameName($0.name, name)
                })
            else { return nil }
            return
                "the id '\(name)' of '\(table.name)' is compared by \(collation), and ids are the same only where their bytes are"
        }
    }

    /// Checks that each declared index has an equivalent in the database.
    ///
    /// A unique index must have the same columns. Any other index is covered by an index or a
    /// primary key that begins with its columns.
    private func declaredIndexes(
        _ columns: [SQLiteCatalog.Column], _ indexes: [SQLiteCatalog.Index]
    ) -> [String] {
        let primary = columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }
            .map(\.name)
        return table.entity.indexes.compactMap { index in
            let parts = index.keys.flatMap { key in
                key.path.names.isEmpty
                    ? table.columns(ofField: key.field).map { Optional(table.columns[$0]) } : [nil]
            }
            // SQLite reports no name for an expression.
            let names = parts.map { $0.map { $0.ignoresCase ? "" : $0.name } ?? "" }
            let foldings = parts.compactMap(\.self).filter(\.ignoresCase).map { folded($0) }
            // The condition of a partial index is SQL and is not parsed. It may serve only an index
            // that is declared with a condition.
            let all = indexes
            let indexes = indexes.filter { other in
                (!other.isPartial || index.condition != nil)
                    && foldings.allSatisfy { other.text?.contains($0) ?? false }
            }
            let described = index.keys.flatMap { key in
                key.path.names.isEmpty
                    ? table.columns(ofField: key.field).map { table.columns[$0] }
                        .map { $0.ignoresCase ? folded($0) : $0.name }
                    : [key.path.text(in: table.entity.layout)]
            }
            if !index.isUnique, parts.count == 1, let column = parts[0], column.ignoresCase,
                hasIndexIgnoringASCIICase(of: column.name, all)
            {
                return nil
            }
            if index.isUnique {
                let isThere =
                    isSame(primary, names)
                    || indexes.contains { $0.isUnique && isSame($0.columns, names) }
                return isThere
                    ? nil
                    : "a unique index over \(list(described)) of '\(table.name)' is declared and not there"
            }
            let isThere = ([primary] + indexes.map(\.columns))
                .contains { leads($0, with: names) }
            return isThere
                ? nil
                : "an index over \(list(described)) of '\(table.name)' is declared and not there"
        }
    }

    /// Checks that each declared reference has a foreign key with an accepted `ON DELETE` action.
    private func foreignKeys() throws -> [String] {
        let found = try SQLiteCatalog.foreignKeys(of: table.name, connection)
        return table.references.compactMap { reference in
            let isThere = found.contains {
                SQLiteCatalog.isSameName($0.table, reference.table)
                    && leads($0.columns, with: reference.columns)
                    && $0.columns.count == reference.columns.count
                    && reference.acceptedActions.contains($0.rule)
            }
            return isThere
                ? nil
                : "the foreign key of \(list(reference.columns)) in '\(table.name)' to '\(reference.table)' with 'onDelete: \(reference.onDelete.rawValue)' is not there; 'onDelete: none' asks for none"
        }
    }

    /// Returns whether an index begins with a column, whose strings it compares without the case of
    /// ASCII letters. It serves searches for such strings.
    private func hasIndexIgnoringASCIICase(
        of name: String, _ indexes: [SQLiteCatalog.Index]
    ) -> Bool {
        indexes.contains {
            leads($0.columns, with: [name]) && $0.collations[0].uppercased() == "NOCASE"
                && !$0.isPartial
        }
    }

    /// Returns the folding expression of a column, as an index definition contains it.
    private func folded(_ column: SQLColumn) -> String {
        let dialect = SQLiteDialect()
        return dialect.caseFolded(dialect.quoted(column.name))
    }

    private func isUnique(_ index: SQLiteCatalog.Index, over names: [String]) -> Bool {
        index.isUnique && !index.isPartial && isSame(index.columns, names)
    }

    /// Returns whether two lists contain the same column names, in any order.
    private func isSame(_ left: [String], _ right: [String]) -> Bool {
        left.count == right.count
            && Set(left.map(SQLiteCatalog.folded)) == Set(right.map(SQLiteCatalog.folded))
    }

    /// Returns whether an index with `columns` begins with `names`.
    private func leads(_ columns: [String], with names: [String]) -> Bool {
        columns.map(SQLiteCatalog.folded).starts(with: names.map(SQLiteCatalog.folded))
    }

    private func list(_ names: [String]) -> String {
        names.map { "'\($0)'" }.joined(separator: ", ")
    }
}
