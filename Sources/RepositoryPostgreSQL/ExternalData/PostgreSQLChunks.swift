#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// The trigger that removes external data, whichever program changes or deletes its record.
    struct PostgreSQLChunks {
        /// The name of the trigger.
        static let trigger = "repository_chunks"

        private let table: String
        private let dialect = PostgreSQLDialect()

        /// Names the trigger on a table.
        init(of table: String) { self.table = table }

        /// The name of the function, and of the table of external data.
        private var name: String { dialect.quoted(ChunkTable.name(of: table, dialect)) }

        /// The statements that drop the trigger and its function.
        var dropTrigger: [String] {
            [
                "DROP TRIGGER IF EXISTS \"\(Self.trigger)\" ON \(dialect.quoted(table))",
                "DROP FUNCTION IF EXISTS \(name)()",
            ]
        }

        /// The statements that drop the external data of a table that was dropped.
        var drop: [String] {
            ["DROP FUNCTION IF EXISTS \(name)()", "DROP TABLE IF EXISTS \(name)"]
        }

        /// Returns the statements that replace the trigger. It runs with the rights of the owner, for
        /// every role that may write the records.
        ///
        /// - Parameter schema: the schema of the tables.
        static func replaceTrigger(_ chunks: ChunkTable, schema: String) -> [String] {
            let dialect = PostgreSQLDialect()
            let (function, records) = (chunks.quoted, dialect.quoted(chunks.table.name))
            let name = "\(dialect.quoted(schema)).\(function)"
            let old = chunks.recordKey.map { "OLD.\($0)" }
            let gone = chunks.contents.map { "OLD.\($0)" }.joined(separator: ", ")
            let kept = chunks.contents.map { "coalesce(NEW.\($0), '')" }.joined(separator: ", ")
            let body =
                "BEGIN IF TG_OP = 'DELETE' THEN DELETE FROM \(name) WHERE \(chunks.isKey(old)); "
                + "ELSE DELETE FROM \(name) WHERE \(chunks.isKey(old)) "
                + "AND \"content\" IN (\(gone)) AND \"content\" NOT IN (\(kept)); END IF; "
                + "RETURN NULL; END"
            return [
                "DROP TRIGGER IF EXISTS \"\(trigger)\" ON \(records)",
                "CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql "
                    + "SECURITY DEFINER SET search_path = pg_catalog, pg_temp "
                    + "AS \(dialect.textLiteral(body))",
                "CREATE TRIGGER \"\(trigger)\" AFTER DELETE OR UPDATE OF "
                    + "\(chunks.contents.joined(separator: ", ")) ON \(records) FOR EACH ROW "
                    + "EXECUTE FUNCTION \(function)()",
            ]
        }
    }

    extension PostgreSQLBlockingConnection: ChunkSession {
        /// Returns the problem of external data that no record has.
        func strayChunks(of table: SQLTable) throws -> [StoreCheck.Problem] {
            guard let chunks = ChunkTable(table, dialect) else { return [] }
            return chunks.problems(Int64(try integer(chunks.countStray)))
        }

        func hasTriggers(of chunks: ChunkTable) throws -> Bool {
            let table = PostgreSQLDialect().quoted(chunks.table.name)
            return try run(
                "SELECT 1 FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = $2",
                PostgreSQLCatalog.parameters([table, PostgreSQLChunks.trigger])
            ).count > 0
        }

        func createTriggers(of chunks: ChunkTable) throws {
            let schema = try texts("SELECT current_schema()::text").first ?? "public"
            for text in PostgreSQLChunks.replaceTrigger(chunks, schema: schema) { try run(text) }
        }

        func dropTriggers(ofChunksOf table: String) throws {
            for text in PostgreSQLChunks(of: table).dropTrigger { try run(text) }
        }
    }
#endif
