internal import CSQLite
internal import Foundation
internal import RepositoryRuntime

/// Writes a record's fields, or an id's components, into the parameters of a statement.
struct SQLiteBinder: FieldEncoder {
    private let statement: SQLiteStatement
    private let handle: OpaquePointer
    private let table: SQLTable
    /// Parameters before the first field; or, for an id, the field whose columns the components are.
    private let part: Part

    private enum Part {
        case record
        /// Components from a parameter on, which have the forms of columns from a position on.
        case components(first: Int)
    }

    /// Binds a whole record: parameter `n` is column `n`, counted from 1.
    init(record statement: SQLiteStatement, _ table: SQLTable) {
        self.init(statement, table, .record)
    }

    /// Binds an id: parameter `n` is its component `n`, counted from 1.
    init(id statement: SQLiteStatement, _ table: SQLTable) {
        self.init(statement, table, .components(first: 0))
    }

    private init(_ statement: SQLiteStatement, _ table: SQLTable, _ part: Part) {
        self.statement = statement
        handle = statement.handle
        self.table = table
        self.part = part
    }

    @inline(__always)
    private func number(_ index: Int) -> Int32 {
        switch part {
        case .record: Int32(truncatingIfNeeded: table.offsets[index] + 1)
        case .components(let first): Int32(truncatingIfNeeded: first + index + 1)
        }
    }

    @inline(__always)
    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw statement.failure() }
    }

    mutating func encodeNil(at index: Int) throws {
        let first = number(index)
        let count: Int
        switch part {
        case .record: count = table.counts[index]
        case .components: count = 1
        }
        for column in first..<first + Int32(truncatingIfNeeded: count) {
            try check(sqlite3_bind_null(handle, column))
        }
    }

    mutating func encodeBool(_ value: Bool, at index: Int) throws {
        try check(sqlite3_bind_int64(handle, number(index), value ? 1 : 0))
    }

    mutating func encodeInteger(_ value: Int64, at index: Int) throws {
        try check(sqlite3_bind_int64(handle, number(index), value))
    }

    mutating func encodeFloat(_ value: Float, at index: Int) throws {
        try encodeDouble(Double(value), at: index)
    }

    mutating func encodeDouble(_ value: Double, at index: Int) throws {
        // SQLite would store NaN as null.
        guard value.isFinite else {
            throw CRUDRepositoryError.invalidItem(
                field: table.fieldName(index), reason: "is not a finite number")
        }
        try check(sqlite3_bind_double(handle, number(index), value))
    }

    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        guard case .scaledDecimal(let scale) = table.columns[Int(number(index)) - 1].form else {
            guard value.isFinite else {
                throw CRUDRepositoryError.invalidItem(
                    field: table.fieldName(index), reason: "is not a number")
            }
            try encodeString(value.description, at: index)
            return
        }
        guard let integer = StoredDecimal.scaledInteger(value, scale: scale) else {
            throw CRUDRepositoryError.invalidItem(
                field: table.fieldName(index),
                reason: "has more digits than a decimal with \(scale) after the point can hold")
        }
        try encodeInteger(integer, at: index)
    }

    mutating func encodeDate(_ value: Date, at index: Int) throws {
        guard StoredDate.canStore(value) else {
            throw CRUDRepositoryError.invalidItem(
                field: table.fieldName(index), reason: "is a date out of range")
        }
        try encodeInteger(StoredDate.microseconds(value), at: index)
    }

    mutating func encodeUUID(_ value: UUID, at index: Int) throws {
        try check(SQLiteBinding.uuid(value, handle, number(index)))
    }

    mutating func encodeURL(_ value: URL, at index: Int) throws {
        try encodeString(value.absoluteString, at: index)
    }

    mutating func encodeString(_ value: String, at index: Int) throws {
        try check(SQLiteBinding.text(value, handle, number(index)))
    }

    mutating func encodeData(_ value: Data, at index: Int) throws {
        try check(SQLiteBinding.data(value, handle, number(index)))
    }

    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        var components = SQLiteBinder(
            statement, table, .components(first: Int(number(index)) - 1))
        try value.encodeComponents(to: &components)
    }

    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        try encodeString(try JSONFieldText.encode(value), at: index)
    }

    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        try encodeString(try JSONFieldText.encode(value), at: index)
    }

    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        try encodeString(try JSONFieldText.encode(value), at: index)
    }
}
