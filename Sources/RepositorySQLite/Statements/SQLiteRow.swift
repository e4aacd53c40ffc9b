internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Decodes a record or an id from the current row of a statement.
///
/// It checks the storage class of every value before it reads the value, because SQLite would
/// silently convert one type to another. A value of another storage class throws
/// `RecordDecodingError` with the name of the field.
///
/// Each column is looked up once with `sqlite3_column_value`; type, bytes and length are read from
/// the returned `sqlite3_value`. Without SQLite's mutexes these calls are safe only while no other
/// thread uses the connection. Connections are opened with `SQLITE_OPEN_NOMUTEX`, and one thread at
/// a time uses them.
struct SQLiteRow: FieldDecoder {
    /// The statement. The decoder is valid while the statement is positioned at a row.
    private let handle: OpaquePointer
    private let table: SQLTable
    /// The result column of each field index; `nil` if the columns are contiguous from ``first``.
    private let columns: [Int]?
    /// The result column of index 0 if the columns are contiguous, starting at 0.
    private let first: Int32
    /// The field that the row is a part of, for error messages; `nil` for a whole record.
    private let field: Int?
    /// Whether the row is decoded as an id.
    private let isID: Bool

    /// Creates a decoder for a whole record.
    ///
    /// - Parameters:
    ///   - statement: a statement that is positioned at a row.
    ///   - table: the table of the record.
    ///   - places: the first result column of each field; `nil` if the result has the table's
    ///     columns in order.
    @inline(__always)
    init(record statement: SQLiteStatement, _ table: SQLTable, at places: [Int]? = nil) {
        handle = statement.handle
        self.table = table
        columns = places ?? (table.isPlain ? nil : table.offsets)
        first = 0
        field = nil
        isID = false
    }

    /// Returns the first result column of each field, given the result column of each table column.
    ///
    /// - Parameters:
    ///   - table: the table of the record.
    ///   - places: the result column of each table column.
    /// - Throws: `unsupported` if the columns of a composite field are not contiguous and in order
    ///   in the result.
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

    /// Creates a decoder for an id, from a row that contains its components in order.
    init(id statement: SQLiteStatement, _ table: SQLTable) {
        self.init(
            componentsOf: table.entity.key[0], statement.handle, table, first: 0, isID: true)
    }

    /// Creates a decoder for the id that is part of a row with a whole record.
    ///
    /// - Parameters:
    ///   - statement: a statement that is positioned at a row.
    ///   - table: the table of the record.
    ///   - places: the result column of each table column; `nil` if the result has them in order.
    init(idOfRecord statement: SQLiteStatement, _ table: SQLTable, at places: [Int]? = nil) {
        handle = statement.handle
        self.table = table
        columns = places.map { places in table.key.map { places[$0] } } ?? table.key
        first = 0
        field = table.entity.key[0]
        isID = true
    }

    /// Creates a decoder for the components of one field, which are contiguous from column `first`.
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

    /// Returns the result column of a field index.
    @inline(__always)
    private func column(_ index: Int) -> Int32 {
        guard let columns else { return first + Int32(truncatingIfNeeded: index) }
        return Int32(truncatingIfNeeded: columns[index])
    }

    /// Returns the name of a field, for error messages.
    private func path(_ index: Int) -> String { table.fieldName(field ?? index) }

    private func failure(_ index: Int, _ reason: String) -> RecordDecodingError {
        RecordDecodingError(path: path(index), reason)
    }

    /// Returns the value of a column.
    ///
    /// - Throws: `RecordDecodingError` if the storage class of the value is not `type`.
    @inline(__always)
    private func expect(_ type: Int32, at index: Int) throws -> OpaquePointer? {
        let value = sqlite3_column_value(handle, column(index))
        let found = sqlite3_value_type(value)
        guard found == type || type == SQLITE_TEXT && isReadAsText(found, index) else {
            throw failure(
                index, "is \(Self.typeName(found)) where \(Self.typeName(type)) is expected")
        }
        return value
    }

    /// Returns whether a value that is not text is read as SQLite converts it to text.
    private func isReadAsText(_ found: Int32, _ index: Int) -> Bool {
        guard found != SQLITE_NULL, field == nil, !isID else { return false }
        return table.columns[table.offsets[index]].form == .anyText
    }

    /// Returns the value of a column with a non-default representation; `nil` if the column has the
    /// default one.
    ///
    /// - Throws: `RecordDecodingError` if the column contains a value that its representation does
    ///   not allow.
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

    /// Returns the UTF-8 bytes of a text column. The buffer is valid until the statement steps or
    /// is reset.
    @inline(__always)
    private func text(at index: Int) throws -> UnsafeBufferPointer<UInt8> {
        let value = try expect(SQLITE_TEXT, at: index)
        // SQLite returns a pointer for the empty text too. A null pointer means out of memory.
        guard let bytes = sqlite3_value_text(value) else {
            throw failure(index, "does not fit into memory")
        }
        return UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
    }

    /// Returns `true`: a row has a value, possibly null, for every column.
    mutating func contains(at index: Int) throws -> Bool { true }

    /// Returns whether the field is null. A composite field is null if all of its columns are.
    mutating func decodeNil(at index: Int) throws -> Bool {
        let first = column(index)
        guard field == nil, !table.isPlain, table.counts[index] > 1 else {
            return sqlite3_column_type(handle, first) == SQLITE_NULL
        }
        let columns = first..<first + Int32(truncatingIfNeeded: table.counts[index])
        return columns.allSatisfy { sqlite3_column_type(handle, $0) == SQLITE_NULL }
    }

    /// Decodes an INTEGER that is 0 or 1.
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

    /// Decodes a REAL or, because of the column's affinity, an INTEGER.
    mutating func decodeDouble(at index: Int) throws -> Double {
        let value = sqlite3_column_value(handle, column(index))
        if sqlite3_value_type(value) == SQLITE_INTEGER { return sqlite3_value_double(value) }
        return sqlite3_value_double(try expect(SQLITE_FLOAT, at: index))
    }

    /// Decodes a decimal: the scaled INTEGER of a column of fixed scale, and otherwise TEXT.
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

    /// Decodes a date: microseconds since 1970 as INTEGER, unless the column has another
    /// representation.
    mutating func decodeDate(at index: Int) throws -> Date {
        if case .date(let value)? = try other(at: index) { return value }
        return StoredDate.date(microseconds: try decodeInteger(at: index))
    }

    /// Decodes a UUID: upper-case TEXT, unless the column has another representation.
    mutating func decodeUUID(at index: Int) throws -> UUID {
        if case .uuid(let value)? = try other(at: index) { return value }
        let text = try text(at: index)
        guard let value = SQLiteUUIDText.uuid(text, in: .upper) else {
            throw failure(index, SQLiteUUIDText.reason(text, in: .upper))
        }
        return value
    }

    /// Decodes a URL from TEXT.
    mutating func decodeURL(at index: Int) throws -> URL {
        guard let value = URL(string: try decodeString(at: index)) else {
            throw failure(index, "is no URL")
        }
        return value
    }

    /// Decodes TEXT, which must be valid UTF-8.
    mutating func decodeString(at index: Int) throws -> String {
        let bytes = try text(at: index)
        if Self.isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
        return try checked(bytes, index)
    }

    /// Returns a string from bytes that need not be valid UTF-8.
    ///
    /// - Throws: `RecordDecodingError` if the bytes are not valid UTF-8.
    private func checked(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) throws -> String {
        // Decoding replaces invalid UTF-8, so the result then differs from the input. Validating
        // first takes the standard library three times as long.
        var value = String(decoding: bytes, as: UTF8.self)
        let isWhole = value.withUTF8 { text in
            guard text.count == bytes.count else { return false }
            guard let own = text.baseAddress, let stored = bytes.baseAddress else { return true }
            return memcmp(own, stored, text.count) == 0
        }
        guard isWhole else { throw failure(index, "is not UTF-8") }
        return value
    }

    /// Returns whether all bytes are below 128, testing eight bytes at a time.
    @inline(__always)
    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        guard raw.count >= 8 else { return bytes.allSatisfy { $0 < 0x80 } }
        // The last eight bytes; they may overlap with the bytes that the loop tests.
        var highs = raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self)
        var position = 0
        while position + 8 < raw.count {
            highs |= raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            position += 8
        }
        return highs & 0x8080_8080_8080_8080 == 0
    }

    /// Decodes a BLOB.
    mutating func decodeData(at index: Int) throws -> Data {
        let value = try expect(SQLITE_BLOB, at: index)
        // SQLite requires that the pointer is requested before the length. It is null for an empty
        // blob.
        guard let bytes = sqlite3_value_blob(value) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_value_bytes(value)))
    }

    /// Decodes a composite reference from one column per component.
    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V {
        var components = SQLiteRow(
            componentsOf: index, handle, table, first: column(index), isID: false)
        return try V.decodeComponents(from: &components)
    }

    /// Decodes an embedded value from JSON text.
    mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V {
        try decodeJSON(type, at: index)
    }

    /// Decodes a list from JSON text.
    mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
        try decodeJSON([V].self, at: index)
    }

    /// Decodes a map from JSON text.
    mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V] {
        try decodeJSON([String: V].self, at: index)
    }

    /// Decodes a value from JSON text. The path of an error begins with the name of the field.
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
