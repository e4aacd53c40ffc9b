internal import RepositoryRuntime

/// Indexes changed records, inside a transaction on the writing connection.
struct SQLiteSearchUpkeep<E: Entity> {
    /// The number of records that one transaction indexes, so that other writers need not wait
    /// long.
    static var batchSize: Int { 1000 }

    private let index: SQLiteSearchIndex
    private let connection: SQLiteConnection
    private let statements: EntityStatements

    init(_ index: SQLiteSearchIndex, _ connection: SQLiteConnection, _ plans: EntityPlans) throws {
        self.index = index
        self.connection = connection
        statements = try connection.statements(E.self, plans)
    }

    /// Indexes some changed records.
    ///
    /// - Returns: whether further records may have changed.
    func run() throws -> Bool {
        let changed = try connection.changedRecords(E.self, index, limit: Self.batchSize)
        for id in changed { try update(id) }
        return changed.count == Self.batchSize
    }

    /// Replaces the words of a record. A record that cannot be decoded has none.
    private func update(_ id: E.ID) throws {
        try remove(id)
        if let record = try record(id) {
            let values = try StoredValueEncoder.values(of: record, E.Mapper.self)
            try insert(id, SearchedWords(values, index.table.entity.searchedFields))
        }
        let statement = try connection.statement(index.deleteChange)
        try bind(id, to: statement)
        try statement.run()
    }

    /// Returns a record; nil if it does not exist or cannot be decoded.
    private func record(_ id: E.ID) throws -> E? {
        do {
            return try SQLiteRows.record(E.self, id, statements)
        } catch let error as CRUDRepositoryError
            where [.recordNotFound, .invalidRecord].contains(error.code)
        {
            return nil
        }
    }

    /// Removes a record from the index.
    private func remove(_ id: E.ID) throws {
        let found = try connection.statement(index.selectRecord)
        defer { found.reset() }
        try bind(id, to: found)
        guard try found.step() else { return }
        let number = found.integer(at: 0)
        let statement = try connection.statement(index.deleteWord)
        for word in (found.text(at: 1) ?? "").split(separator: " ") {
            try statement.bind(String(word), at: 1)
            try statement.bind(number, at: 2)
            try statement.run()
        }
        found.reset()
        let record = try connection.statement(index.deleteRecord)
        try record.bind(number, at: 1)
        try record.run()
    }

    /// Adds a record to the index.
    private func insert(_ id: E.ID, _ words: SearchedWords) throws {
        let postings = words.postings
        guard !postings.isEmpty else { return }
        let record = try connection.statement(index.insertRecord)
        try bind(id, to: record)
        let count = index.table.key.count
        try record.bind(Int64(words.count), at: count + 1)
        try record.bind(postings.map(\.word).joined(separator: " "), at: count + 2)
        try record.run()
        let number = connection.lastInsertedRow
        let statement = try connection.statement(index.insertWord)
        for posting in postings {
            try statement.bind(posting.word, at: 1)
            try statement.bind(number, at: 2)
            try statement.bind(Int64(posting.field), at: 3)
            try statement.bind(Int64(posting.occurrences), at: 4)
            try statement.run()
        }
    }

    private func bind(_ id: E.ID, to statement: SQLiteStatement) throws {
        var binder = SQLiteBinder(id: statement, index.table)
        try id.encodeComponents(to: &binder)
    }
}

extension SQLiteConnection {
    /// Returns some ids of the records that the index has not indexed since their last change.
    ///
    /// Ids that cannot be decoded are skipped: no record is read by them.
    func changedRecords<E: Entity>(
        _ type: E.Type, _ index: SQLiteSearchIndex, limit: Int
    ) throws -> [E.ID] {
        let statement = try statement(index.selectChanges)
        defer { statement.reset() }
        try statement.bind(Int64(limit), at: 1)
        var ids: [E.ID] = []
        while try statement.step() {
            do {
                var row = SQLiteRow(id: statement, index.table)
                ids.append(try E.ID.decodeComponents(from: &row))
            } catch is RecordDecodingError {
                continue
            }
        }
        return ids
    }
}
