#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// How Citus has distributed a table.
    enum CitusDistribution: Equatable {
        /// By the hash of a column.
        case column(String)
        /// Every node has all rows.
        case everywhere
    }

    /// Reads the catalog of Citus.
    enum CitusCatalog {
        /// The statement that each transaction begins with, if tables are distributed. Statements
        /// for several shards then use one connection per node, so that they see what the
        /// transaction has changed.
        static let sequential = "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'"

        /// The statement that lets one program at a time change the tables of a database. Two that
        /// distribute tables at once would wait for each other's locks on the nodes.
        static let lock = "SELECT pg_advisory_xact_lock(7236837492117309491)"

        /// Returns whether a server is the node of a Citus cluster.
        static func isInstalled(_ connection: any PostgreSQLRunner) async throws -> Bool {
            try await connection.run("SELECT 1 FROM pg_extension WHERE extname = 'citus'").count > 0
        }

        /// Returns the distributed tables of the current schema.
        static func distributions(
            _ connection: any PostgreSQLRunner
        ) async throws -> [String: CitusDistribution] {
            // Local tables that refer to tables of all nodes are listed, too: 'n' without copies.
            let result = try await connection.run(
                """
                SELECT c.relname::text, column_to_column_name(p.logicalrelid, p.partkey)::text \
                FROM pg_dist_partition AS p JOIN pg_class AS c ON c.oid = p.logicalrelid \
                JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                WHERE n.nspname = current_schema() AND (p.partmethod = 'h' OR p.repmodel = 't')
                """)
            var found: [String: CitusDistribution] = [:]
            for row in 0..<result.count {
                guard let table = result.text(row, 0) else { continue }
                found[table] = result.text(row, 1).map { .column($0) } ?? .everywhere
            }
            return found
        }
    }

    /// The distributed tables of a database, and those that still have to be distributed.
    struct CitusTables {
        /// Whether the server is the node of a cluster.
        let isInstalled: Bool
        /// The tables that the schema distributes and the database does not.
        let missing: [String]
        /// The tables that are distributed in another way than the schema declares.
        let differences: [String]
        /// The distributed tables whose distribution the schema does not declare.
        let undeclared: Set<String>
        /// Whether some table of the schema is distributed, or will be.
        let isSpread: Bool

        /// What is known of a server that is no node of a cluster.
        private init() {
            (isInstalled, missing, differences, isSpread) = (false, [], [], false)
            undeclared = []
        }

        /// Throws `unsupported` if a migration would copy a table whose distribution the schema
        /// does not declare: the copy would not be distributed.
        func requireDeclared(_ copied: Set<String>) throws {
            guard let table = undeclared.intersection(copied).min() else { return }
            throw CRUDRepositoryError.unsupported(
                "a migration that copies the distributed table '\(table)', which the schema does "
                    + "not distribute",
                by: "PostgreSQL with Citus")
        }

        /// Compares the tables of a schema with the catalog.
        ///
        /// - Parameters:
        ///   - tables: the declared tables.
        ///   - opening: the steps that give stored tables and columns their declared names.
        ///   - connection: the connection.
        /// - Throws: `unsupported` for a distributed table with a key that Citus cannot support.
        static func read(
            _ tables: [SQLTable], after opening: SchemaOpening, _ connection: any PostgreSQLRunner
        ) async throws -> CitusTables {
            guard tables.contains(where: \.entity.isManaged),
                try await CitusCatalog.isInstalled(connection)
            else { return CitusTables() }
            let found = try await CitusCatalog.distributions(connection)
            return try CitusTables(tables, opening.renaming(found))
        }

        private init(_ tables: [SQLTable], _ found: [String: CitusDistribution]) throws {
            let managed = tables.filter(\.entity.isManaged)
            let declared = managed.filter { $0.declaredDistribution != nil }
            for table in declared { try table.requireDistribution() }
            isInstalled = true
            missing = declared.map(\.name).filter { found[$0] == nil }.sorted()
            differences = declared.compactMap { table in
                guard let stored = found[table.name], stored != table.declaredDistribution else {
                    return nil
                }
                return "the table '\(table.name)' is distributed \(Self.text(stored)), not "
                    + Self.text(table.declaredDistribution)
            }
            undeclared = Set(
                managed.filter { $0.declaredDistribution == nil && found[$0.name] != nil }
                    .map(\.name))
            isSpread = !declared.isEmpty || managed.contains { found[$0.name] != nil }
        }

        private static func text(_ distribution: CitusDistribution?) -> String {
            switch distribution {
            case .column(let name)?: "by '\(name)'"
            case .everywhere?: "everywhere"
            case nil: "at all"
            }
        }
    }

    extension SchemaOpening {
        /// The declared names of the tables that are renamed, by their stored names.
        var renamedTables: [String: String] {
            var names: [String: String] = [:]
            for case .renameTable(let from, let to) in steps { names[from] = to }
            return names
        }

        /// Returns the distributions of stored tables under the names that the tables and their
        /// columns have after the steps.
        fileprivate func renaming(
            _ found: [String: CitusDistribution]
        ) -> [String: CitusDistribution] {
            let names = renamedTables
            var renamed: [String: CitusDistribution] = [:]
            // A table can get the name of one that is dropped.
            for (name, distribution) in found where !removedTables.contains(name) {
                renamed[names[name] ?? name] = distribution
            }
            // The stored columns are compared: two columns can exchange their names.
            let stored = renamed
            for case .renameColumn(let table, let from, let to) in steps
            where stored[table] == .column(from) {
                renamed[table] = .column(to)
            }
            return renamed
        }
    }

    extension SQLTable {
        /// The distribution that the schema declares; `nil` if there is none.
        var declaredDistribution: CitusDistribution? {
            switch entity.distribution {
            case .field(let field)?: .column(columns[offsets[field]].name)
            case .everywhere?: .everywhere
            case nil: nil
            }
        }

        /// The statement that distributes the table; `nil` if the schema declares no distribution.
        var distributeStatement: String? {
            let dialect = PostgreSQLDialect()
            let table = dialect.textLiteral(dialect.quoted(name))
            return switch declaredDistribution {
            case .column(let column)?:
                "SELECT create_distributed_table(\(table), \(dialect.textLiteral(column)), "
                    + "colocate_with => \(neighbor(column)))"
            case .everywhere?: "SELECT create_reference_table(\(table))"
            case nil: nil
            }
        }

        /// The expression for the table whose nodes the table shares, preferably one of the same
        /// schema; 'none' if there is none.
        ///
        /// Without it, Citus chooses by the type alone. It then fails if the oldest distributed
        /// table with that type, which another program may have created, has another collation.
        private func neighbor(_ column: String) -> String {
            let dialect = PostgreSQLDialect()
            return """
                coalesce((SELECT format('%I.%I', n.nspname, c.relname) \
                FROM pg_dist_partition AS p JOIN pg_class AS c ON c.oid = p.logicalrelid \
                JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                JOIN pg_attribute AS a ON a.attrelid = c.oid \
                AND a.attname = column_to_column_name(p.logicalrelid, p.partkey) \
                JOIN pg_attribute AS o ON o.atttypid = a.atttypid \
                AND o.attcollation = a.attcollation \
                WHERE p.partmethod = 'h' \
                AND o.attrelid = \(dialect.textLiteral(dialect.quoted(name)))::regclass \
                AND o.attname = \(dialect.textLiteral(column)) \
                ORDER BY n.nspname = current_schema() DESC, p.colocationid LIMIT 1), 'none')
                """
        }

        /// Throws `unsupported` if the table needs what Citus lacks: a trigger, or a statement that
        /// writes a local table, too.
        fileprivate func requireDistribution() throws {
            let reason =
                !entity.searchedFields.isEmpty
                ? "'search'"
                : !entity.externalFields.isEmpty
                    ? "external data" : entity.hasEncryptedFields ? "encrypted fields" : nil
            guard let reason else { return }
            var error = CRUDRepositoryError.unsupported(
                "\(reason) in the distributed table '\(name)'", by: "PostgreSQL with Citus")
            error.table = name
            throw error
        }
    }
#endif
