internal import Foundation
package import RepositoryRuntime

/// The hashes that precede the encrypted values of fields with an index.
///
/// Every method that changes values must be called inside a transaction.
package struct IndexHashes<Session: EncryptionSession> {
    /// The number of records that are read at once.
    private static var batch: Int { 500 }

    private let values: EncryptedValues
    private let session: Session

    private var table: SQLTable { values.table }
    private var dialect: any SQLDialect { session.dialect }
    private var name: String { dialect.quoted(table.name) }

    /// Finds the hashes of a table.
    package init(_ table: SQLTable, _ session: Session) {
        values = EncryptedValues(table: table)
        self.session = session
    }

    /// Hashes the values that an index needs, before it is built.
    package func complete(for index: TableIndex) throws {
        guard let cipher = table.cipher else { return }
        let fields = index.keys.map(\.field).filter(cipher.isIndexed)
        if fields.isEmpty { return }
        for field in fields {
            _ = try complete(field, taken: cipher.numbers(besides: field))
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
            let prefix =
                "substr(\(values.column(field, dialect)), 1, \(IndexHead.prefixSize))"
            let isOther = "\(prefix) <> \(dialect.placeholder(1))"
            do {
                try rewrite(field, where: isOther, check.prefix) { $1 + IndexHead.sealed($0) }
            } catch let error where session.isDuplicate(error) {
                throw CRUDRepositoryError.schemaMismatch(
                    store: session.storeName,
                    differences: [
                        "the unique index over '\(table.fieldName(field))' of '\(table.name)' cannot be built: stored records share its values"
                    ])
            }
        }
        return cipher.columnNumber(field) ?? Data()
    }

    /// Removes the hashes from the values of a column.
    func remove(_ field: Int) throws {
        let column = values.column(field, dialect)
        let mark = dialect.literal(.data(IndexHead.mark), as: .data) ?? "NULL"
        try session.change([
            SQLQuery(
                text:
                    "UPDATE \(name) SET \(column) = substr(\(column), \(IndexHead.size + 1)) WHERE substr(\(column), 1, \(IndexHead.mark.count)) = \(mark)",
                parameters: [])
        ])
    }

    /// Hashes again the values whose hashes are not theirs, which another program has changed.
    ///
    /// It first removes the wrong hashes: records may have exchanged them, and a unique index is
    /// checked at every statement.
    ///
    /// - Throws: the error of the database if records share the values of a unique index.
    package func repair() throws {
        for field in table.cipher?.indexedFields ?? [] {
            try rewrite(field) { stored, _ in IndexHead.sealed(stored) }
            try rewrite(field) { stored, head in head + IndexHead.sealed(stored) }
        }
    }

    /// Returns a problem for each index in which values have no hash or that of another value.
    package func problems() throws -> [StoreCheck.Problem] {
        var problems: [StoreCheck.Problem] = []
        for field in table.cipher?.indexedFields ?? [] {
            var (count, wrong) = (0, 0)
            try forEachPart(field) { part in
                count += part.count
                wrong += part.count { IndexHead.head(of: $0.stored) != $0.head }
            }
            if wrong > 0 {
                problems.append(.outdatedHashes(of: field, in: table.entity, wrong, among: count))
            }
        }
        return problems
    }

    /// Returns the first bytes of the smallest or greatest value in the order of the index; nil if
    /// there are no values.
    private func end(of field: Int, _ order: String) throws -> Data? {
        let head = table.columns[table.offsets[field]].head(dialect)
        let query = SQLQuery(
            text:
                "SELECT \(head) FROM \(name) WHERE \(head) IS NOT NULL ORDER BY \(head) \(order) LIMIT 1",
            parameters: [])
        guard case .data(let bytes)? = try session.rows(of: query, idOf: nil).first?.first else {
            return nil
        }
        return bytes.prefix(IndexHead.prefixSize)
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
        try forEachPart(field, where: condition, value) { part in
            try session.change(
                part.compactMap { row in
                    guard let head = row.head, IndexHead.head(of: row.stored) != head else {
                        return nil
                    }
                    return values.update(
                        [(field, change(row.stored, head))], of: row.id, dialect)
                })
        }
    }

    /// A value of a column, with the head that it must have; nil for a value that cannot be
    /// decrypted.
    private struct Row {
        let id: [StoredValue]
        let stored: Data
        let head: Data?
    }

    /// Calls a body for the values of a field, some at a time, in the order of the ids. The body may
    /// change them.
    ///
    /// - Parameters:
    ///   - field: the field.
    ///   - condition: selects values, by a parameter with the number 1.
    ///   - value: the parameter.
    private func forEachPart(
        _ field: Int, where condition: String? = nil, _ value: Data? = nil,
        _ body: ([Row]) throws -> Void
    ) throws {
        guard let cipher = table.cipher else { return }
        let heads = try SQLIndexHeads(table)
        let conditions =
            ["\(values.column(field, dialect)) IS NOT NULL"] + (condition.map { [$0] } ?? [])
        var last: [StoredValue]? = []
        while let start = last {
            let found = try values.next(
                [field], after: start, Self.batch, where: conditions, value, session)
            let rows = try found.map { row in
                let stored = row.stored[0] ?? Data()
                let head = try heads.head(of: stored, field, id: row.id) {
                    try session.isNoted($0, cipher)
                }
                return Row(id: row.id, stored: stored, head: head)
            }
            try body(rows)
            last = rows.count < Self.batch ? nil : rows.last?.id
        }
    }
}
