#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore
    internal import StoredSchema

    /// Encodes a record's fields, or an id's components, as the parameters of a statement.
    ///
    /// Values that a column cannot store throw `invalidItem` with the name of the field.
    struct PostgreSQLBinder: FieldEncoder {
        private let layout: PostgreSQLTable
        /// The column of index 0, if the columns are contiguous; `nil` for a whole record.
        private let columns: [Int]?
        /// The field that the components belong to; `nil` for a whole record and for an id.
        private let field: Int?
        /// The number of the first parameter.
        private let first: Int
        /// The parameters.
        private(set) var parameters: PostgreSQLParameters

        /// Creates an encoder for a record: the parameters are its columns, then its folded
        /// columns.
        ///
        /// - Parameter extra: the types of further parameters.
        init(record layout: PostgreSQLTable, extra: [UInt32] = []) {
            self.layout = layout
            columns = nil
            field = nil
            first = 0
            parameters = PostgreSQLParameters(
                types: extra.isEmpty ? layout.recordTypes : layout.recordTypes + extra)
        }

        /// Creates an encoder for an id: parameter `n` is component `n`.
        init(id layout: PostgreSQLTable, extra: [UInt32] = []) {
            self.layout = layout
            columns = layout.table.key
            field = nil
            first = 0
            parameters = PostgreSQLParameters(
                types: extra.isEmpty ? layout.keyTypes : layout.keyTypes + extra)
        }

        /// Creates an encoder for the components of a field of a record.
        private init(_ record: PostgreSQLBinder, field: Int) {
            layout = record.layout
            columns = Array(record.layout.table.columns(ofField: field))
            self.field = field
            first = record.layout.table.offsets[field]
            parameters = record.parameters
        }

        /// Encodes the fields of a record, and encrypts those that are declared to be encrypted.
        @inline(__always)
        mutating func encode<E: Entity>(_ entity: E) throws {
            guard let cipher = layout.table.cipher else {
                return try E.Mapper.encode(entity, to: &self)
            }
            var fields = try SealingEncoder(self, cipher, id: entity.id)
            try E.Mapper.encode(entity, to: &fields)
            self = fields.base
        }

        /// Sets a parameter that is not a field.
        mutating func set(_ number: Int, _ write: (inout [UInt8]) -> Void) {
            parameters.set(number, write)
        }

        /// The parameter of an index.
        private func number(_ index: Int) -> Int {
            columns == nil ? layout.table.offsets[index] : first + index
        }

        /// The representation of the column of an index.
        private func form(_ index: Int) -> SQLColumnForm {
            layout.table.columns[columns.map { $0[index] } ?? layout.table.offsets[index]].form
        }

        private func invalid(_ index: Int, _ reason: String) -> CRUDRepositoryError {
            let name = layout.table.fieldName(
                field ?? (columns == nil ? index : layout.table.entity.key[index]))
            return .invalidItem(field: name, reason: reason)
        }

        mutating func encodeNil(at index: Int) throws {
            let first = number(index)
            let count = columns == nil ? layout.table.counts[index] : 1
            for column in first..<first + count { parameters.setNull(column) }
            if columns == nil, let folded = layout.foldedParameter[first] {
                parameters.setNull(folded)
            }
        }

        mutating func encodeBool(_ value: Bool, at index: Int) throws {
            parameters.set(number(index)) { $0.append(value ? UInt8(1) : 0) }
        }

        /// Encodes an integer with the width of the column.
        mutating func encodeInteger(_ value: Int64, at index: Int) throws {
            guard case .integer(let bits) = form(index) else {
                throw invalid(index, "is no integer in the table")
            }
            switch bits {
            case 16:
                guard let value = Int16(exactly: value) else {
                    throw invalid(index, "does not fit into a smallint")
                }
                parameters.set(number(index)) { $0.append(value) }
            case 32:
                guard let value = Int32(exactly: value) else {
                    throw invalid(index, "does not fit into an integer")
                }
                parameters.set(number(index)) { $0.append(value) }
            default: parameters.set(number(index)) { $0.append(value) }
            }
        }

        mutating func encodeFloat(_ value: Float, at index: Int) throws {
            try encodeDouble(Double(value), at: index)
        }

        mutating func encodeDouble(_ value: Double, at index: Int) throws {
            guard value.isFinite else { throw invalid(index, "is not a finite number") }
            if form(index) == .float {
                parameters.set(number(index)) { $0.append(Float(value).bitPattern) }
            } else {
                parameters.set(number(index)) { $0.append(value.bitPattern) }
            }
        }

        /// Encodes a decimal. Scaled ones have the range that they have in every store.
        mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
            guard value.isFinite else { throw invalid(index, "is not a number") }
            if case .numeric(let scale?) = form(index),
                StoredDecimal.scaledInteger(value, scale: scale) == nil
            {
                throw invalid(
                    index,
                    "has more digits than a decimal with \(scale) after the point can hold")
            }
            parameters.set(number(index)) { PostgreSQLNumeric.write(value, to: &$0) }
        }

        /// Encodes a date.
        ///
        /// - Throws: `invalidItem` if the date is out of range. PostgreSQL's begins in 4714 BC.
        mutating func encodeDate(_ value: Date, at index: Int) throws {
            guard StoredDate.canStore(value),
                let stored = PostgreSQLDate.stored(microseconds: StoredDate.microseconds(value))
            else { throw invalid(index, "is a date out of range") }
            parameters.set(number(index)) { $0.append(stored) }
        }

        mutating func encodeUUID(_ value: UUID, at index: Int) throws {
            parameters.set(number(index)) { bytes in
                withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
            }
        }

        mutating func encodeURL(_ value: URL, at index: Int) throws {
            try encodeString(value.absoluteString, at: index)
        }

        /// Encodes text, or a day in a column of days, and the folded text of a field that ignores
        /// case.
        mutating func encodeString(_ value: String, at index: Int) throws {
            let number = number(index)
            if form(index) == .day {
                guard let day = LocalDate(value) else { throw invalid(index, "is no day") }
                return parameters.set(number) { $0.append(PostgreSQLDate.days(day)) }
            }
            guard !value.containsNull else { throw invalid(index, "contains U+0000") }
            parameters.set(number) { $0.append(contentsOf: value.utf8) }
            if columns == nil, let folded = layout.foldedParameter[number] {
                parameters.set(folded) { $0.append(contentsOf: CaseFolding.folded(value).utf8) }
            }
        }

        mutating func encodeData(_ value: Data, at index: Int) throws {
            parameters.set(number(index)) { $0.append(contentsOf: value) }
        }

        mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
            var components = PostgreSQLBinder(self, field: index)
            try value.encodeComponents(to: &components)
            parameters = components.parameters
        }

        mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
            try encodeJSON(try JSONFieldText.encode(value), at: index)
        }

        mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
            try encodeJSON(try JSONFieldText.encode(value), at: index)
        }

        mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
            try encodeJSON(try JSONFieldText.encode(value), at: index)
        }

        /// Encodes `jsonb`: its version, then the text.
        private mutating func encodeJSON(_ text: String, at index: Int) throws {
            parameters.set(number(index)) {
                $0.append(UInt8(1))
                $0.append(contentsOf: text.utf8)
            }
        }
    }

    extension String {
        /// Whether it contains U+0000.
        fileprivate var containsNull: Bool {
            utf8.withContiguousStorageIfAvailable { bytes in
                bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
            } ?? utf8.contains(0)
        }
    }
#endif
