#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// The references between tables, and their distribution over the nodes of a cluster.
    extension PostgreSQLSchemaUpgrade {
        /// Whether a stored table has to be distributed.
        var distributesStoredTables: Bool {
            let names = opening.renamedTables
            return opening.stored.tables.contains {
                distributed.missing.contains(names[$0.name] ?? $0.name)
            }
        }

        /// Distributes the tables that the schema declares to be distributed. Those that a
        /// migration has copied are distributed again.
        func distribute() throws {
            guard distributed.isInstalled else { return }
            let found = try connection.wait { try await CitusCatalog.distributions($0) }
            for table in tables.values.sorted(by: { $0.name < $1.name })
            where found[table.name] == nil {
                guard let text = table.distributeStatement else { continue }
                let name = dialect.quoted(table.name)
                let hasRecords = try connection.hasRow("SELECT 1 FROM \(name)")
                try run(text)
                if !hasRecords { continue }
                // Citus copies the records to the nodes and hides those on the coordinator. They
                // would take up space, and a unique index would be checked against them.
                try run(
                    "SELECT truncate_local_data_after_distributing_table(\(dialect.textLiteral(name)))"
                )
            }
        }

        /// Adds the references of all tables, after those to records that are gone were resolved.
        ///
        /// - Parameter converted: the tables in which records may be gone.
        func addAllReferences(_ converted: Set<String>) throws {
            _ = try resolveReferences(converted)
            for table in tables.values.sorted(by: { $0.name < $1.name }) {
                for reference in table.references { try add(reference, table) }
            }
        }

        /// Adds the references of a new table or field.
        func addReferences(_ step: SchemaStep) throws {
            switch step {
            case .createTable(let name):
                guard let table = tables[name] else { return }
                for reference in table.references { try add(reference, table) }
            case .addField(let name, let field):
                guard let table = tables[name] else { return }
                for reference in table.references
                where table.fieldName(reference.field) == field
                    && !opening.unverifiedTables.contains(name)
                {
                    try add(reference, table)
                }
            default: break
            }
        }

        /// - Throws: `schemaMismatch` if records refer to others that are not there.
        private func add(_ reference: SQLReference, _ table: SQLTable) throws {
            try connection.runSimple("SAVEPOINT repository_reference")
            do {
                let isDistributed = distributed.isInstalled
                for text in PostgreSQLSchemaText(table).add(reference, distributed: isDistributed) {
                    try run(text)
                }
            } catch let error as PostgreSQLError
                where error.isForeignKey || error.state == "23514"
            {
                try connection.runSimple("ROLLBACK TO SAVEPOINT repository_reference")
                throw danglingReferences(
                    table,
                    opening.hasHistory
                        ? try SQLMigratedRecords(table, connection).dangling() : nil)
            }
            try connection.runSimple("RELEASE SAVEPOINT repository_reference")
        }

        /// Replaces the references of some columns, or of all.
        func replaceReferences(
            of table: SQLTable, columns: [String]? = nil
        ) throws {
            for constraint in try constraints(of: table.name)
            where constraint.kind == "f"
                && (columns == nil || table.reference(over: constraint.columns)?.columns == columns)
            {
                try run(
                    "ALTER TABLE \(dialect.quoted(table.name)) DROP CONSTRAINT \(dialect.quoted(constraint.name))"
                )
            }
            for reference in table.references
            where columns == nil || reference.columns == columns {
                try add(reference, table)
            }
        }
    }
#endif
