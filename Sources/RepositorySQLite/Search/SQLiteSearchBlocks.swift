internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Changes the blocks of a search index, inside a transaction on the writing connection.
///
/// The blocks of a word contain its entries in the order of the records, each in one row of the
/// table of words. A change of a record rewrites only the blocks that contain the record's entries,
/// and changes of many records rewrite each block once.
struct SQLiteSearchBlocks {
    /// The number of bytes of a full block. SQLite stores a row of about 1,000 bytes without
    /// overflow pages.
    private static let mostBytes = 900
    /// The number of bytes below which a changed block is joined with the next one.
    private static let fewestBytes = 225

    /// A change of a word's entry in a record.
    private struct Change {
        var record: Int64
        /// The new entry; nil if the record does not contain the word any more.
        var entry: SQLiteSearchEntry?
    }

    /// A row of the table of words.
    private struct Row: Equatable {
        /// The number of the first record.
        var first: Int64
        var bytes: [UInt8]
    }

    private let index: SQLiteSearchIndex
    // The statements are looked up once, and not for each word.
    private let selectBlocks: SQLiteStatement
    private let selectLastBlock: SQLiteStatement
    private let insertBlock: SQLiteStatement
    private let deleteBlock: SQLiteStatement
    private let encoding: SQLiteSearchBlock
    /// The highest number of a record before the changes. No block begins after it, except with
    /// records that were added since, whose numbers ascend.
    private let last: Int64
    /// The places of the words in ``changes``.
    private var places: [StatementText: Int] = [:]
    /// The changes that are not yet written, by word and in the order in which they were made.
    private var changes: [(word: String, changes: [Change])] = []
    /// The number of changes that are not yet written.
    private(set) var pending = 0

    init(_ index: SQLiteSearchIndex, _ connection: SQLiteConnection) throws {
        self.index = index
        selectBlocks = try connection.statement(index.selectBlocks)
        selectLastBlock = try connection.statement(index.selectLastBlock)
        insertBlock = try connection.statement(index.insertBlock)
        deleteBlock = try connection.statement(index.deleteBlock)
        encoding = index.encoding
        let statement = try connection.statement(index.selectLastRecord)
        defer { statement.reset() }
        last = try statement.step() ? statement.integer(at: 0) : 0
    }

    /// Sets the entry of a word in a record.
    mutating func set(_ entry: SQLiteSearchEntry, of word: String) {
        add(Change(record: entry.record, entry: entry), of: word)
    }

    /// Removes the entry of a word in a record.
    mutating func remove(_ record: Int64, of word: String) {
        add(Change(record: record, entry: nil), of: word)
    }

    private mutating func add(_ change: Change, of word: String) {
        pending += 1
        if let place = places[StatementText(word)] {
            return changes[place].changes.append(change)
        }
        places[StatementText(word)] = changes.count
        changes.append((word, [change]))
    }

    /// Writes the changes.
    mutating func flush() throws {
        // In the order of first appearance: sorting the words costs more than it saves.
        for (word, changes) in changes { try apply(Self.last(of: changes), to: word) }
        changes = []
        places = [:]
        pending = 0
    }

    /// Returns the last change of each record, in the order of the records.
    private static func last(of changes: [Change]) -> [Change] {
        if changes.count == 1 { return changes }
        // `sorted` is stable.
        let sorted = changes.sorted { $0.record < $1.record }
        return sorted.indices.filter {
            $0 + 1 == sorted.count || sorted[$0].record != sorted[$0 + 1].record
        }.map { sorted[$0] }
    }

    /// Changes the entries of a word.
    private func apply(_ changes: [Change], to word: String) throws {
        var rest = changes[...]
        while let record = rest.first?.record {
            let (old, entries, isLast) = try changed(word, from: record, &rest)
            let new = blocks(of: entries, isLast: isLast)
            try replace(old, by: new, of: word)
        }
    }

    /// Reads the block that contains a record, or would contain it, and applies the changes of its
    /// records. Continues with the next block while there are few entries.
    ///
    /// - Parameter rest: the changes, from which the applied ones are removed.
    /// - Returns: the rows that were read, the changed entries, and whether no block follows.
    private func changed(
        _ word: String, from record: Int64, _ rest: inout ArraySlice<Change>
    ) throws -> (old: [Row], entries: [SQLiteSearchEntry], isLast: Bool) {
        // Nothing follows new records, so that one search in the table suffices.
        let statement = record > last ? selectLastBlock : selectBlocks
        defer { statement.reset() }
        try statement.bind(word, at: 1)
        try statement.bind(record, at: 2)
        var (old, entries) = ([Row](), [SQLiteSearchEntry]())
        var hasRow = try statement.step()
        repeat {
            var found: [SQLiteSearchEntry] = []
            if hasRow {
                let first = statement.integer(at: 0)
                old.append(Row(first: first, bytes: statement.bytes(at: 1) { Array($0) }))
                try index.visit(statement, encoding) { found.append($0) }
                hasRow = try statement.step()
            }
            let next = hasRow ? statement.integer(at: 0) : nil
            let end = next.flatMap { next in rest.firstIndex { $0.record >= next } }
            Self.merge(found, rest[..<(end ?? rest.endIndex)], into: &entries)
            rest = rest[(end ?? rest.endIndex)...]
        } while hasRow && isSmall(entries)
        return (old, entries, !hasRow)
    }

    /// Whether entries fill only a small part of a block.
    private func isSmall(_ entries: [SQLiteSearchEntry]) -> Bool {
        // An entry has at least two bytes.
        guard entries.count * 2 < Self.fewestBytes else { return false }
        return encoded(entries[...]).count < Self.fewestBytes
    }

    /// Appends entries after changes of them, both in the order of the records.
    private static func merge(
        _ found: [SQLiteSearchEntry], _ changes: ArraySlice<Change>,
        into entries: inout [SQLiteSearchEntry]
    ) {
        var place = 0
        for change in changes {
            while place < found.count, found[place].record < change.record {
                entries.append(found[place])
                place += 1
            }
            if place < found.count, found[place].record == change.record { place += 1 }
            if let entry = change.entry { entries.append(entry) }
        }
        entries += found[place...]
    }

    /// Returns the bytes of entries.
    private func encoded(_ entries: ArraySlice<SQLiteSearchEntry>) -> [UInt8] {
        var bytes: [UInt8] = []
        var last: Int64?
        for entry in entries {
            encoding.append(entry, after: last, to: &bytes)
            last = entry.record
        }
        return bytes
    }

    /// Divides entries into blocks.
    ///
    /// The blocks at the end of a word are filled, because most new records follow them. Others
    /// are filled evenly, so that a few further entries fit.
    private func blocks(of entries: [SQLiteSearchEntry], isLast: Bool) -> [Row] {
        guard let first = entries.first else { return [] }
        let whole = encoded(entries[...])
        guard whole.count > Self.mostBytes else { return [Row(first: first.record, bytes: whole)] }
        let most =
            isLast
            ? Self.mostBytes : whole.count / ((whole.count - 1) / Self.mostBytes + 1) + 1
        var rows: [Row] = []
        var row = Row(first: first.record, bytes: [])
        var last: Int64?
        for entry in entries {
            let size = row.bytes.count
            encoding.append(entry, after: last, to: &row.bytes)
            last = entry.record
            guard row.bytes.count > most, size > 0 else { continue }
            row.bytes.removeLast(row.bytes.count - size)
            rows.append(row)
            row = Row(first: entry.record, bytes: [])
            encoding.append(entry, after: nil, to: &row.bytes)
        }
        return rows + [row]
    }

    /// Writes the blocks that differ.
    private func replace(_ old: [Row], by new: [Row], of word: String) throws {
        for row in old where !new.contains(where: { $0.first == row.first }) {
            try deleteBlock.bind(word, at: 1)
            try deleteBlock.bind(row.first, at: 2)
            try deleteBlock.run()
        }
        for row in new where !old.contains(row) {
            try insertBlock.bind(word, at: 1)
            try insertBlock.bind(row.first, at: 2)
            try insertBlock.bind(row.bytes, at: 3)
            try insertBlock.run()
        }
    }
}

extension SQLiteSearchIndex {
    /// Calls a body with each entry of the block in the current row, which begins with the number of
    /// the first record and the bytes.
    ///
    /// - Throws: `SQLiteError` if the bytes are damaged.
    @inline(__always)
    func visit(
        _ statement: SQLiteStatement, _ encoding: SQLiteSearchBlock,
        _ body: (SQLiteSearchEntry) -> Void
    ) throws {
        let first = statement.integer(at: 0)
        guard statement.bytes(at: 1, { encoding.visit($0, from: first, body) }) else {
            throw SQLiteError(
                code: SQLITE_CORRUPT,
                message: "the search index of '\(table.name)' is damaged: rebuildIndexes()")
        }
    }
}

extension SQLiteStatement {
    /// Calls a body with the bytes of a column, which are valid during the call. Columns are
    /// numbered from 0.
    @inline(__always)
    fileprivate func bytes<R>(at column: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let column = Int32(truncatingIfNeeded: column)
        let start = sqlite3_column_blob(handle, column)
        return body(
            UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Binds bytes, which SQLite copies, to a parameter. Parameters are numbered from 1.
    fileprivate func bind(_ value: [UInt8], at number: Int) throws {
        let code = value.withUnsafeBytes {
            sqlite3_bind_blob64(
                handle, Int32(truncatingIfNeeded: number), $0.baseAddress,
                sqlite3_uint64($0.count), SQLiteBinding.copy)
        }
        guard code == SQLITE_OK else { throw failure() }
    }
}
