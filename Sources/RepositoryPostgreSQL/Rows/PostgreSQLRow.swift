#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Decodes a record or an id from a row of a result.
    ///
    /// The type of each column is compared before its value is read. A value of another type throws
    /// `RecordDecodingError` with the name of the field.
    struct PostgreSQLRow: FieldDecoder {
        private let result: PostgreSQLResult
        /// The row that is decoded.
        var row: Int
        private let table: SQLTable
        /// The result column of each index; `nil` if they are contiguous from ``first``.
        private let columns: [Int]?
        private let first: Int
        /// The field that the components belong to; `nil` for a whole record.
        private let field: Int?

        /// Creates a decoder for whole records, whose columns are in order.
        init(record result: PostgreSQLResult, _ row: Int, _ table: SQLTable) {
            self.result = result
            self.row = row
            self.table = table
            columns = table.isPlain ? nil : table.offsets
            first = 0
            field = nil
        }

        /// Creates a decoder for an id, from a row of its components.
        init(id result: PostgreSQLResult, _ row: Int, _ table: SQLTable) {
            self.init(componentsOf: table.entity.key[0], result, row, table, first: 0)
        }

        /// Creates a decoder for the id that is part of a whole record.
        init(idOfRecord result: PostgreSQLResult, _ row: Int, _ table: SQLTable) {
            self.result = result
            self.row = row
            self.table = table
            columns = table.key
            first = 0
            field = table.entity.key[0]
        }

        private init(
            componentsOf field: Int, _ result: PostgreSQLResult, _ row: Int, _ table: SQLTable,
            first: Int
        ) {
            self.result = result
            self.row = row
            self.table = table
            columns = nil
            self.first = first
            self.field = field
        }

        @inline(__always)
        private func column(_ index: Int) -> Int { columns.map { $0[index] } ?? first + index }

        private func failure(_ index: Int, _ reason: String) -> RecordDecodingError {
            RecordDecodingError(path: table.fieldName(field ?? index), reason)
        }

        /// Returns the bytes of a value.
        ///
        /// - Throws: `RecordDecodingError` if the value is null or its column has another type.
        @inline(__always)
        private func bytes(_ type: UInt32, at index: Int) throws -> UnsafeRawBufferPointer {
            let column = column(index)
            guard result.type(column) == type else {
                let (found, expected) = (
                    PostgreSQLType.name(result.type(column)), PostgreSQLType.name(type)
                )
                throw failure(index, "is \(found) where \(expected) is expected")
            }
            return try notNull(column, at: index)
        }

        /// Returns the bytes of a value of any type.
        @inline(__always)
        private func notNull(_ column: Int, at index: Int) throws -> UnsafeRawBufferPointer {
            let bytes = result.bytes(row, column)
            if bytes.isEmpty, result.isNull(row, column) { throw failure(index, "is null") }
            return bytes
        }

        mutating func contains(at index: Int) throws -> Bool { true }

        /// Returns whether the field is null. A composite field is null if all of its columns are.
        mutating func decodeNil(at index: Int) throws -> Bool {
            let first = column(index)
            guard field == nil, !table.isPlain, table.counts[index] > 1 else {
                return result.isNull(row, first)
            }
            return (first..<first + table.counts[index]).allSatisfy { result.isNull(row, $0) }
        }

        mutating func decodeBool(at index: Int) throws -> Bool {
            try bytes(PostgreSQLType.bool, at: index).first == 1
        }

        mutating func decodeInteger(at index: Int) throws -> Int64 {
            let column = column(index)
            if let value = result.integer(row, column) { return value }
            _ = try bytes(PostgreSQLType.int8, at: index)
            return 0
        }

        mutating func decodeFloat(at index: Int) throws -> Float {
            let bytes = try bytes(PostgreSQLType.float4, at: index)
            return try finite(
                Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))), index)
        }

        mutating func decodeDouble(at index: Int) throws -> Double {
            let bytes = try bytes(PostgreSQLType.float8, at: index)
            return try finite(
                Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))), index)
        }

        /// Returns a number.
        ///
        /// - Throws: `RecordDecodingError` for the numbers that PostgreSQL holds and records do not.
        private func finite<F: BinaryFloatingPoint>(_ value: F, _ index: Int) throws -> F {
            guard value.isFinite else { throw failure(index, "is not a finite number") }
            return value
        }

        mutating func decodeDecimal(at index: Int) throws -> Decimal {
            guard let value = PostgreSQLNumeric.read(try bytes(PostgreSQLType.numeric, at: index))
            else { throw failure(index, "is no decimal of at most 38 digits") }
            return value
        }

        mutating func decodeDate(at index: Int) throws -> Date {
            let bytes = try bytes(PostgreSQLType.timestamptz, at: index)
            let stored = Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
            guard let micros = PostgreSQLDate.microseconds(stored: stored) else {
                throw failure(index, "is infinite")
            }
            return StoredDate.date(microseconds: micros)
        }

        mutating func decodeUUID(at index: Int) throws -> UUID {
            UUID(uuid: try bytes(PostgreSQLType.uuid, at: index).loadUnaligned(as: uuid_t.self))
        }

        mutating func decodeURL(at index: Int) throws -> URL {
            guard let value = URL(string: try decodeString(at: index)) else {
                throw failure(index, "is no URL")
            }
            return value
        }

        /// Decodes text, or the text of a day.
        mutating func decodeString(at index: Int) throws -> String {
            let column = column(index)
            switch result.type(column) {
            case PostgreSQLType.text, PostgreSQLType.varchar:
                return String(decoding: try notNull(column, at: index), as: UTF8.self)
            case PostgreSQLType.date:
                let bytes = try bytes(PostgreSQLType.date, at: index)
                let days = Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))
                guard let day = PostgreSQLDate.day(days) else {
                    throw failure(index, "is a day out of range")
                }
                return day.description
            default:
                return String(decoding: try bytes(PostgreSQLType.text, at: index), as: UTF8.self)
            }
        }

        mutating func decodeData(at index: Int) throws -> Data {
            Data(try bytes(PostgreSQLType.bytea, at: index))
        }

        mutating func decodeComposite<V: CompositeEntityID>(
            _ type: V.Type, at index: Int
        ) throws -> V {
            var components = PostgreSQLRow(
                componentsOf: index, result, row, table, first: column(index))
            return try V.decodeComponents(from: &components)
        }

        mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V {
            try decodeJSON(type, at: index)
        }

        mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
            try decodeJSON([V].self, at: index)
        }

        mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V]
        {
            try decodeJSON([String: V].self, at: index)
        }

        /// Decodes a value from `jsonb`. The path of an error begins with the name of the field.
        private func decodeJSON<V: FieldValue>(_ type: V.Type, at index: Int) throws -> V {
            let bytes = try bytes(PostgreSQLType.jsonb, at: index)
            guard bytes.first == 1 else { throw failure(index, "is jsonb of another version") }
            do {
                return try JSONFieldText.decode(
                    type, from: UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
            } catch var error as RecordDecodingError {
                let field = table.fieldName(field ?? index)
                if error.path != field {
                    error.path = error.path.isEmpty ? field : "\(field).\(error.path)"
                }
                throw error
            }
        }
    }
#endif
