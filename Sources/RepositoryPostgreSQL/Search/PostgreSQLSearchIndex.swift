#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// The names and statements of the search index of one table.
    ///
    /// The index consists of three tables of the store:
    ///
    /// - the words: for each word of a record, the id of the record, the first field with the word,
    ///   the number of occurrences, and the number of words in all searched fields,
    /// - the indexed records, with their words,
    /// - the changes: ids of records whose entries in the other two are out of date.
    ///
    /// Triggers record every change, by whichever program, in the transaction of the change. They
    /// only insert rows that no other transaction inserts, so that writers never wait for each other
    /// or for a search. The next search indexes the changed records.
    struct PostgreSQLSearchIndex: Sendable {
        /// The table with the state of each index: the definition it was built for, and its
        /// triggers.
        static let stateTable = "repository_search"
        /// The beginning of the names of triggers.
        static let prefix = "repository_search_"
        /// The version of the layout of the tables.
        private static let layout = 1
        /// The events that triggers record.
        private static let events = ["insert", "delete", "update"]

        /// The searched table.
        let table: SQLTable
        private let dialect = PostgreSQLDialect()

        /// Creates the names and statements; `nil` if the table is not searched.
        init?(_ table: SQLTable) {
            guard table.entity.isManaged, !table.entity.searchedFields.isEmpty else { return nil }
            self.table = table
        }

        /// The definition of the index. An index with another definition is rebuilt.
        var definition: String {
            let fields = table.entity.searchedFields.map { table.entity.layout.fields[$0].name }
            let parts = fields + ["in"] + searchedColumns + ["of"] + keyColumns
            return "\(Self.layout) \(SearchQuery.unicodeVersion) \(parts.joined(separator: " "))"
        }

        // MARK: Names

        /// Returns the name of a table of the index of a table.
        static func name(_ part: String, of table: String) -> String {
            PostgreSQLNames.short("\(prefix)\(part)_\(table)")
        }

        /// Returns the names of the tables of the index of a table.
        static func tables(of table: String) -> [String] {
            ["words", "records", "changes"].map { name($0, of: table) }
        }

        private var words: String { dialect.quoted(Self.name("words", of: table.name)) }
        private var records: String { dialect.quoted(Self.name("records", of: table.name)) }
        private var changes: String { dialect.quoted(Self.name("changes", of: table.name)) }
        private var name: String { dialect.quoted(table.name) }

        /// The names of the components of the id in the tables of the index.
        private var keys: [String] { table.key.indices.map { "\"k\($0)\"" } }
        private var keyList: String { keys.joined(separator: ", ") }
        private var keyTypes: [String] {
            table.key.map { dialect.typeName(table.columns[$0].form) }
        }
        /// The columns of the id in the searched table.
        private var keyColumns: [String] { table.keyNames.map { dialect.quoted($0) } }
        private var searchedColumns: [String] {
            table.entity.searchedFields.flatMap { field in
                table.columns(ofField: field).map { dialect.quoted(table.columns[$0].name) }
            }
        }

        private func isKey(_ values: [String]) -> String {
            zip(keys, values).map { "\($0) = \($1)" }.joined(separator: " AND ")
        }

        // MARK: Creation

        /// The statements that create the tables.
        var createTables: [String] {
            let columns = zip(keys, keyTypes).map { "\($0) \($1) NOT NULL" }
                .joined(separator: ", ")
            let word = "\"word\" text COLLATE \"C\" NOT NULL"
            let counts = ["field", "occurrences", "count"].map { "\"\($0)\"" }
            return [
                // All columns are in the key's index, so that a search reads only that.
                "CREATE TABLE \(words) (\(word), \(columns), "
                    + counts.map { "\($0) integer NOT NULL" }.joined(separator: ", ")
                    + ", PRIMARY KEY (\"word\", \(keyList))"
                    + " INCLUDE (\(counts.joined(separator: ", "))))",
                "CREATE TABLE \(records) (\(columns), \"words\" text COLLATE \"C\" NOT NULL, "
                    + "PRIMARY KEY (\(keyList)))",
                // Logical replication needs a key.
                "CREATE TABLE \(changes) (\"mark\" uuid PRIMARY KEY DEFAULT gen_random_uuid(), "
                    + "\(columns))",
            ]
        }

        /// The statement that creates the table of states if it is not there.
        static let createState =
            "CREATE TABLE IF NOT EXISTS \"\(stateTable)\" (\"name\" text COLLATE \"C\" PRIMARY KEY, "
            + "\"definition\" text NOT NULL, \"triggers\" text NOT NULL)"

        /// Returns the statements that create the triggers and their function.
        ///
        /// New and deleted records are recorded once for each statement. The trigger of updates
        /// compares the searched columns first: most updates change other columns.
        ///
        /// The function has the rights of its owner, so that roles that may write the records need
        /// none for the index. Hence every name in it has a schema: a role could put a table of its
        /// own in the place of another one.
        ///
        /// - Parameter schema: the schema of the tables.
        func createTriggers(in schema: String) -> [String] {
            let function = dialect.quoted(Self.name("changed", of: table.name))
            let changes = "\(dialect.quoted(schema)).\(changes)"
            let (new, old) = (keyColumns.map { "NEW.\($0)" }, keyColumns.map { "OLD.\($0)" })
            func insert(_ values: [String], _ rest: String) -> String {
                "INSERT INTO \(changes) (\(keyList)) SELECT \(values.joined(separator: ", "))\(rest);"
            }
            let body =
                "BEGIN IF TG_OP = 'UPDATE' THEN \(insert(new, ""))"
                + " IF (\(old.joined(separator: ", "))) <> (\(new.joined(separator: ", ")))"
                + " THEN \(insert(old, "")) END IF;"
                + " ELSE \(insert(keyColumns, " FROM \"repository_rows\"")) END IF; RETURN NULL; END"
            let changed = Set(searchedColumns + keyColumns).sorted()
            let isChanged = changed.map { "OLD.\($0) IS DISTINCT FROM NEW.\($0)" }
            let details = [
                "insert": "REFERENCING NEW TABLE AS \"repository_rows\" FOR EACH STATEMENT",
                "delete": "REFERENCING OLD TABLE AS \"repository_rows\" FOR EACH STATEMENT",
                "update": "FOR EACH ROW WHEN (\(isChanged.joined(separator: " OR ")))",
            ]
            return [
                "CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql "
                    + "SECURITY DEFINER SET search_path = pg_catalog, pg_temp "
                    + "AS \(dialect.textLiteral(body))"
            ]
                + Self.events.map { event in
                    "CREATE TRIGGER \"\(Self.prefix)\(event)\" AFTER \(event.uppercased()) "
                        + "ON \(name) \(details[event] ?? "") EXECUTE FUNCTION \(function)()"
                }
        }

        /// The statement that drops the function of the triggers of a table, and the triggers.
        static func dropTriggers(of table: String) -> String {
            "DROP FUNCTION IF EXISTS \(PostgreSQLDialect().quoted(name("changed", of: table)))() CASCADE"
        }

        /// The statements that drop triggers of other functions: of a table that had another name.
        var dropOtherTriggers: [String] {
            Self.events.map { "DROP TRIGGER IF EXISTS \"\(Self.prefix)\($0)\" ON \(name)" }
        }

        /// The statements that drop the index of a table.
        static func drop(of table: String) -> [String] {
            let names = tables(of: table).map { PostgreSQLDialect().quoted($0) }
            return [dropTriggers(of: table)] + names.map { "DROP TABLE IF EXISTS \($0)" }
        }

        /// The statement that marks every record as changed.
        var markAll: String {
            "INSERT INTO \(changes) (\(keyList)) SELECT \(keyColumns.joined(separator: ", "))"
                + " FROM \(name)"
        }

        /// The statements that remove everything from the index.
        var clear: [String] { [words, records, changes].map { "DELETE FROM \($0)" } }

        // MARK: Reading

        /// Returns the query of a search. Its rows are the id, the number of the part of the query,
        /// the field, the occurrences, the number of words in the record, and whether the word is
        /// the whole one:
        ///
        /// - a row of the part -2 if the index has the definition: the parameters 1 and 2 are the
        ///   names of the table and of the definition,
        /// - rows of the part -1 for changed records,
        /// - rows of each word or prefix, with its parameters.
        ///
        /// One statement reads one state of the index.
        ///
        /// - Parameters:
        ///   - areRanges: for each word, whether it is a range, which has two parameters.
        ///   - limit: the greatest number of changed records.
        func select(_ areRanges: [Bool], changes limit: Int) -> String {
            let nulls = keyTypes.map { "NULL::\($0)" }.joined(separator: ", ")
            var parts = [
                "SELECT \(nulls), -2, 0, 0, 0, true FROM \"\(Self.stateTable)\" "
                    + "WHERE \"name\" = $1 AND \"definition\" = $2",
                "(SELECT \(keyList), -1, 0, 0, 0, true FROM \(changes) LIMIT \(limit))",
            ]
            var next = 3
            for (number, isRange) in areRanges.enumerated() {
                let condition =
                    isRange
                    ? "\"word\" >= $\(next) AND \"word\" < $\(next + 1)" : "\"word\" = $\(next)"
                parts.append(
                    "SELECT \(keyList), \(number), \"field\", \"occurrences\", \"count\", "
                        + "\(isRange ? "\"word\" = $\(next)" : "true") FROM \(words) "
                        + "WHERE \(condition)")
                next += isRange ? 2 : 1
            }
            return parts.joined(separator: " UNION ALL ")
        }

        // MARK: Upkeep

        /// The query that locks the state of the index, if it has the definition: one program at a
        /// time indexes the records of a table.
        static let lock =
            "SELECT 1 FROM \"\(stateTable)\" WHERE \"name\" = $1 AND \"definition\" = $2 FOR UPDATE"

        /// The greatest number of bytes of the text in an id that is indexed: the rows of an index
        /// of PostgreSQL have at most 2,704 bytes. Records with a longer id remain changed ones,
        /// which searches read.
        private static let mostKeyBytes = 1_800

        /// The number of bytes of the text in an id of a change, as an expression; `nil` if there is
        /// no text in it.
        private var length: String? {
            let texts = zip(keys, table.key).filter { table.columns[$1].form == .text }.map(\.0)
            if texts.isEmpty { return nil }
            return texts.map { "octet_length(c.\($0))" }.joined(separator: " + ")
        }

        /// The statement that takes some changes and returns their ids.
        func takeChanges(_ limit: Int) -> String {
            let fits = length.map { " WHERE \($0) <= \(Self.mostKeyBytes)" } ?? ""
            return "DELETE FROM \(changes) WHERE \"mark\" IN "
                + "(SELECT \"mark\" FROM \(changes) AS c\(fits) LIMIT \(limit)) RETURNING \(keyList)"
        }

        /// The statement that removes changes of long ids whose records are gone, and repeated ones;
        /// `nil` if no id is long.
        var dropLongChanges: String? {
            guard let length else { return nil }
            let isRecord = zip(keys, keyColumns).map { "t.\($1) = c.\($0)" }
            let isSame = keys.map { "o.\($0) = c.\($0)" } + ["o.\"mark\" < c.\"mark\""]
            return "DELETE FROM \(changes) AS c WHERE \(length) > \(Self.mostKeyBytes) AND "
                + "(NOT EXISTS (SELECT 1 FROM \(name) AS t WHERE \(isRecord.joined(separator: " AND ")))"
                + " OR EXISTS (SELECT 1 FROM \(changes) AS o WHERE \(isSame.joined(separator: " AND "))))"
        }

        private var parameters: [String] { table.key.indices.map { "$\($0 + 1)" } }

        /// The statement that removes an indexed record and returns its words.
        var deleteRecord: String {
            "DELETE FROM \(records) WHERE \(isKey(parameters)) RETURNING \"words\""
        }

        /// The statement that removes words of a record: its id and the list of words.
        var deleteWords: String {
            "DELETE FROM \(words) WHERE \(isKey(parameters)) AND \"word\" = ANY($\(keys.count + 1))"
        }

        /// The statement that inserts indexed records: lists of the components of the ids, and of
        /// their words.
        var insertRecords: String {
            insert(into: records, keys + ["\"words\""])
        }

        /// The statement that inserts words: lists of the words, the components of the ids, the
        /// fields, the occurrences and the numbers of words.
        var insertWords: String {
            insert(
                into: words,
                ["\"word\""] + keys + ["\"field\"", "\"occurrences\"", "\"count\""])
        }

        private func insert(into table: String, _ columns: [String]) -> String {
            let lists = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
            return "INSERT INTO \(table) (\(columns.joined(separator: ", ")))"
                + " SELECT * FROM unnest(\(lists))"
        }
    }

    /// Words as they are stored in an index, whose rows have a limited size.
    enum PostgreSQLSearchWord {
        /// The number of bytes from which a word is shortened.
        private static let mostBytes = 400
        /// The number of bytes of a prefix that every shortened word keeps: a scalar has at most 4.
        private static let mostPrefixBytes = 392

        /// Returns the stored form of a word: a long one ends with its hash, behind a character that
        /// no word contains.
        static func stored(_ word: String) -> String {
            guard word.utf8.count > mostBytes else { return word }
            return "\(start(of: word, mostBytes))#\(SHA256.hexadecimal(word.utf8))"
        }

        /// Returns the stored words that may begin with a prefix: all words from the first bound on
        /// and before the second one.
        ///
        /// - Returns: the bounds, and whether other words are among them.
        static func range(of prefix: String) -> (lower: String, upper: String, isExact: Bool) {
            let isExact = prefix.utf8.count <= mostPrefixBytes
            let lower = isExact ? prefix : start(of: prefix, mostPrefixBytes)
            // No word contains the last scalar.
            return (lower, lower + "\u{10FFFF}", isExact)
        }

        /// Returns the longest beginning of at most some bytes.
        private static func start(of word: String, _ most: Int) -> String {
            var start = ""
            var count = 0
            for scalar in word.unicodeScalars {
                count += UTF8.width(scalar)
                if count > most { break }
                start.unicodeScalars.append(scalar)
            }
            return start
        }
    }
#endif
