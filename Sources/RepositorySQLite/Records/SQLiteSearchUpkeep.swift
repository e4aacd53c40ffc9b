internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Indexes changed records, inside a transaction on the writing connection.
struct SQLiteSearchUpkeep<E: Entity> {
    /// The number of records that one transaction indexes, so that other writers need not wait
    /// long.
    static var batchSize: Int { 1000 }
    /// The number of changed entries that are collected before they are written. They limit the
    /// memory for records with very many words.
    private static var mostPending: Int { 200_000 }

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
        // No record is read by an id that cannot be decoded.
        let changed = try connection.changedRecords(
            E.self, index, limit: Self.batchSize, removing: removeChange)
        var blocks = try SQLiteSearchBlocks(index, connection)
        for id in changed.ids {
            try update(id, &blocks)
            if blocks.pending > Self.mostPending { try blocks.flush() }
        }
        try blocks.flush()
        return changed.goesOn
    }

    /// Removes the change whose id is the current row of a statement.
    private func removeChange(_ row: SQLiteStatement) throws {
        let statement = try connection.statement(index.deleteChange)
        defer { statement.reset() }
        for column in index.table.key.indices {
            let number = Int32(truncatingIfNeeded: column)
            let value = sqlite3_column_value(row.handle, number)
            guard sqlite3_bind_value(statement.handle, number + 1, value) == SQLITE_OK else {
                throw SQLiteError(connection.handle)
            }
        }
        try statement.run()
    }

    /// Replaces the words of a record. A record that cannot be decoded has none.
    private func update(_ id: E.ID, _ blocks: inout SQLiteSearchBlocks) throws {
        let old = try indexed(id)
        if let old { for word in old.words { blocks.remove(old.number, of: word) } }
        var (postings, count) = ([SearchPosting](), 0)
        if let record = try record(id) {
            let values = try StoredValueEncoder.values(of: record, E.Mapper.self)
            let words = SearchedWords(values, index.table.entity.searchedFields)
            (postings, count) = (words.postings, words.count)
        }
        if let number = try store(id, postings, as: old?.number) {
            for posting in postings {
                let entry = SQLiteSearchEntry(
                    record: number, field: posting.field, occurrences: posting.occurrences,
                    words: count)
                blocks.set(entry, of: posting.word)
            }
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

    /// Returns the number and the words of a record in the index; nil if it is not indexed.
    private func indexed(_ id: E.ID) throws -> (number: Int64, words: [String])? {
        let statement = try connection.statement(index.selectRecord)
        defer { statement.reset() }
        try bind(id, to: statement)
        guard try statement.step() else { return nil }
        let words = (statement.text(at: 1) ?? "").split(separator: " ").map(String.init)
        return (statement.integer(at: 0), words)
    }

    /// Stores the words of a record, which keeps its number. A record without words is removed.
    ///
    /// - Returns: the number of the record; nil if it has no words.
    private func store(
        _ id: E.ID, _ postings: [SearchPosting], as number: Int64?
    ) throws -> Int64? {
        let words = postings.map(\.word).joined(separator: " ")
        guard let number else {
            if postings.isEmpty { return nil }
            let statement = try connection.statement(index.insertRecord)
            try bind(id, to: statement)
            try statement.bind(words, at: index.table.key.count + 1)
            try statement.run()
            return connection.lastInsertedRow
        }
        let statement = try connection.statement(
            postings.isEmpty ? index.deleteRecord : index.updateRecord)
        try statement.bind(number, at: 1)
        if !postings.isEmpty { try statement.bind(words, at: 2) }
        try statement.run()
        return postings.isEmpty ? nil : number
    }

    private func bind(_ id: E.ID, to statement: SQLiteStatement) throws {
        var binder = SQLiteBinder(id: statement, index.table)
        try id.encodeComponents(to: &binder)
    }
}

extension SQLiteConnection {
    /// Returns some ids of the records that the index has not indexed since their last change.
    ///
    /// - Parameters:
    ///   - type: the type of the entities.
    ///   - index: the index.
    ///   - limit: the greatest number of changes. Those with ids that cannot be decoded do not count
    ///     if nobody removes them: they may come before all others.
    ///   - remove: removes the change whose id cannot be decoded and is the current row.
    /// - Returns: the ids that can be decoded, and whether there may be further changes.
    func changedRecords<E: Entity>(
        _ type: E.Type, _ index: SQLiteSearchIndex, limit: Int,
        removing remove: ((SQLiteStatement) throws -> Void)? = nil
    ) throws -> (ids: [E.ID], goesOn: Bool) {
        let statement = try statement(index.selectChanges)
        defer { statement.reset() }
        var ids: [E.ID] = []
        var rest = limit
        while rest > 0, try statement.step() {
            do {
                var row = SQLiteRow(id: statement, index.table)
                ids.append(try E.ID.decodeComponents(from: &row))
            } catch is RecordDecodingError {
                guard let remove else { continue }
                try remove(statement)
            }
            rest -= 1
        }
        return (ids, rest == 0)
    }
}
