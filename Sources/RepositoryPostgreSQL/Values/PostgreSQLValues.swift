#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Writes and reads `StoredValue`s, whose Swift type is known only at run time.
    enum PostgreSQLValues {
        /// Returns the type of the parameters for a representation.
        static func type(_ form: SQLColumnForm) -> UInt32 {
            switch form {
            case .boolean: PostgreSQLType.bool
            case .integer(let bits):
                bits == 16
                    ? PostgreSQLType.int2 : bits == 32 ? PostgreSQLType.int4 : PostgreSQLType.int8
            case .float: PostgreSQLType.float4
            case .double: PostgreSQLType.float8
            case .numeric: PostgreSQLType.numeric
            case .date: PostgreSQLType.timestamptz
            case .day: PostgreSQLType.date
            case .uuid: PostgreSQLType.uuid
            case .data, .encrypted: PostgreSQLType.bytea
            case .json: PostgreSQLType.jsonb
            default: PostgreSQLType.text
            }
        }

        /// Returns the type of a parameter that a column is compared with. It holds more values
        /// than the column, so that every comparison is exact.
        static func comparedType(_ form: SQLColumnForm) -> UInt32 {
            switch form {
            case .integer: PostgreSQLType.int8
            case .float: PostgreSQLType.float8
            default: type(form)
            }
        }

        /// Returns the parameters of a query.
        static func parameters(_ parameters: [SQLParameter]) throws -> PostgreSQLParameters {
            var result = PostgreSQLParameters()
            for parameter in parameters { try append(parameter, to: &result) }
            return result
        }

        /// Appends a parameter of a query; a list becomes an array.
        static func append(
            _ parameter: SQLParameter, to parameters: inout PostgreSQLParameters
        ) throws {
            let type = comparedType(parameter.form)
            guard case .list(let values) = parameter.value else {
                var bytes: [UInt8] = []
                try write(parameter.value, as: type, to: &bytes)
                return parameters.append(type) { $0 += bytes }
            }
            let elements = try values.map { value in
                var element: [UInt8] = []
                try write(value, as: type, to: &element)
                return element as [UInt8]?
            }
            append(elements, of: type, to: &parameters)
        }

        /// Appends an array of texts.
        static func append(_ texts: [String?], to parameters: inout PostgreSQLParameters) {
            append(
                texts.map { $0.map { Array($0.utf8) } }, of: PostgreSQLType.text, to: &parameters)
        }

        /// Appends an array of one dimension: https://www.postgresql.org/docs/current/arrays.html
        ///
        /// - Parameters:
        ///   - elements: the bytes of the elements; `nil` for null.
        ///   - type: the type of the elements.
        private static func append(
            _ elements: [[UInt8]?], of type: UInt32, to parameters: inout PostgreSQLParameters
        ) {
            parameters.append(PostgreSQLType.array(of: type)) { bytes in
                bytes.append(Int32(1))
                bytes.append(Int32(elements.contains(nil) ? 1 : 0))
                bytes.append(type)
                bytes.append(Int32(elements.count))
                bytes.append(Int32(1))
                for element in elements {
                    bytes.append(element.map { Int32($0.count) } ?? -1)
                    bytes += element ?? []
                }
            }
        }

        /// Appends the binary form of a value that is not null.
        static func write(
            _ value: StoredValue, as type: UInt32, to bytes: inout [UInt8]
        ) throws {
            switch (type, value) {
            case (PostgreSQLType.bool, .bool(let value)): bytes.append(value ? UInt8(1) : 0)
            case (PostgreSQLType.int8, .integer(let value)): bytes.append(value)
            case (PostgreSQLType.int4, .integer(let value)):
                bytes.append(Int32(truncatingIfNeeded: value))
            case (PostgreSQLType.int2, .integer(let value)):
                bytes.append(Int16(truncatingIfNeeded: value))
            case (PostgreSQLType.float8, .double(let value)): bytes.append(value.bitPattern)
            case (PostgreSQLType.float4, .double(let value)):
                bytes.append(Float(value).bitPattern)
            case (PostgreSQLType.numeric, .decimal(let value)) where value.isFinite:
                PostgreSQLNumeric.write(value, to: &bytes)
            case (PostgreSQLType.timestamptz, .date(let value)):
                bytes.append(
                    PostgreSQLDate.comparable(microseconds: StoredDate.microseconds(value)))
            case (PostgreSQLType.date, .text(let text)):
                guard let day = LocalDate(text) else { throw unfit(value, type) }
                bytes.append(PostgreSQLDate.days(day))
            case (PostgreSQLType.uuid, .uuid(let value)):
                withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
            case (PostgreSQLType.bytea, .data(let value)): bytes.append(contentsOf: value)
            case (PostgreSQLType.text, .text(let value)): bytes.append(contentsOf: value.utf8)
            default: throw unfit(value, type)
            }
        }

        private static func unfit(_ value: StoredValue, _ type: UInt32) -> CRUDRepositoryError {
            .unsupported("such a value as \(PostgreSQLType.name(type))", by: "PostgreSQL")
        }

        /// Returns the value of a result in the form that the runtime expects.
        ///
        /// - Throws: `RecordDecodingError` if the value does not have the form.
        static func value(
            _ result: PostgreSQLResult, _ row: Int, _ column: Int, _ form: SQLColumnForm
        ) throws -> StoredValue {
            if result.isNull(row, column) { return .null }
            let bytes = result.bytes(row, column)
            switch result.type(column) {
            case PostgreSQLType.bool: return .bool(bytes.first == 1)
            case PostgreSQLType.int2, PostgreSQLType.int4, PostgreSQLType.int8:
                return .integer(result.integer(row, column) ?? 0)
            case PostgreSQLType.float4:
                let bits = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
                return .double(Double(Float(bitPattern: bits)))
            case PostgreSQLType.float8:
                return .double(
                    Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))))
            case PostgreSQLType.numeric:
                guard let value = PostgreSQLNumeric.read(bytes) else {
                    throw RecordDecodingError("is no decimal")
                }
                if case .integer = form {
                    guard let integer = Int64(value.description) else {
                        throw RecordDecodingError("does not fit into 64 bits")
                    }
                    return .integer(integer)
                }
                return .decimal(value)
            // Both count from 2000 in UTC.
            case PostgreSQLType.timestamp, PostgreSQLType.timestamptz:
                let stored = Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
                guard let micros = PostgreSQLDate.microseconds(stored: stored) else {
                    throw RecordDecodingError("is no date")
                }
                return .date(StoredDate.date(microseconds: micros))
            case PostgreSQLType.date:
                let days = Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))
                guard let day = PostgreSQLDate.day(days) else {
                    throw RecordDecodingError("is no day")
                }
                return .text(day.description)
            case PostgreSQLType.uuid:
                return .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
            case PostgreSQLType.bytea: return .data(Data(bytes))
            default: return .text(String(decoding: bytes, as: UTF8.self))
            }
        }

        /// The values of the columns of a field, with their representations.
        static func components(
            _ value: StoredValue, of field: Int, in table: SQLTable
        ) -> [SQLParameter] {
            let columns = table.columns(ofField: field).map { table.columns[$0] }
            if columns.count == 1 { return [SQLParameter(value, columns[0].form)] }
            guard case .composite(let layout) = table.entity.layout.fields[field].type,
                case .object(let members) = value
            else { return [] }
            return zip(layout.fields, columns).map {
                SQLParameter(members[$0.name] ?? .null, $1.form)
            }
        }
    }
#endif
