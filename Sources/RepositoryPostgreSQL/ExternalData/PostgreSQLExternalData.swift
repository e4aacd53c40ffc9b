#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// The names and statements of the external data of one table.
    ///
    /// A table of the store contains the chunks: for each, the id of the record, the value of the
    /// field, and the number of the chunk. A trigger removes the chunks of a value in the same
    /// transaction in which no field of the record has it any more, whichever program changes or
    /// deletes the record.
    struct PostgreSQLExternalData: Sendable {
        /// The table of the records.
        let table: SQLTable
        private let dialect = PostgreSQLDialect()

        /// Creates the names and statements; `nil` if the table has no external data.
        init?(_ table: SQLTable) {
            guard table.entity.isManaged, !table.entity.externalFields.isEmpty else { return nil }
            self.table = table
        }

        /// The name of the table of chunks, and of the function of the trigger.
        static func name(of table: String) -> String {
            PostgreSQLNames.short("repository_chunks_\(table)")
        }

        private var chunks: String { dialect.quoted(Self.name(of: table.name)) }
        private var name: String { dialect.quoted(table.name) }
        private var keys: [String] { table.key.indices.map { "\"k\($0)\"" } }
        private var keyColumns: [String] { table.keyNames.map { dialect.quoted($0) } }
        /// The columns of the external fields.
        private var columns: [String] {
            table.entity.externalFields.flatMap { field in
                table.columns(ofField: field).map { dialect.quoted(table.columns[$0].name) }
            }
        }

        private func isKey(_ values: [String]) -> String {
            zip(keys, values).map { "\($0) = \($1)" }.joined(separator: " AND ")
        }

        /// The statement that creates the table of chunks if it is not there.
        var createTable: String {
            let types = table.key.map { dialect.typeName(table.columns[$0].form) }
            let columns = zip(keys, types).map { "\($0) \($1) NOT NULL" }.joined(separator: ", ")
            let key = (keys + ["\"content\"", "\"number\""]).joined(separator: ", ")
            return
                "CREATE TABLE IF NOT EXISTS \(chunks) (\(columns), \"content\" text COLLATE \"C\" "
                + "NOT NULL, \"number\" bigint NOT NULL, \"data\" bytea NOT NULL, "
                + "PRIMARY KEY (\(key)))"
        }

        /// The statements that replace the trigger.
        var replaceTrigger: [String] {
            let old = keyColumns.map { "OLD.\($0)" }
            let gone = columns.map { "OLD.\($0)" }.joined(separator: ", ")
            let kept = columns.map { "coalesce(NEW.\($0), '')" }.joined(separator: ", ")
            let body =
                "BEGIN IF TG_OP = 'DELETE' THEN DELETE FROM \(chunks) WHERE \(isKey(old)); ELSE "
                + "DELETE FROM \(chunks) WHERE \(isKey(old)) AND \"content\" IN (\(gone)) "
                + "AND \"content\" NOT IN (\(kept)); END IF; RETURN NULL; END"
            return [
                "DROP TRIGGER IF EXISTS \"repository_chunks\" ON \(name)",
                // Another program may have another search path.
                "CREATE OR REPLACE FUNCTION \(chunks)() RETURNS trigger LANGUAGE plpgsql "
                    + "SET search_path FROM CURRENT AS \(dialect.textLiteral(body))",
                "CREATE TRIGGER \"repository_chunks\" AFTER DELETE OR UPDATE OF "
                    + "\(columns.joined(separator: ", ")) ON \(name) FOR EACH ROW "
                    + "EXECUTE FUNCTION \(chunks)()",
            ]
        }

        /// The statements that drop the external data of a table.
        ///
        /// - Parameter isThere: whether the table of the records still exists.
        static func drop(of table: String, isThere: Bool) -> [String] {
            let dialect = PostgreSQLDialect()
            let chunks = dialect.quoted(name(of: table))
            let trigger =
                "DROP TRIGGER IF EXISTS \"repository_chunks\" ON \(dialect.quoted(table))"
            return (isThere ? [trigger] : []) + [
                "DROP FUNCTION IF EXISTS \(chunks)()", "DROP TABLE IF EXISTS \(chunks)",
            ]
        }

        /// The statement that removes chunks of contents that no record has.
        var removeStray: String {
            let same = zip(keys, keyColumns).map { "t.\($1) = c.\($0)" }.joined(separator: " AND ")
            let contents = columns.map { "t.\($0)" }.joined(separator: ", ")
            return "DELETE FROM \(chunks) AS c WHERE NOT EXISTS (SELECT 1 FROM \(name) AS t "
                + "WHERE \(same) AND c.\"content\" IN (\(contents)))"
        }

        private var parameters: [String] { table.key.indices.map { "$\($0 + 1)" } }
        private var next: Int { table.key.count + 1 }

        /// The query for a chunk: by id, content and number.
        var select: String {
            "SELECT \"data\" FROM \(chunks) WHERE \(isKey(parameters)) AND \"content\" = $\(next)"
                + " AND \"number\" = $\(next + 1)"
        }

        /// The statement that stores a chunk: the id, the content, the number and the data.
        var insert: String {
            let values = (parameters + (next...next + 2).map { "$\($0)" }).joined(separator: ", ")
            let key = (keys + ["\"content\"", "\"number\""]).joined(separator: ", ")
            return "INSERT INTO \(chunks) VALUES (\(values))"
                + " ON CONFLICT (\(key)) DO UPDATE SET \"data\" = excluded.\"data\""
        }
    }
#endif
