#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// The records and bytes that a migration rewrites or reads.
    struct PostgreSQLMigrationSize {
        private let opening: SchemaOpening
        private let dialect = PostgreSQLDialect()

        init(_ opening: SchemaOpening) { self.opening = opening }

        /// The tables whose stored records are rewritten: the declared and the stored names.
        private var rewritten: [(name: String, stored: String)] {
            opening.migrations.keys.sorted().map { name in
                for case .renameTable(let old, let new) in opening.steps where new == name {
                    return (name, old)
                }
                return (name, name)
            }
        }

        /// Returns the tables that are rewritten or that functions over several tables read, by
        /// name.
        func tables(_ connection: PostgreSQLConnection) async throws -> [MigrationPlan.Table] {
            let read = opening.readTables.map { (name: $0, stored: $0) }
            var tables: [MigrationPlan.Table] = []
            for table in (rewritten + read).sorted(by: { $0.name < $1.name }) {
                let name = dialect.quoted(table.stored)
                let result = try await connection.run(
                    "SELECT count(*), pg_total_relation_size($1::regclass) FROM \(name)",
                    PostgreSQLCatalog.parameters([name]))
                tables.append(
                    MigrationPlan.Table(
                        name: table.name, records: Int(result.integer(0, 0) ?? 0),
                        bytes: Int(result.integer(0, 1) ?? 0)))
            }
            return tables
        }

        /// Returns the number of bytes that rewriting tables needs on the server: new tables, and
        /// their pages in the write-ahead log.
        static func needed(for tables: [MigrationPlan.Table]) -> Int {
            2 * tables.reduce(0) { $0 + $1.bytes }
        }

        /// Returns the number of records that are rewritten, and the numbers in the tables that
        /// functions over several tables read, by stored name.
        func records(
            _ connection: PostgreSQLBlockingConnection
        ) throws -> (rewritten: Int, read: [String: Int]) {
            func count(_ table: String) throws -> Int {
                try connection.integer("SELECT count(*) FROM \(dialect.quoted(table))")
            }
            return (
                try rewritten.reduce(0) { try $0 + count($1.stored) },
                try opening.readTables.reduce(into: [:]) { $0[$1] = try count($1) }
            )
        }
    }
#endif
