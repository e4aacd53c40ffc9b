internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Decodes a record or an id from a row.
///
/// A value that is not of the kind of its column throws `RecordDecodingError` with the name of the
/// field.
struct RecordDecoder: FieldDecoder {
    private let row: [SQLValue]
    private let table: SQLTable
    /// The place of each index in the row.
    private let places: [Int]
    /// The column of each index.
    private let columns: [Int]
    /// The field that the components belong to; nil for a whole record.
    private let field: Int?

    /// Creates a decoder for a whole record, whose columns are in order.
    init(record row: [SQLValue], _ table: SQLTable) {
        self.row = row
        self.table = table
        (places, columns) = (table.offsets, table.offsets)
        field = nil
    }

    /// Creates a decoder for an id, from a row of its components.
    init(id row: [SQLValue], _ table: SQLTable) {
        self.row = row
        self.table = table
        (places, columns) = (Array(table.key.indices), table.key)
        field = table.entity.key[0]
    }

    /// Creates a decoder for the id that is part of a whole record.
    init(idOfRecord row: [SQLValue], _ table: SQLTable) {
        self.row = row
        self.table = table
        (places, columns) = (table.key, table.key)
        field = table.entity.key[0]
    }

    private init(componentsOf field: Int, _ record: RecordDecoder) {
        (row, table) = (record.row, record.table)
        columns = Array(table.columns(ofField: field))
        places = columns
        self.field = field
    }

    private func failure(_ index: Int, _ reason: String) -> RecordDecodingError {
        RecordDecodingError(path: table.fieldName(field ?? index), reason)
    }

    private func value(_ index: Int) throws -> StoredValue {
        do {
            return try table.columns[columns[index]].form.value(row[places[index]])
        } catch let error as RecordDecodingError {
            throw failure(index, error.reason)
        }
    }

    private func unexpected(_ index: Int, _ value: StoredValue) -> RecordDecodingError {
        failure(index, value == .null ? "is null" : "has another type")
    }

    mutating func contains(at index: Int) throws -> Bool { true }

    /// Returns whether the field is null. A composite field is null if all of its columns are.
    mutating func decodeNil(at index: Int) throws -> Bool {
        guard field == nil else { return row[places[index]] == .null }
        return table.columns(ofField: index).allSatisfy { row[$0] == .null }
    }

    mutating func decodeBool(at index: Int) throws -> Bool {
        let value = try value(index)
        guard case .bool(let bool) = value else { throw unexpected(index, value) }
        return bool
    }

    mutating func decodeInteger(at index: Int) throws -> Int64 {
        let value = try value(index)
        guard case .integer(let integer) = value else { throw unexpected(index, value) }
        return integer
    }

    mutating func decodeFloat(at index: Int) throws -> Float { Float(try decodeDouble(at: index)) }

    mutating func decodeDouble(at index: Int) throws -> Double {
        let value = try value(index)
        guard case .double(let double) = value else { throw unexpected(index, value) }
        guard double.isFinite else { throw failure(index, "is not a finite number") }
        return double
    }

    mutating func decodeDecimal(at index: Int) throws -> Decimal {
        let value = try value(index)
        guard case .decimal(let decimal) = value else { throw unexpected(index, value) }
        return decimal
    }

    mutating func decodeDate(at index: Int) throws -> Date {
        let value = try value(index)
        guard case .date(let date) = value else { throw unexpected(index, value) }
        return date
    }

    mutating func decodeUUID(at index: Int) throws -> UUID {
        let value = try value(index)
        guard case .uuid(let uuid) = value else { throw unexpected(index, value) }
        return uuid
    }

    mutating func decodeURL(at index: Int) throws -> URL {
        guard let value = URL(string: try decodeString(at: index)) else {
            throw failure(index, "is no URL")
        }
        return value
    }

    mutating func decodeString(at index: Int) throws -> String {
        let value = try value(index)
        guard case .text(let text) = value else { throw unexpected(index, value) }
        return text
    }

    mutating func decodeData(at index: Int) throws -> Data {
        let value = try value(index)
        guard case .data(let data) = value else { throw unexpected(index, value) }
        return data
    }

    mutating func decodeComposite<V: CompositeEntityID>(
        _ type: V.Type, at index: Int
    ) throws -> V {
        var components = RecordDecoder(componentsOf: index, self)
        return try V.decodeComponents(from: &components)
    }

    mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V {
        try decodeJSON(type, at: index)
    }

    mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
        try decodeJSON([V].self, at: index)
    }

    mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V] {
        try decodeJSON([String: V].self, at: index)
    }

    /// Decodes a value from JSON. The path of an error begins with the name of the field.
    private mutating func decodeJSON<V: FieldValue>(_ type: V.Type, at index: Int) throws -> V {
        let text = try decodeString(at: index)
        do {
            return try JSONFieldText.decode(type, from: text)
        } catch var error as RecordDecodingError {
            let field = table.fieldName(field ?? index)
            if error.path != field {
                error.path = error.path.isEmpty ? field : "\(field).\(error.path)"
            }
            throw error
        }
    }
}

/// Decodes rows into entities.
enum RecordRows {
    /// Returns the entities of all rows.
    ///
    /// - Throws: `invalidRecord` for the first row that cannot be decoded.
    static func all<E: Entity>(
        _ type: E.Type, _ rows: [[SQLValue]], _ table: SQLTable, _ session: Session
    ) throws -> [E] {
        try rows.map { row in
            do {
                return try entity(type, row, table, session)
            } catch {
                throw CRUDRepositoryError.unreadable(
                    error, id: idText(type, row, table), table: table.name)
            }
        }
    }

    /// Returns the entity of a row, with its encrypted fields decrypted.
    static func entity<E: Entity>(
        _ type: E.Type, _ row: [SQLValue], _ table: SQLTable, _ session: Session
    ) throws -> E {
        var fields = RecordDecoder(record: row, table)
        guard let cipher = table.cipher else { return try E.Mapper.decode(from: &fields) }
        var key = RecordDecoder(idOfRecord: row, table)
        let id = try StoredValueEncoder.components(of: E.ID.decodeComponents(from: &key))
        var opened = OpeningDecoder(fields, cipher, id: id) { try session.isNoted($0, cipher) }
        return try E.Mapper.decode(from: &opened)
    }

    /// Returns the entities of the rows, and the rows that cannot be decoded, up to a number of
    /// them.
    static func readable<E: Entity>(
        _ type: E.Type, _ rows: [[SQLValue]], _ table: SQLTable, _ session: Session,
        failures maximum: Int
    ) throws -> TolerantFetch<E> {
        var (entities, failures): ([E], [TolerantFetch<E>.Failure]) = ([], [])
        for row in rows where failures.count < maximum {
            do {
                entities.append(try entity(type, row, table, session))
            } catch {
                let error = CRUDRepositoryError.unreadable(
                    error, id: idText(type, row, table), table: table.name)
                guard error.code == .invalidRecord else { throw error }
                // An id that cannot be decoded, either, is no further error.
                var key = RecordDecoder(idOfRecord: row, table)
                failures.append(
                    TolerantFetch.Failure(
                        id: try? E.ID.decodeComponents(from: &key), error: error))
            }
        }
        return TolerantFetch(rows: entities, failures: failures)
    }

    /// Returns the ids of all rows, which contain only their components.
    static func ids<E: Entity>(
        _ type: E.Type, _ rows: [[SQLValue]], _ table: SQLTable
    ) throws -> ReadableIDs<E> {
        var found = ReadableIDs<E>()
        for row in rows {
            try found.add(table.name) {
                row.map(\.text).joined(separator: ",")
            } _: {
                var fields = RecordDecoder(id: row, table)
                return try E.ID.decodeComponents(from: &fields)
            }
        }
        return found
    }

    private static func idText<E: Entity>(
        _ type: E.Type, _ row: [SQLValue], _ table: SQLTable
    ) -> String {
        var fields = RecordDecoder(idOfRecord: row, table)
        if let id = try? E.ID.decodeComponents(from: &fields) { return id.description }
        return table.key.map { row[$0].text }.joined(separator: ",")
    }
}

extension SQLValue {
    /// The value as text, for messages that name an id which cannot be decoded.
    var text: String {
        switch self {
        case .null, .data: ""
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .text(let value): value
        }
    }
}
