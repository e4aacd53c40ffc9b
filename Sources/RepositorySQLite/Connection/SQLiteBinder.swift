internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Encodes a record's fields, or an id's components, as the parameters of a statement.
///
/// Values that a column cannot store throw `invalidItem` with the name of the field. The binder
/// does not run the statement.
struct SQLiteBinder: FieldEncoder {
    /// The statement, for error messages.
    private let statement: SQLiteStatement
    private let handle: OpaquePointer
    /// The table, for the representations of its columns.
    private let table: SQLTable
    /// The parameter of each field index, starting at 0; `nil` if the parameters are contiguous.
    private let columns: [Int]?
    /// The number of the first parameter.
    private let first: Int32
    /// Whether a whole record is encoded.
    private let isRecord: Bool
    /// Whether an id on its own is encoded.
    private let isID: Bool
    /// The buffer for strings until the statement has run; `nil` if SQLite copies them.
    private let memory: SQLiteTextMemory?

    /// Creates an encoder for whole records: parameter `n` is column `n`, starting at 1. Call
    /// ``start()`` before each record.
    ///
    /// - Parameters:
    ///   - statement: the statement.
    ///   - table: the table of the records.
    ///   - memory: the connection's buffer for strings. The statement must run before the buffer is
    ///     used again.
    @inline(__always)
    init(record statement: SQLiteStatement, _ table: SQLTable, in memory: SQLiteTextMemory) {
        self.memory = memory
        self.statement = statement
        handle = statement.handle
        self.table = table
        columns = table.isPlain ? nil : table.offsets
        first = 1
        isRecord = true
        isID = false
    }

    /// Creates an encoder for an id: parameter `n` is component `n`, starting at 1.
    ///
    /// - Parameters:
    ///   - statement: the statement.
    ///   - table: the table of the record.
    ///   - memory: the connection's buffer for strings, which is cleared. If it is `nil`, SQLite
    ///     copies strings.
    @inline(__always)
    init(id statement: SQLiteStatement, _ table: SQLTable, in memory: SQLiteTextMemory? = nil) {
        memory?.clear()
        self.init(components: statement, table, first: 1, isID: true, in: memory)
    }

    /// Creates an encoder for contiguous components whose first parameter is `first`.
    @inline(__always)
    private init(
        components statement: SQLiteStatement, _ table: SQLTable, first: Int32, isID: Bool,
        in memory: SQLiteTextMemory?
    ) {
        self.memory = memory
        self.statement = statement
        handle = statement.handle
        self.table = table
        columns = nil
        self.first = first
        isRecord = false
        self.isID = isID
    }

    /// Discards the strings of the previous record.
    @inline(__always)
    func start() { memory?.clear() }

    /// Binds the fields of a record, and encrypts those that are declared to be encrypted.
    @inline(__always)
    mutating func encode<E: Entity>(_ entity: E) throws {
        guard let cipher = table.cipher else { return try E.Mapper.encode(entity, to: &self) }
        var fields = try SealingEncoder(self, cipher, id: entity.id)
        try E.Mapper.encode(entity, to: &fields)
    }

    /// Returns the parameter of a field index, starting at 1.
    @inline(__always)
    private func number(_ index: Int) -> Int32 {
        guard let columns else { return first + Int32(truncatingIfNeeded: index) }
        return first + Int32(truncatingIfNeeded: columns[index])
    }

    /// Returns the representation of the column of an index; `nil` if it is the default one.
    private func otherForm(_ index: Int) -> SQLColumnForm? {
        guard table.hasOtherForms else { return nil }
        let column = isID ? table.key[index] : Int(number(index)) - 1
        let form = table.columns[column].form
        return form.isOther ? form : nil
    }

    /// Binds a value in a non-default representation.
    ///
    /// - Throws: `invalidItem` if the representation cannot store the value.
    private func encode(_ value: StoredValue, _ form: SQLColumnForm, at index: Int) throws {
        guard let stored = SQLiteOtherForms.stored(value, form) else {
            throw CRUDRepositoryError.invalidItem(
                field: table.fieldName(isID ? table.entity.key[index] : index),
                reason: SQLiteOtherForms.reason(form))
        }
        try SQLiteValues.bindHeld(stored, to: statement, at: Int(number(index)))
    }

    /// Throws the error of the connection if a call on the statement failed.
    @inline(__always)
    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { try fail(code) }
    }

    /// Throws the error of a failed call, unless the statement has no such parameter because the
    /// database computes the column.
    private func fail(_ code: Int32) throws {
        if code == SQLITE_RANGE, isRecord, !table.entity.onlyReadFields.isEmpty { return }
        throw statement.failure()
    }

    /// Binds null, to every column of a composite field.
    mutating func encodeNil(at index: Int) throws {
        let first = number(index)
        let count = isRecord ? table.counts[index] : 1
        for column in first..<first + Int32(truncatingIfNeeded: count) {
            try check(sqlite3_bind_null(handle, column))
        }
    }

    /// Binds an INTEGER: 0 or 1.
    mutating func encodeBool(_ value: Bool, at index: Int) throws {
        try check(sqlite3_bind_int64(handle, number(index), value ? 1 : 0))
    }

    mutating func encodeInteger(_ value: Int64, at index: Int) throws {
        try check(sqlite3_bind_int64(handle, number(index), value))
    }

    mutating func encodeFloat(_ value: Float, at index: Int) throws {
        try encodeDouble(Double(value), at: index)
    }

    /// Binds a REAL.
    ///
    /// - Throws: `invalidItem` for a number that is not finite, because SQLite would store NaN as
    ///   null.
    mutating func encodeDouble(_ value: Double, at index: Int) throws {
        guard value.isFinite else {
            throw CRUDRepositoryError.invalidItem(
                field: table.fieldName(index), reason: "is not a finite number")
        }
        try check(sqlite3_bind_double(handle, number(index), value))
    }

    /// Binds a decimal: the scaled INTEGER in a column of fixed scale, and otherwise its
    /// description as TEXT.
    ///
    /// - Throws: `invalidItem` if the value is not a number or has more digits than the column
    ///   stores.
    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        if let form = otherForm(index) { return try encode(.decimal(value), form, at: index) }
        guard isRecord, case .scaledDecimal(let scale) = table.columns[Int(number(index)) - 1].form
        else {
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

    /// Binds a date: microseconds since 1970 as INTEGER, unless the column has another
    /// representation.
    ///
    /// - Throws: `invalidItem` if the date is out of range.
    mutating func encodeDate(_ value: Date, at index: Int) throws {
        guard StoredDate.canStore(value) else {
            throw CRUDRepositoryError.invalidItem(
                field: table.fieldName(index), reason: "is a date out of range")
        }
        if let form = otherForm(index) { return try encode(.date(value), form, at: index) }
        try encodeInteger(StoredDate.microseconds(value), at: index)
    }

    /// Binds a UUID: upper-case TEXT, unless the column has another representation.
    mutating func encodeUUID(_ value: UUID, at index: Int) throws {
        if let form = otherForm(index) { return try encode(.uuid(value), form, at: index) }
        try check(SQLiteBinding.uuid(value, handle, number(index)))
    }

    /// Binds the absolute string of a URL as TEXT.
    mutating func encodeURL(_ value: URL, at index: Int) throws {
        try encodeString(value.absoluteString, at: index)
    }

    /// Binds TEXT, in the connection's buffer if there is one.
    mutating func encodeString(_ value: String, at index: Int) throws {
        if let memory {
            return try check(SQLiteBinding.text(value, in: memory, handle, number(index)))
        }
        try check(SQLiteBinding.text(value, handle, number(index)))
    }

    /// Binds a BLOB.
    mutating func encodeData(_ value: Data, at index: Int) throws {
        try check(SQLiteBinding.data(value, handle, number(index)))
    }

    /// Binds a composite reference: one parameter per component, in order.
    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        var components = SQLiteBinder(
            components: statement, table, first: number(index), isID: false, in: memory)
        try value.encodeComponents(to: &components)
    }

    /// Binds an embedded value as JSON text.
    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        try encodeString(try JSONFieldText.encode(value), at: index)
    }

    /// Binds a list as JSON text.
    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        try encodeString(try JSONFieldText.encode(value), at: index)
    }

    /// Binds a map as JSON text.
    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        try encodeString(try JSONFieldText.encode(value), at: index)
    }
}
