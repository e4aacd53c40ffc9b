internal import CSQLite
internal import Foundation
internal import RepositoryRuntime

/// Reads a record, or an id, of a statement's present row.
///
/// It asks SQLite for the type of every value before it reads it: SQLite would turn one into another.
struct SQLiteRow: FieldDecoder {
    private let handle: OpaquePointer
    private let table: SQLTable
    private let part: Part

    private enum Part {
        case record
        /// The components of an id: the columns from `first` on, for messages the field.
        case components(first: Int, field: Int)
        /// The components of the record's own id, where the row is a whole record.
        case key
    }

    /// Reads a whole record from a row that holds its columns in order.
    init(record statement: SQLiteStatement, _ table: SQLTable) {
        self.init(statement.handle, table, .record)
    }

    /// Reads an id from a row that holds its components in order.
    init(id statement: SQLiteStatement, _ table: SQLTable) {
        self.init(statement.handle, table, .components(first: 0, field: table.entity.key[0]))
    }

    /// Reads the id out of a row that holds a whole record.
    init(idOfRecord statement: SQLiteStatement, _ table: SQLTable) {
        self.init(statement.handle, table, .key)
    }

    private init(_ handle: OpaquePointer, _ table: SQLTable, _ part: Part) {
        self.handle = handle
        self.table = table
        self.part = part
    }

    @inline(__always)
    private func column(_ index: Int) -> Int32 {
        switch part {
        case .record: Int32(truncatingIfNeeded: table.offsets[index])
        case .components(let first, _): Int32(truncatingIfNeeded: first + index)
        case .key: Int32(truncatingIfNeeded: table.key[index])
        }
    }

    private func path(_ index: Int) -> String {
        switch part {
        case .record: table.fieldName(index)
        case .components(_, let field): table.fieldName(field)
        case .key: table.fieldName(table.entity.key[index])
        }
    }

    private func failure(_ index: Int, _ reason: String) -> RecordDecodingError {
        RecordDecodingError(path: path(index), reason)
    }

    @inline(__always)
    private func expect(_ type: Int32, at index: Int) throws -> Int32 {
        let column = column(index)
        let found = sqlite3_column_type(handle, column)
        guard found == type else {
            throw failure(
                index, "is \(Self.typeName(found)) where \(Self.typeName(type)) is expected")
        }
        return column
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

    @inline(__always)
    private func withText<R>(
        at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R
    ) throws -> R {
        let column = try expect(SQLITE_TEXT, at: index)
        let bytes = sqlite3_column_text(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return try body(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    }

    mutating func contains(at index: Int) throws -> Bool { true }

    mutating func decodeNil(at index: Int) throws -> Bool {
        let first = column(index)
        guard case .record = part, table.counts[index] > 1 else {
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
        sqlite3_column_int64(handle, try expect(SQLITE_INTEGER, at: index))
    }

    mutating func decodeFloat(at index: Int) throws -> Float {
        Float(try decodeDouble(at: index))
    }

    mutating func decodeDouble(at index: Int) throws -> Double {
        sqlite3_column_double(handle, try expect(SQLITE_FLOAT, at: index))
    }

    mutating func decodeDecimal(at index: Int) throws -> Decimal {
        if case .scaledDecimal(let scale) = table.columns[Int(column(index))].form {
            return StoredDecimal.decimal(
                scaledInteger: try decodeInteger(at: index), scale: scale)
        }
        let text = try decodeString(at: index)
        guard let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
            value.description == text
        else { throw failure(index, "is no decimal") }
        return value
    }

    mutating func decodeDate(at index: Int) throws -> Date {
        StoredDate.date(microseconds: try decodeInteger(at: index))
    }

    mutating func decodeUUID(at index: Int) throws -> UUID {
        guard let value = try withText(at: index, { SQLiteUUIDText.uuid($0) }) else {
            throw failure(index, "is no UUID in upper case")
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
        guard let value = try withText(at: index, { String(validating: $0, as: UTF8.self) }) else {
            throw failure(index, "is not UTF-8")
        }
        return value
    }

    mutating func decodeData(at index: Int) throws -> Data {
        let column = try expect(SQLITE_BLOB, at: index)
        // The pointer comes before the length, as SQLite asks; no bytes have no pointer.
        guard let bytes = sqlite3_column_blob(handle, column) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, column)))
    }

    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V {
        var components = SQLiteRow(
            handle, table, .components(first: Int(column(index)), field: index))
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
            return try withText(at: index) {
                try JSONFieldText.decode(type, from: UnsafeRawBufferPointer($0))
            }
        } catch var error as RecordDecodingError {
            let field = path(index)
            if error.path != field {
                error.path = error.path.isEmpty ? field : "\(field).\(error.path)"
            }
            throw error
        }
    }
}
