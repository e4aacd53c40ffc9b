internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// The hashes that precede the encrypted values of fields with an index.
///
/// Every method that changes values must be called inside a transaction.
struct SQLiteIndexHashes {
    /// The number of records that are read at once.
    private static let batch = 500

    private let table: SQLTable
    private let connection: SQLiteConnection
    private let dialect = SQLiteDialect()

    private var name: String { dialect.quoted(table.name) }

    init(_ table: SQLTable, _ connection: SQLiteConnection) {
        self.table = table
        self.connection = connection
    }

    /// Hashes the values that an index needs, before it is built.
    static func complete(
        for index: TableIndex, _ table: SQLTable, _ connection: SQLiteConnection
    ) throws {
        guard let cipher = table.cipher else { return }
        let fields = index.keys.map(\.field).filter(cipher.isIndexed)
        if fields.isEmpty { return }
        let noted = try SQLiteEncryption.columns(cipher, connection)
        for field in fields {
            let taken = cipher.numbers(besides: field, among: noted)
            _ = try Self(table, connection).complete(field, taken: taken)
        }
    }

    /// Hashes the values of a column that are not, or not as the index needs it. A column that was
    /// renamed keeps its hashes.
    ///
    /// - Parameters:
    ///   - field: a field that has an index.
    ///   - taken: the numbers of other columns.
    /// - Returns: the number of the column.
    /// - Throws: `schemaMismatch` if records share the values of a unique index.
    func complete(_ field: Int, taken: Set<Data>) throws -> Data {
        guard let cipher = table.cipher else { return Data() }
        let check = cipher.check(
            field, from: try end(of: field, "ASC"), to: try end(of: field, "DESC"), taken: taken)
        if check.isOutdated {
            let prefix = "substr(\(column(field)), 1, \(IndexHead.prefixSize))"
            do {
                try rewrite(field, where: "\(prefix) IS NOT ?1", check.prefix) { stored, head in
                    head + IndexHead.sealed(stored)
                }
            } catch let error as SQLiteError where error.primaryCode == SQLITE_CONSTRAINT {
                throw CRUDRepositoryError.schemaMismatch(
                    store: "SQLite",
                    differences: [
                        "the unique index over '\(table.fieldName(field))' of '\(table.name)' cannot be built: stored records share its values"
                    ])
            }
        }
        return cipher.columnNumber(field) ?? Data()
    }

    /// Removes the hashes from the values of a column.
    func remove(_ field: Int) throws {
        let before = connection.totalChanges
        let mark = dialect.literal(.data(IndexHead.mark), as: .data) ?? "NULL"
        let column = column(field)
        try connection.execute(
            "UPDATE \(name) SET \(column) = substr(\(column), \(IndexHead.size + 1)) WHERE substr(\(column), 1, \(IndexHead.mark.count)) = \(mark)"
        )
        connection.hiddenChanges += connection.totalChanges - before
    }

    /// Hashes again the values whose hashes are not theirs, which another program has changed.
    ///
    /// It first removes the wrong hashes: records may have exchanged them, and a unique index is
    /// checked at every statement.
    ///
    /// - Throws: `SQLiteError` if records share the values of a unique index.
    func repair() throws {
        for field in table.cipher?.indexedFields ?? [] {
            try rewrite(field) { stored, _ in IndexHead.sealed(stored) }
            try rewrite(field) { stored, head in head + IndexHead.sealed(stored) }
        }
    }

    /// Returns the number of values of each field that have no hash, or one of another value, by the
    /// name of an index.
    func problems() throws -> [StoreCheck.Problem] {
        var problems: [StoreCheck.Problem] = []
        for field in table.cipher?.indexedFields ?? [] {
            var (count, wrong) = (0, 0)
            try forEach(field) { stored, head, _ in
                count += 1
                if IndexHead.head(of: stored) != head { wrong += 1 }
            }
            if wrong > 0 {
                problems.append(.outdatedHashes(of: field, in: table.entity, wrong, among: count))
            }
        }
        return problems
    }

    private func column(_ field: Int) -> String {
        dialect.quoted(table.columns[table.offsets[field]].name)
    }

    /// Returns the first bytes of the smallest or greatest value in the order of the index; nil if
    /// there are no values.
    private func end(of field: Int, _ order: String) throws -> Data? {
        let head = table.columns[table.offsets[field]].head(dialect)
        let statement = try SQLiteStatement(
            "SELECT \(head) FROM \(name) WHERE \(head) IS NOT NULL ORDER BY \(head) \(order) LIMIT 1",
            on: connection.handle, isKept: false)
        guard try statement.step() else { return nil }
        return statement.data(at: 0).prefix(IndexHead.prefixSize)
    }

    /// Changes the values that have no hash or another one. Values that cannot be decrypted are left
    /// as they are.
    ///
    /// - Parameter change: returns the new bytes for the stored ones and the head that the value must
    ///   have.
    private func rewrite(
        _ field: Int, where condition: String? = nil, _ value: Data? = nil,
        _ change: (_ stored: Data, _ head: Data) -> Data
    ) throws {
        let before = connection.totalChanges
        let isRecord = table.keyNames.enumerated().map {
            "\(dialect.quoted($1)) = \(dialect.placeholder($0 + 2))"
        }
        let update = try SQLiteStatement(
            "UPDATE \(name) SET \(column(field)) = ?1 WHERE \(isRecord.joined(separator: " AND "))",
            on: connection.handle, isKept: false)
        try forEach(field, where: condition, value) { stored, head, id in
            guard let head, IndexHead.head(of: stored) != head else { return }
            defer { update.reset() }
            try update.bind(change(stored, head), at: 1)
            try bind(id, to: update, from: 2)
            try update.run()
        }
        connection.hiddenChanges += connection.totalChanges - before
    }

    private func bind(_ id: [StoredValue], to statement: SQLiteStatement, from first: Int) throws {
        for (number, value) in id.enumerated() {
            try SQLiteValues.bind(
                value, table.columns[table.key[number]].form, to: statement, at: first + number)
        }
    }

    /// Calls a body for the values of a field, in the order of the ids, with the head that each must
    /// have; nil for a value that cannot be decrypted. The body may change the value.
    ///
    /// - Parameters:
    ///   - field: the field.
    ///   - condition: selects values, by a parameter `?1`.
    ///   - value: the parameter.
    private func forEach(
        _ field: Int, where condition: String? = nil, _ value: Data? = nil,
        _ body: (_ stored: Data, _ head: Data?, _ id: [StoredValue]) throws -> Void
    ) throws {
        let keys = dialect.list(table.keyNames)
        let places = table.key.indices.map { dialect.placeholder($0 + 2) }.joined(separator: ", ")
        let select =
            "SELECT \(keys), \(column(field)) FROM \(name) WHERE \(column(field)) IS NOT NULL"
            + (condition.map { " AND \($0)" } ?? "")
        let rest = " ORDER BY \(keys) LIMIT \(Self.batch)"
        let (first, next) = (
            try SQLiteStatement(select + rest, on: connection.handle, isKept: false),
            try SQLiteStatement(
                "\(select) AND (\(keys)) > (\(places))\(rest)", on: connection.handle,
                isKept: false)
        )
        let heads = try SQLIndexHeads(table)
        var last: [StoredValue]?
        while true {
            let statement = last == nil ? first : next
            defer { statement.reset() }
            if let value { try statement.bind(value, at: 1) }
            if let last { try bind(last, to: statement, from: 2) }
            var rows: [(id: [StoredValue], stored: Data)] = []
            while try statement.step() {
                let id = try table.key.enumerated().map { number, position in
                    try SQLiteValues.value(
                        of: statement, at: number, table.columns[position].form, table)
                }
                rows.append((id, statement.data(at: table.key.count)))
            }
            statement.reset()
            for row in rows {
                let head = try heads.head(of: row.stored, field, id: row.id) {
                    try SQLiteEncryption.isNoted($0, connection.handle)
                }
                try body(row.stored, head, row.id)
            }
            guard rows.count == Self.batch, let end = rows.last else { return }
            last = end.id
        }
    }
}
