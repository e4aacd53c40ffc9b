#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// Compares an unmanaged table or view, which the store neither creates nor changes, with its
    /// declaration.
    ///
    /// The table must enforce everything that the schema declares: a missing key, unique index or
    /// foreign key is a difference. Anything that the table has beyond its declaration is allowed,
    /// except a required column without a default.
    struct PostgreSQLUnmanagedTable {
        private let table: SQLTable
        private let isView: Bool
        private let columns: [PostgreSQLCatalog.Column]
        private let indexes: [PostgreSQLCatalog.Index]
        private let keys: [PostgreSQLCatalog.ForeignKey]

        /// Reads a table from the catalog and compares it.
        ///
        /// - Returns: a description of every difference, and the columns that contain JSON.
        static func read(
            _ table: SQLTable, _ connection: PostgreSQLConnection
        ) async throws -> (differences: [String], jsonColumns: Set<String>) {
            guard let kind = try await PostgreSQLCatalog.kind(of: table.name, connection) else {
                return (["the table '\(table.name)' is declared and not there"], [])
            }
            let isView = kind == "v" || kind == "m"
            if isView, !table.entity.isReadOnly {
                return (
                    [
                        "'\(table.name)' is a view and cannot be written: declare 'readOnly: true'"
                    ], []
                )
            }
            let found = Self(
                table: table, isView: isView,
                columns: try await PostgreSQLCatalog.details(ofColumnsOf: table.name, connection),
                indexes: try await PostgreSQLCatalog.indexes(of: table.name, connection),
                keys: try await PostgreSQLCatalog.foreignKeys(of: table.name, connection))
            return (found.differences, found.jsonColumns)
        }

        /// The columns that contain JSON.
        private var jsonColumns: Set<String> {
            Set(
                columns.filter { [PostgreSQLType.json, PostgreSQLType.jsonb].contains($0.type) }
                    .map(\.name))
        }

        private var differences: [String] {
            var differences = table.columns.indices.flatMap(compare) + undeclared
            // A view has no constraints and no indexes of its own to compare.
            if !isView { differences += key + declaredIndexes }
            return differences + references
        }

        /// Compares a declared column.
        private func compare(_ position: Int) -> [String] {
            let column = table.columns[position]
            let place = "the column '\(column.name)' of '\(table.name)'"
            guard let found = columns.first(where: { $0.name == column.name }) else {
                return ["\(place) is declared and not there"]
            }
            var differences: [String] = []
            if let reason = unfitness(found, column) {
                differences.append("\(place) has the type \(found.declaredType), \(reason)")
            }
            if let collation = found.looseCollation, column.form == .text {
                differences.append(
                    "\(place) has the collation '\(collation)', by which strings of different bytes are equal"
                )
            }
            if !table.entity.isReadOnly {
                differences += writing(found, column, place, isKey: table.key.contains(position))
            }
            guard !isView, column.isWritten, column.isOptional == found.isNotNull else {
                return differences
            }
            differences.append(
                "\(place) is \(found.isNotNull ? "NOT NULL and declared as optional" : "not NOT NULL and declared as required")"
            )
            return differences
        }

        /// Compares what a write of a column needs.
        private func writing(
            _ found: PostgreSQLCatalog.Column, _ column: SQLColumn, _ place: String, isKey: Bool
        ) -> [String] {
            if column.isWritten {
                return found.isGenerated || (found.isAlwaysIdentity && !isKey)
                    ? [
                        "\(place) is computed by the database and cannot be written: declare 'computed: true'"
                    ] : []
            }
            guard found.isNotNull, !found.isGenerated, !found.hasDefault else { return [] }
            return [
                "\(place) is declared as never written, and a record without it cannot be stored: it is NOT NULL and has no default"
            ]
        }

        /// The required columns that are not declared.
        private var undeclared: [String] {
            if table.entity.isReadOnly { return [] }
            let declared = Set(table.columns.map(\.name))
            return columns.filter {
                $0.isNotNull && !$0.hasDefault && !$0.isGenerated && !declared.contains($0.name)
            }.map {
                "the column '\($0.name)' of '\(table.name)' is not declared, and a record without it cannot be stored: it is NOT NULL and has no default"
            }
        }

        /// Checks that the id is the primary key or has a unique index.
        private var key: [String] {
            let names = table.keyNames
            return indexes.contains { isUnique($0, over: names) }
                ? [] : ["the id \(list(names)) of '\(table.name)' is neither its key nor unique"]
        }

        /// Checks that each declared index has an equivalent in the database.
        ///
        /// A unique index must have the same columns. Any other index is covered by one that begins
        /// with its columns. An expression has no name.
        private var declaredIndexes: [String] {
            table.entity.indexes.compactMap { index in
                let names = index.keys.flatMap { key in
                    key.path.names.isEmpty
                        ? table.columns(ofField: key.field).map { table.columns[$0].name } : [""]
                }
                let described = index.keys.map { "'\($0.path.text(in: table.entity.layout))'" }
                    .joined(separator: ", ")
                // The condition of a partial index is SQL and is not parsed.
                let usable = indexes.filter { !$0.isPartial || index.condition != nil }
                let isThere =
                    index.isUnique
                    ? usable.contains { $0.isUnique && Set($0.columns) == Set(names) }
                    : usable.contains { $0.columns.starts(with: names) }
                let kind = index.isUnique ? "a unique index" : "an index"
                return isThere
                    ? nil : "\(kind) over \(described) of '\(table.name)' is declared and not there"
            }
        }

        /// Checks that each declared reference has a foreign key with an accepted action.
        private var references: [String] {
            table.references.compactMap { reference in
                let pairs = Set(zip(reference.columns, reference.targetColumns).map { [$0, $1] })
                let isThere = keys.contains {
                    $0.table == reference.table
                        && Set($0.pairs.map { [$0.column, $0.target] }) == pairs
                        && reference.acceptedActions.contains($0.action)
                }
                return isThere
                    ? nil
                    : "the foreign key of \(list(reference.columns)) in '\(table.name)' to '\(reference.table)' with 'onDelete: \(reference.onDelete.rawValue)' is not there; 'onDelete: none' asks for none"
            }
        }

        private func isUnique(_ index: PostgreSQLCatalog.Index, over names: [String]) -> Bool {
            index.isUnique && !index.isPartial && Set(index.columns) == Set(names)
        }

        private func list(_ names: [String]) -> String {
            names.map { "'\($0)'" }.joined(separator: ", ")
        }
    }

    /// Decides which types of columns hold the values of a representation.
    extension PostgreSQLUnmanagedTable {
        /// Returns why the type of a column does not fit the representation; `nil` if it does.
        private func unfitness(
            _ found: PostgreSQLCatalog.Column, _ column: SQLColumn
        ) -> String? {
            if column.form == .date {
                let isDeclared = table.entity.fields[column.field].isTimestamp
                guard found.type == PostgreSQLType.timestamp else {
                    if found.type == PostgreSQLType.timestamptz, !isDeclared { return nil }
                    return found.type == PostgreSQLType.timestamptz
                        ? "and 'storedAs: { postgresql: timestamp }' is declared"
                        : "which does not keep dates"
                }
                return isDeclared
                    ? nil : "which 'storedAs: { postgresql: timestamp }' declares to contain UTC"
            }
            if case .numeric(let scale) = column.form, found.type == PostgreSQLType.numeric {
                guard let other = found.scale, scale != other else { return nil }
                return "which rounds: declare 'scale: \(other)'"
            }
            return Self.holds(found, column.form) ? nil : "which does not keep \(column.form.words)"
        }

        /// Returns whether a column holds all values of a representation other than dates and
        /// decimals, and no others.
        private static func holds(
            _ column: PostgreSQLCatalog.Column, _ form: SQLColumnForm
        ) -> Bool {
            switch form {
            case .boolean: column.type == PostgreSQLType.bool
            // A number that does not fit is an error of the database.
            case .integer:
                [PostgreSQLType.int2, PostgreSQLType.int4, PostgreSQLType.int8].contains(
                    column.type)
            case .float: column.type == PostgreSQLType.float4
            case .double: [PostgreSQLType.float4, PostgreSQLType.float8].contains(column.type)
            case .day: column.type == PostgreSQLType.date
            case .uuid: column.type == PostgreSQLType.uuid
            case .data: column.type == PostgreSQLType.bytea
            case .json: [PostgreSQLType.json, PostgreSQLType.jsonb].contains(column.type)
            case .text:
                column.kind == "e"
                    || ["text", "varchar", "bpchar", "citext", "json", "jsonb"].contains(
                        column.typeName)
            case .anyText: true
            default: false
            }
        }
    }

    extension SQLColumnForm {
        /// What a column of the representation contains, for messages.
        fileprivate var words: String {
            switch self {
            case .boolean: "truth values"
            case .integer: "integers"
            case .float, .double: "floating-point numbers"
            case .numeric: "decimals"
            case .day: "days"
            case .uuid: "UUIDs"
            case .data: "bytes"
            case .json: "lists, maps and embedded values"
            default: "strings"
            }
        }
    }
#endif
