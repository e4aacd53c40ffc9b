#if PostgreSQL
    internal import Foundation

    /// The parameters of a statement in PostgreSQL's binary format.
    ///
    /// All values are in one buffer.
    struct PostgreSQLParameters: Sendable {
        /// The type of each parameter. It decides how the server reads the bytes.
        private(set) var types: [UInt32] = []
        /// The bytes of all values.
        private var bytes: [UInt8] = []
        /// The place of each value in ``bytes``; negative for null.
        private var starts: [Int] = []
        private var lengths: [Int32] = []
        /// The format of each value: 1 for binary, 0 for text.
        private var formats: [Int32] = []

        /// Creates a list without parameters.
        init() {}

        /// Creates a list of null parameters with types, which are set by number.
        init(types: [UInt32]) {
            self.types = types
            starts = Array(repeating: -1, count: types.count)
            lengths = Array(repeating: 0, count: types.count)
            formats = Array(repeating: 1, count: types.count)
        }

        /// The number of bytes of all values.
        var bytesCount: Int { bytes.count }

        /// The number of parameters.
        var count: Int { types.count }

        /// Appends a parameter whose value `write` appends to the buffer.
        mutating func append(_ type: UInt32, _ write: (inout [UInt8]) -> Void) {
            types.append(type)
            starts.append(-1)
            lengths.append(0)
            formats.append(1)
            set(types.count - 1, write)
        }

        /// Appends a UUID.
        mutating func append(_ value: UUID) {
            append(PostgreSQLType.uuid) { bytes in
                withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
            }
        }

        /// Appends a parameter whose type the server infers from its place, like that of a literal;
        /// `nil` for null.
        mutating func appendText(_ text: String?) {
            append(PostgreSQLType.inferred) { bytes in
                bytes.append(contentsOf: (text ?? "").utf8)
                // libpq reads a value in the text format up to its end.
                bytes.append(0)
            }
            formats[count - 1] = 0
            lengths[count - 1] -= 1
            if text == nil { setNull(count - 1) }
        }

        /// Sets the value of a parameter, counted from 0, which `write` appends to the buffer.
        @inline(__always)
        mutating func set(_ number: Int, _ write: (inout [UInt8]) -> Void) {
            let start = bytes.count
            write(&bytes)
            starts[number] = start
            lengths[number] = Int32(truncatingIfNeeded: bytes.count - start)
        }

        /// Sets a parameter to null.
        mutating func setNull(_ number: Int) { starts[number] = -1 }

        /// Returns the bytes of a value, by its number; `nil` for null.
        func value(_ number: Int) -> ArraySlice<UInt8>? {
            let start = starts[number]
            guard start >= 0 else { return nil }
            return bytes[start..<start + Int(lengths[number])]
        }

        /// Calls a body with the arrays that libpq expects.
        func withPointers<R>(
            _ body: (
                _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
                _ formats: UnsafePointer<Int32>?
            ) -> R
        ) -> R {
            guard count > 0 else { return body(nil, nil, nil) }
            // An empty value still needs an address: a null pointer means null.
            let bytes = bytes.isEmpty ? [0] : bytes
            return bytes.withUnsafeBytes { buffer in
                let values = starts.map { start -> UnsafePointer<CChar>? in
                    guard start >= 0, let base = buffer.baseAddress else { return nil }
                    return base.advanced(by: start).assumingMemoryBound(to: CChar.self)
                }
                return body(values, lengths, formats)
            }
        }
    }
#endif
