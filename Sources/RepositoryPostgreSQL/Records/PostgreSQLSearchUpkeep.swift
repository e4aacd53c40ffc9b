#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Indexes changed records for the search, inside a transaction.
    ///
    /// The transaction locks the state of the index, so that one program at a time indexes the
    /// records of a table. Writers do not wait for it: a change that they commit meanwhile remains
    /// recorded.
    struct PostgreSQLSearchUpkeep<E: Entity> {
        /// The number of changes that one transaction takes.
        static var batchSize: Int { 1_000 }
        /// The number of words that one statement stores.
        private static var mostWords: Int { 20_000 }
        /// The statement that limits the time to wait for another program that indexes records.
        static var setting: String { "SET LOCAL lock_timeout = '5s'" }

        private let index: PostgreSQLSearchIndex
        private let job: PostgreSQLJob
        private let plan: PostgreSQLTable

        init(_ index: PostgreSQLSearchIndex, _ job: PostgreSQLJob, _ plan: PostgreSQLTable) {
            self.index = index
            self.job = job
            self.plan = plan
        }

        /// Indexes some changed records.
        ///
        /// - Returns: whether further records may have changed.
        func run() async throws -> Bool {
            let state = try await job.run(
                PostgreSQLSearchIndex.lock,
                PostgreSQLCatalog.parameters([index.table.name, index.definition]))
            guard state.count > 0 else { return false }
            let changes = try await job.run(index.takeChanges(Self.batchSize))
            // The records are read after the changes: they are what the changes made of them, or
            // what later ones did, which are recorded again.
            let records = try await records(ids(of: changes))
            var batch = Batch()
            for record in records {
                try batch.add(record.id, record.words)
                if batch.words.count >= Self.mostWords { try await store(&batch) }
            }
            try await store(&batch)
            if changes.count == Self.batchSize { return true }
            if let text = index.dropLongChanges { try await job.run(text) }
            return false
        }

        /// Returns the different ids of a result. Those that cannot be decoded are skipped: no
        /// record is read by them.
        private func ids(of changes: PostgreSQLResult) throws -> [E.ID] {
            var ids: Set<E.ID> = []
            var row = PostgreSQLRow(id: changes, 0, plan.table)
            for number in 0..<changes.count {
                row.row = number
                do {
                    ids.insert(try E.ID.decodeComponents(from: &row))
                } catch is RecordDecodingError {
                    continue
                }
            }
            return Array(ids)
        }

        /// Removes records from the index, and returns those that still exist with their words. A
        /// record that cannot be decoded has none.
        private func records(_ ids: [E.ID]) async throws -> [(id: E.ID, words: SearchedWords)] {
            var steps: [PostgreSQLConnection.Step] = []
            for id in ids {
                let key = try key(id)
                steps.append(PostgreSQLConnection.Step(text: index.deleteRecord, parameters: key))
                steps.append(PostgreSQLConnection.Step(text: plan.texts.select, parameters: key))
            }
            let results = try await job.runAll(steps)
            var outdated: [PostgreSQLConnection.Step] = []
            var records: [(id: E.ID, words: SearchedWords)] = []
            for (number, id) in ids.enumerated() {
                let (removed, found) = (results[2 * number], results[2 * number + 1])
                if removed.count > 0, let words = removed.text(0, 0) {
                    outdated.append(
                        PostgreSQLConnection.Step(
                            text: index.deleteWords, parameters: try key(id, words: words)))
                }
                guard let record = try await record(found) else { continue }
                let values = try StoredValueEncoder.values(of: record, E.Mapper.self)
                records.append(
                    (id, SearchedWords(values, index.table.entity.searchedFields)))
            }
            _ = try await job.runAll(outdated)
            return records
        }

        /// Returns the record of a result; `nil` if there is none, or it cannot be decoded.
        private func record(_ result: PostgreSQLResult) async throws -> E? {
            do {
                return try await PostgreSQLUnknownKey.reading(plan.table, job) {
                    try PostgreSQLRows.all(E.self, result, plan.table)
                }.first
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                return nil
            }
        }

        /// Records that are stored in the index together, as the columns of its tables.
        private struct Batch {
            /// For each record, the components of its id, and its words.
            var records: [(id: [StoredValue], words: String)] = []
            /// For each word of a record, the components of the id, the word, the field, the
            /// occurrences and the number of words.
            var words: [(id: [StoredValue], word: String, counts: [Int])] = []

            mutating func add(_ id: some EntityIdentifier, _ words: SearchedWords) throws {
                let postings = words.postings
                if postings.isEmpty { return }
                let id = try StoredValueEncoder.components(of: id)
                let count = words.count
                var stored: [String] = []
                for posting in postings {
                    let word = PostgreSQLSearchWord.stored(posting.word)
                    stored.append(word)
                    self.words.append((id, word, [posting.field, posting.occurrences, count]))
                }
                records.append((id, stored.joined(separator: " ")))
            }
        }

        /// Stores a batch, and empties it.
        private func store(_ batch: inout Batch) async throws {
            guard !batch.records.isEmpty else { return }
            let table = index.table
            let forms = table.key.map { table.columns[$0].form }
            func ids(_ rows: [[StoredValue]]) -> [SQLParameter] {
                forms.enumerated().map { component, form in
                    SQLParameter(.list(rows.map { $0[component] }), form)
                }
            }
            func texts(_ texts: [String]) -> SQLParameter {
                SQLParameter(.list(texts.map { .text($0) }), .text)
            }
            let records = ids(batch.records.map(\.id)) + [texts(batch.records.map(\.words))]
            let counts = (0..<3).map { number in
                SQLParameter(
                    .list(batch.words.map { .integer(Int64($0.counts[number])) }),
                    .integer(bits: 64))
            }
            let words = [texts(batch.words.map(\.word))] + ids(batch.words.map(\.id)) + counts
            _ = try await job.runAll([
                PostgreSQLConnection.Step(
                    text: index.insertRecords,
                    parameters: try PostgreSQLValues.parameters(records)),
                PostgreSQLConnection.Step(
                    text: index.insertWords, parameters: try PostgreSQLValues.parameters(words)),
            ])
            batch = Batch()
        }

        /// The parameters of an id.
        private func key(_ id: E.ID) throws -> PostgreSQLParameters {
            var binder = PostgreSQLBinder(id: plan)
            try id.encodeComponents(to: &binder)
            return binder.parameters
        }

        /// The parameters of an id and of words between spaces.
        private func key(_ id: E.ID, words: String) throws -> PostgreSQLParameters {
            var parameters = try key(id)
            let list = words.split(separator: " ").map { StoredValue.text(String($0)) }
            try PostgreSQLValues.append(SQLParameter(.list(list), .text), to: &parameters)
            return parameters
        }
    }
#endif
