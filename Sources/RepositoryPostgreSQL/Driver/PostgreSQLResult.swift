#if PostgreSQL
    internal import CPostgreSQL

    /// The result of a statement, with values in PostgreSQL's binary format.
    ///
    /// A result never changes after it was received, so that several threads may read it; this is
    /// why the conformance to `Sendable` is valid.
    final class PostgreSQLResult: @unchecked Sendable {
        let handle: OpaquePointer
        /// The number of rows.
        let count: Int
        /// The rows, if they have come by `COPY`. They have the columns of another result.
        private let copied: (rows: CopiedRows, columns: PostgreSQLResult)?

        /// Takes ownership of a result.
        init(_ handle: OpaquePointer) {
            self.handle = handle
            count = Int(PQntuples(handle))
            copied = nil
        }

        /// Creates a result of rows that have come by `COPY`.
        ///
        /// - Parameter columns: a result with the columns of the rows, which has none itself.
        init(_ rows: CopiedRows, _ columns: PostgreSQLResult) {
            handle = columns.handle
            count = rows.count
            copied = (rows, columns)
        }

        deinit { if copied == nil { PQclear(handle) } }

        /// The memory of the result.
        var bytes: Int { copied?.rows.bytes ?? PQresultMemorySize(handle) }

        /// The number of columns.
        var columns: Int { Int(PQnfields(handle)) }

        /// The number of rows that the statement wrote; 0 for other statements.
        var changed: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

        /// Returns the name of a column.
        func name(_ column: Int) -> String {
            PQfname(handle, Int32(column)).map { String(cString: $0) } ?? ""
        }

        /// Returns the type of a column.
        @inline(__always)
        func type(_ column: Int) -> UInt32 { PQftype(handle, Int32(truncatingIfNeeded: column)) }

        /// Returns whether a value is null.
        @inline(__always)
        func isNull(_ row: Int, _ column: Int) -> Bool {
            if let copied { return copied.rows.isNull(row, column) }
            return PQgetisnull(
                handle, Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column)) == 1
        }

        /// Returns the bytes of a value, which are valid as long as the result; none for null.
        @inline(__always)
        func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
            if let copied { return copied.rows.bytes(row, column) }
            let (row, column) = (
                Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column)
            )
            return UnsafeRawBufferPointer(
                start: PQgetvalue(handle, row, column),
                count: Int(PQgetlength(handle, row, column)))
        }

        /// Returns a value as text, for the types of catalogs: text, names and integers.
        func text(_ row: Int, _ column: Int) -> String? {
            guard !isNull(row, column) else { return nil }
            if let number = integer(row, column) { return "\(number)" }
            return String(decoding: bytes(row, column), as: UTF8.self)
        }

        /// Returns an integer of any width; `nil` for null and other types.
        func integer(_ row: Int, _ column: Int) -> Int64? {
            let bytes = bytes(row, column)
            // A null has none.
            guard !bytes.isEmpty else { return nil }
            return switch type(column) {
            case PostgreSQLType.int2: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
            case PostgreSQLType.int4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
            case PostgreSQLType.int8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
            default: nil
            }
        }

        /// Returns a Boolean; false for null.
        func isTrue(_ row: Int, _ column: Int) -> Bool { bytes(row, column).first == 1 }
    }

    /// The numbers of PostgreSQL's built-in types.
    enum PostgreSQLType {
        /// The server infers the type of a parameter from its place.
        static let inferred: UInt32 = 0
        static let bool: UInt32 = 16
        static let bytea: UInt32 = 17
        static let name: UInt32 = 19
        static let int8: UInt32 = 20
        static let int2: UInt32 = 21
        static let int4: UInt32 = 23
        static let text: UInt32 = 25
        static let json: UInt32 = 114
        static let float4: UInt32 = 700
        static let float8: UInt32 = 701
        static let varchar: UInt32 = 1043
        static let date: UInt32 = 1082
        static let timestamp: UInt32 = 1114
        static let timestamptz: UInt32 = 1184
        static let numeric: UInt32 = 1700
        static let uuid: UInt32 = 2950
        static let jsonb: UInt32 = 3802

        /// Returns the type of an array of a type.
        static func array(of type: UInt32) -> UInt32 {
            switch type {
            case bool: 1000
            case bytea: 1001
            case int8: 1016
            case int2: 1005
            case int4: 1007
            case float4: 1021
            case float8: 1022
            case date: 1182
            case timestamptz: 1185
            case numeric: 1231
            case uuid: 2951
            default: 1009
            }
        }

        /// Returns the name of a type, for messages.
        static func name(_ type: UInt32) -> String {
            switch type {
            case bool: "boolean"
            case bytea: "bytea"
            case int8: "bigint"
            case int2: "smallint"
            case int4: "integer"
            case text, varchar, name: "text"
            case float4: "real"
            case float8: "double precision"
            case date: "date"
            case timestamptz: "timestamptz"
            case numeric: "numeric"
            case uuid: "uuid"
            case jsonb: "jsonb"
            case json: "json"
            case timestamp: "timestamp"
            default: "the type \(type)"
            }
        }
    }
#endif
