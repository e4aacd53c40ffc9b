internal import CSQLite
internal import Foundation
internal import RepositoryRuntime

/// Reads a record, or an id, of a statement's present row.
///
/// It asks SQLite for the type of every value before it reads it: SQLite would turn one into
/// another.
///
/// Each column is looked up once (`sqlite3_column_value`), and type, bytes and length are asked of what was found. SQLite permits
/// that where no other thread uses the connection meanwhile, which is so here: connections are opened without its mutexes.
struct SQLiteRow: FieldDecoder {
    private let handle: OpaquePointer
    private let table: SQLTable
    /// The column of each index; nil where columns follow one another from ``first`` on.
    private let columns: [Int]?
    private let first: Int32
    /// The field that the row is a part of, for messages; nil for a whole record.
    private let field: Int?
    /// Whether the row is an id.
    private let isID: Bool

    /// Reads a whole record from a row that holds its columns in order.
    ///
    /// - Parameter places: the first column of each field, where they are in another order.
    @inline(__always)
    init(record statement: SQLiteStatement, _ table: SQLTable, at places: [Int]? = nil) {
        handle = statement.handle
        self.table = table
        columns = places ?? (table.isPlain ? nil : table.offsets)
        first = 0
        field = nil
        isID = false
    }

    /// The first column of each field in a row that holds the table's columns at some places.
    static func columns(_ table: SQLTable, at places: [Int]) throws -> [Int] {
        try table.counts.indices.map { field in
            let columns = table.columns(ofField: field)
            let first = places[columns.lowerBound]
            guard Array(places[columns]) == Array(first..<first + columns.count) else {
                throw CRUDRepositoryError(
                    .unsupported,
                    "The columns of '\(table.fieldName(field))' do not follow one another in the result.",
                    table: table.name)
            }
            return first
        }
    }

    /// Reads an id from a row that holds its components in order.
    init(id statement: SQLiteStatement, _ table: SQLTable) {
        self.init(
            componentsOf: table.entity.key[0], statement.handle, table, first: 0, isID: true)
    }

    /// Reads the id out of a row that holds a whole record.
    init(idOfRecord statement: SQLiteStatement, _ table: SQLTable) {
        handle = statement.handle
        self.table = table
        columns = table.key
        first = 0
        field = table.entity.key[0]
        isID = true
    }

    private init(
        componentsOf field: Int, _ handle: OpaquePointer, _ table: SQLTable, first: Int32,
        isID: Bool
    ) {
        self.handle = handle
        self.table = table
        columns = nil
        self.first = first
        self.field = field
        self.isID = isID
    }

    @inline(__always)
    private func column(_ index: Int) -> Int32 {
        guard let columns else { return first + Int32(truncatingIfNeeded: index) }
        return Int32(truncatingIfNeeded: columns[index])
    }

    private func path(_ index: Int) -> String { table.fieldName(field ?? index) }

    private func failure(_ index: Int, _ reason: String) -> RecordDecodingError {
        RecordDecodingError(path: path(index), reason)
    }

    /// The value of a column, of a type that it must be of.
    @inline(__always)
    private func expect(_ type: Int32, at index: Int) throws -> OpaquePointer? {
        let value = sqlite3_column_value(handle, column(index))
        let found = sqlite3_value_type(value)
        guard found == type else {
            throw failure(
                index, "is \(Self.typeName(found)) where \(Self.typeName(type)) is expected")
        }
        return value
    }

    /// The value of a column whose form is not the usual one; nil where it is.
    private func other(at index: Int) throws -> StoredValue? {
        guard table.hasOtherForms else { return nil }
        let position: Int
        if isID {
            position = table.key[index]
        } else if let field {
            position = table.offsets[field] + index
        } else {
            position = table.offsets[index]
        }
        let form = table.columns[position].form
        guard form.isOther else { return nil }
        let held = SQLiteHeldValue.value(handle, Int(column(index)))
        guard let value = held.flatMap({ SQLiteOtherForms.value($0, form) }) else {
            let form = form.inWords
            throw failure(index, "is nothing that its column is declared to hold: \(form)")
        }
        return value
    }

    private static func typeName(_ type: Int32) -> String {
        switch type {
        case SQLITE_INTEGER: "INTEGER"
        case SQLITE_FLOAT: "REAL"
        case SQLITE_TEXT: "TEXT"
        case SQLITE_BLOB: "BLOB"
        default: "NULL"
        }
    }

    /// The bytes of a text, until the row is left.
    @inline(__always)
    private func text(at index: Int) throws -> UnsafeBufferPointer<UInt8> {
        let value = try expect(SQLITE_TEXT, at: index)
        // Also of the empty text there are bytes, unless there was no memory for them.
        guard let bytes = sqlite3_value_text(value) else {
            throw failure(index, "does not fit into memory")
        }
        return UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
    }

    mutating func contains(at index: Int) throws -> Bool { true }

    mutating func decodeNil(at index: Int) throws -> Bool {
        let first = column(index)
        guard field == nil, !table.isPlain, table.counts[index] > 1 else {
            return sqlite3_column_type(handle, first) == SQLITE_NULL
        }
        let columns = first..<first + Int32(truncatingIfNeeded: table.counts[index])
        return columns.allSatisfy { sqlite3_column_type(handle, $0) == SQLITE_NULL }
    }

    mutating func decodeBool(at index: Int) throws -> Bool {
        switch try decodeInteger(at: index) {
        case 0: return false
        case 1: return true
        case let other: throw failure(index, "is \(other) where 0 or 1 is expected")
        }
    }

    mutating func decodeInteger(at index: Int) throws -> Int64 {
        sqlite3_value_int64(try expect(SQLITE_INTEGER, at: index))
    }

    mutating func decodeFloat(at index: Int) throws -> Float {
        Float(try decodeDouble(at: index))
    }

    mutating func decodeDouble(at index: Int) throws -> Double {
        // A column of another affinity turns whole numbers into integers.
        let value = sqlite3_column_value(handle, column(index))
        if sqlite3_value_type(value) == SQLITE_INTEGER { return sqlite3_value_double(value) }
        return sqlite3_value_double(try expect(SQLITE_FLOAT, at: index))
    }

    mutating func decodeDecimal(at index: Int) throws -> Decimal {
        if case .decimal(let value)? = try other(at: index) { return value }
        if field == nil, case .scaledDecimal(let scale) = table.columns[table.offsets[index]].form {
            return StoredDecimal.decimal(
                scaledInteger: try decodeInteger(at: index), scale: scale)
        }
        let text = try decodeString(at: index)
        guard let value = StoredDecimal.value(ofText: text) else {
            throw failure(index, "is no decimal")
        }
        return value
    }

    mutating func decodeDate(at index: Int) throws -> Date {
        if case .date(let value)? = try other(at: index) { return value }
        return StoredDate.date(microseconds: try decodeInteger(at: index))
    }

    mutating func decodeUUID(at index: Int) throws -> UUID {
        if case .uuid(let value)? = try other(at: index) { return value }
        let text = try text(at: index)
        guard let value = SQLiteUUIDText.uuid(text, in: .upper) else {
            throw failure(index, SQLiteUUIDText.reason(text, in: .upper))
        }
        return value
    }

    mutating func decodeURL(at index: Int) throws -> URL {
        guard let value = URL(string: try decodeString(at: index)) else {
            throw failure(index, "is no URL")
        }
        return value
    }

    mutating func decodeString(at index: Int) throws -> String {
        let bytes = try text(at: index)
        if Self.isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
        return try checked(bytes, index)
    }

    /// The text of bytes that must be UTF-8.
    private func checked(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) throws -> String {
        // Decoding repairs what is not UTF-8; the comparison finds that it did. Validation alone
        // takes the standard library three times as long.
        var value = String(decoding: bytes, as: UTF8.self)
        let isWhole = value.withUTF8 { text in
            guard text.count == bytes.count else { return false }
            guard let own = text.baseAddress, let stored = bytes.baseAddress else { return true }
            return memcmp(own, stored, text.count) == 0
        }
        guard isWhole else { throw failure(index, "is not UTF-8") }
        return value
    }

    /// Whether all bytes are below 128, eight looked at at a time.
    @inline(__always)
    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        guard raw.count >= 8 else { return bytes.allSatisfy { $0 < 0x80 } }
        // The last eight, of which some may have been looked at.
        var highs = raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self)
        var position = 0
        while position + 8 < raw.count {
            highs |= raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            position += 8
        }
        return highs & 0x8080_8080_8080_8080 == 0
    }

    mutating func decodeData(at index: Int) throws -> Data {
        let value = try expect(SQLITE_BLOB, at: index)
        // The pointer comes before the length, as SQLite asks; no bytes have no pointer.
        guard let bytes = sqlite3_value_blob(value) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_value_bytes(value)))
    }

    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V {
        var components = SQLiteRow(
            componentsOf: index, handle, table, first: column(index), isID: false)
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

    private func decodeJSON<V: FieldValue>(_ type: V.Type, at index: Int) throws -> V {
        do {
            return try JSONFieldText.decode(type, from: UnsafeRawBufferPointer(text(at: index)))
        } catch var error as RecordDecodingError {
            let field = path(index)
            if error.path != field {
                error.path = error.path.isEmpty ? field : "\(field).\(error.path)"
            }
            throw error
        }
    }
}
