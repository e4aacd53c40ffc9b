internal import Foundation
package import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema
internal import Synchronization

extension SQLiteStore: RewrappingStore {
    /// Encrypts the values again that have another key than the first one, in the tables of the open
    /// schemas.
    ///
    /// A record keeps its version, and observers are not notified.
    ///
    /// - Throws: `unsupported` for a store without an encryption; `keyNotFound`;
    ///   `CancellationError`.
    package func rewrap(batch: Int) async throws -> RewrappedDocuments {
        try database.life.check()
        guard database.location.encryption != nil else {
            throw CRUDRepositoryError.unsupported("reencryption", by: name)
        }
        let tables = try opened.withLock { $0 }.flatMap { schema in
            try schema.tables.compactMap { try SQLiteReencryption($0, in: schema, plans) }
        }
        var result = RewrappedDocuments()
        for table in tables {
            var position: [StoredValue]? = []
            while let start = position {
                try Task.checkCancellation()
                let part = try await change { try table.rewrite(after: start, max(1, batch), $0) }
                result.rewritten += part.rewritten
                position = part.last
            }
        }
        result.remaining = try await change { connection in
            let used = try tables.map { try $0.keys(connection) }
                .reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
            // Tables of schemas that are not open may have values of other keys.
            let description = try SQLiteSchemaTable.description(connection)
            if description?.encryptedTables.allSatisfy(tables.map(\.name).contains) ?? false {
                try SQLiteEncryption.forgetKeys(except: Set(used.keys), connection)
            }
            return used
        }
        return result
    }

    private func change<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await SQLiteErrors.mapped {
            try await database.write(.batch) { connection in
                let before = connection.totalChanges
                let result = try body(connection)
                connection.hiddenChanges += connection.totalChanges - before
                return result
            }
        }
    }
}

/// Encrypts the values of a table again with the first key.
private struct SQLiteReencryption: Sendable {
    private let plan: EntityPlan
    private let cipher: RecordCipher
    private let layout: StoredRowLayout
    private let dialect = SQLiteDialect()

    private var table: SQLTable { plan.table }
    var name: String { table.name }

    /// Prepares a table; nil if it has no encrypted fields.
    init?(_ entity: EntityTable, in schema: StoreSchema, _ plans: EntityPlans) throws {
        guard entity.hasEncryptedFields else { return nil }
        plan = try plans.plan(entity.name)
        guard let cipher = plan.table.cipher else { return nil }
        self.cipher = cipher
        layout = try StoredRowLayout(StoredTable(entity, in: schema))
    }

    /// What a part of the table needed.
    struct ReencryptedPart: Sendable {
        /// The number of values that were encrypted again.
        var rewritten = 0
        /// The id of the last record; nil at the end of the table.
        var last: [StoredValue]?
    }

    /// Encrypts the values of some records after an id again, inside a transaction.
    ///
    /// - Parameters:
    ///   - start: the id; empty for the beginning of the table.
    ///   - batch: the number of records.
    ///   - connection: the connection.
    func rewrite(
        after start: [StoredValue], _ batch: Int, _ connection: SQLiteConnection
    ) throws -> ReencryptedPart {
        let isFirst = start.isEmpty
        let select = try connection.statement(
            isFirst ? plan.texts.firstPage : plan.texts.nextPage)
        defer { select.reset() }
        for (number, value) in start.enumerated() {
            try SQLiteValues.bind(
                value, table.columns[table.key[number]].form, to: select, at: number + 1)
        }
        try select.bind(Int64(batch), at: start.count + 1)
        var part = ReencryptedPart()
        var (count, changes) = (0, [(id: [StoredValue], values: [(column: Int, value: Data)])]())
        while try select.step() {
            var row = SQLiteRow(record: select, table)
            let id = try layout.values(of: table.entity.key, from: &row)
            let values = try changedValues(id, select, connection)
            if !values.isEmpty { changes.append((id, values)) }
            count += 1
            part.last = id
        }
        select.reset()
        for change in changes {
            try update(change.values, of: change.id, connection)
            part.rewritten += change.values.count
        }
        if count < batch { part.last = nil }
        return part
    }

    /// Returns the values of the current record that have another key, encrypted with the first one.
    /// Damaged values are left as they are.
    private func changedValues(
        _ id: [StoredValue], _ row: SQLiteStatement, _ connection: SQLiteConnection
    ) throws -> [(column: Int, value: Data)] {
        let text = id.identifierText
        var changed: [(column: Int, value: Data)] = []
        for field in cipher.fields {
            let column = table.offsets[field]
            guard case .data(let stored) = row.value(at: column),
                let key = cipher.key(of: stored), key != cipher.cipher.keyID
            else { continue }
            do {
                let plain = try cipher.open(stored, field, id: text) {
                    try SQLiteEncryption.isNoted($0, connection.handle)
                }
                let head = IndexHead.head(of: stored) ?? Data()
                changed.append((column, try cipher.seal(plain, field, id: text, head: head)))
            } catch is RecordDecodingError {
                continue
            }
        }
        return changed
    }

    private func update(
        _ values: [(column: Int, value: Data)], of id: [StoredValue],
        _ connection: SQLiteConnection
    ) throws {
        try connection.noteKey(cipher.cipher)
        let sets = values.enumerated().map { number, value in
            "\(dialect.quoted(table.columns[value.column].name)) = \(dialect.placeholder(number + 1))"
        }
        let isRecord = table.keyNames.enumerated().map { number, name in
            "\(dialect.quoted(name)) = \(dialect.placeholder(values.count + number + 1))"
        }
        let statement = try connection.statement(
            "UPDATE \(dialect.quoted(name)) SET \(sets.joined(separator: ", "))"
                + " WHERE \(isRecord.joined(separator: " AND "))")
        defer { statement.reset() }
        for (number, value) in values.enumerated() {
            try statement.bind(value.value, at: number + 1)
        }
        for (number, value) in id.enumerated() {
            try SQLiteValues.bind(
                value, table.columns[table.key[number]].form, to: statement,
                at: values.count + number + 1)
        }
        try statement.run()
    }

    /// Returns the number of values that each key has.
    func keys(_ connection: SQLiteConnection) throws -> [String: Int] {
        var keys: [String: Int] = [:]
        for field in cipher.fields {
            let column = dialect.quoted(table.columns[table.offsets[field]].name)
            let statement = try SQLiteStatement(
                "SELECT substr(\(column), 1, \(IndexHead.size + 256)) FROM \(dialect.quoted(name)) WHERE \(column) IS NOT NULL",
                on: connection.handle, isKept: false)
            while try statement.step() {
                guard case .data(let stored) = statement.value(at: 0),
                    let key = cipher.key(of: stored)
                else { continue }
                keys[key, default: 0] += 1
            }
        }
        return keys
    }
}
