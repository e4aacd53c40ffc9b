#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// The statements that create a table, its indexes and its references.
    struct PostgreSQLSchemaText {
        private let table: SQLTable
        private let dialect = PostgreSQLDialect()
        private let text: SQLSchemaText

        init(_ table: SQLTable) {
            self.table = table
            text = SQLSchemaText(table, PostgreSQLDialect())
        }

        private var name: String { dialect.quoted(table.name) }

        /// Creates the table and its indexes. References follow when all tables exist.
        func create() -> [String] {
            [text.createTable()] + table.entity.indexes.map(createIndex)
        }

        /// Adds the columns of a field.
        func addField(_ field: Int) -> [String] {
            var statements = table.columns(ofField: field).map { position -> String in
                let column = table.columns[position]
                return "ALTER TABLE \(name) ADD COLUMN \(text.definition(of: column))"
            }
            for position in table.columns(ofField: field) {
                let column = table.columns[position]
                guard let folded = text.foldedDefinition(of: column) else { continue }
                statements.append("ALTER TABLE \(name) ADD COLUMN \(folded)")
            }
            if table.counts[field] > 1, let check = text.togetherCheck(field) {
                statements.append("ALTER TABLE \(name) ADD \(check)")
            }
            return statements
        }

        /// Adds a reference. It is checked at the end of a transaction, so that records may refer to
        /// each other in any order.
        ///
        /// - Parameter distributed: whether the tables are distributed, if the schema declares it.
        func add(_ reference: SQLReference, distributed: Bool) -> [String] {
            let constraint = table.constraintName(of: reference)
            let columns = distributed ? table.keyColumns(of: reference) : reference.columns
            var statements = [
                "ALTER TABLE \(name) ADD CONSTRAINT \(dialect.quoted(constraint)) FOREIGN KEY "
                    + "(\(dialect.list(columns))) \(text.references(reference)) "
                    + "DEFERRABLE INITIALLY DEFERRED"
            ]
            if distributed, let check = table.nodeCheck(of: reference) {
                let quoted = dialect.quoted(check.name)
                statements += [
                    "ALTER TABLE \(name) DROP CONSTRAINT IF EXISTS \(quoted)",
                    "ALTER TABLE \(name) ADD CONSTRAINT \(quoted) CHECK (\(check.condition))",
                ]
            }
            return statements
        }

        /// Creates an index. A unique one is a constraint, because only constraints can be checked
        /// at the end of a call.
        func createIndex(_ index: TableIndex) -> String {
            let quoted = dialect.quoted(table.constraintName(index.name))
            let filter = text.condition(of: index).map { " WHERE (\($0))" } ?? ""
            guard index.isUnique else {
                let keys = keys(of: index).map { key in
                    dialect.orderTerm(
                        key.text, isDescending: key.isDescending, isOptional: key.isOptional)
                }
                return
                    "CREATE INDEX \(quoted) ON \(name) (\(keys.joined(separator: ", ")))\(filter)"
            }
            let head = "ALTER TABLE \(name) ADD CONSTRAINT \(quoted) "
            let isPlain =
                index.condition == nil && !table.entity.encryptsKey(of: index)
                && index.keys.allSatisfy { $0.path.names.isEmpty }
            if isPlain {
                let columns = keys(of: index).map(\.text).joined(separator: ", ")
                return head + "UNIQUE (\(columns)) DEFERRABLE INITIALLY IMMEDIATE"
            }
            // A unique constraint has neither a condition nor expressions.
            let keys = keys(of: index).map { "\($0.text) WITH =" }.joined(separator: ", ")
            return head + "EXCLUDE USING btree (\(keys))\(filter) DEFERRABLE INITIALLY IMMEDIATE"
        }

        /// Drops an index or the constraint that it belongs to.
        func dropIndex(_ index: String) -> [String] {
            let quoted = dialect.quoted(table.constraintName(index))
            return [
                "ALTER TABLE \(name) DROP CONSTRAINT IF EXISTS \(quoted)",
                "DROP INDEX IF EXISTS \(quoted)",
            ]
        }

        private func keys(
            of index: TableIndex
        ) -> [(text: String, isDescending: Bool, isOptional: Bool)] {
            index.keys.flatMap { key in
                let column = table.columns[table.offsets[key.field]]
                if column.isHashed {
                    return [("(\(column.head(dialect)))", key.descending, column.isOptional)]
                }
                return (table.operands(key.path, dialect) ?? []).map { operand in
                    let isColumn = key.path.names.isEmpty
                    return (
                        isColumn ? operand.text : "(\(operand.text))", key.descending,
                        operand.isOptional
                    )
                }
            }
        }

        /// The expression of an index that is not unique must be that of the queries.
        ///
        /// Returns the condition of a check of the table, or of the rules of a column.
        func check(of column: SQLColumn) -> String? { text.check(of: column) }

        /// Returns the condition of a check.
        func condition(of check: TableCheck) -> String? { text.condition(of: check) }

        /// Returns the check that all columns of a composite reference are null or none.
        func togetherCheck(_ field: Int) -> String? { text.togetherCheck(field) }
    }
#endif
