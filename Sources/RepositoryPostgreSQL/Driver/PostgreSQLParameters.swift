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
        private var places: [Place] = []

        /// Where a value is in the bytes.
        private struct Place {
            /// The first byte; negative for null.
            var start = -1
            var length: Int32 = 0
            /// The format: 1 for binary, 0 for text.
            var format: Int32 = 1
        }

        /// Creates a list without parameters.
        init() {}

        /// Creates a list of null parameters with types, which are set by number.
        init(types: [UInt32]) {
            self.types = types
            places = Array(repeating: Place(), count: types.count)
        }

        /// The number of bytes of all values.
        var bytesCount: Int { bytes.count }

        /// The number of parameters.
        var count: Int { types.count }

        /// Appends a parameter whose value `write` appends to the buffer.
        mutating func append(_ type: UInt32, _ write: (inout [UInt8]) -> Void) {
            types.append(type)
            places.append(Place())
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
            places[count - 1].format = 0
            places[count - 1].length -= 1
            if text == nil { setNull(count - 1) }
        }

        /// Sets the value of a parameter, counted from 0, which `write` appends to the buffer.
        @inline(__always)
        mutating func set(_ number: Int, _ write: (inout [UInt8]) -> Void) {
            let start = bytes.count
            write(&bytes)
            places[number].start = start
            places[number].length = Int32(truncatingIfNeeded: bytes.count - start)
        }

        /// Sets a parameter to null.
        mutating func setNull(_ number: Int) { places[number].start = -1 }

        /// Returns the bytes of a value, by its number; `nil` for null.
        func value(_ number: Int) -> ArraySlice<UInt8>? {
            let place = places[number]
            guard place.start >= 0 else { return nil }
            return bytes[place.start..<place.start + Int(place.length)]
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
                withUnsafeTemporaryAllocation(
                    of: UnsafePointer<CChar>?.self, capacity: count
                ) { values in
                    // The lengths, then the formats.
                    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count) { numbers in
                        for (number, place) in places.enumerated() {
                            let value =
                                place.start < 0
                                ? nil : buffer.baseAddress?.advanced(by: place.start)
                            values.initializeElement(
                                at: number, to: value?.assumingMemoryBound(to: CChar.self))
                            numbers.initializeElement(at: number, to: place.length)
                            numbers.initializeElement(at: count + number, to: place.format)
                        }
                        return body(
                            values.baseAddress.map { UnsafePointer($0) },
                            numbers.baseAddress.map { UnsafePointer($0) },
                            numbers.baseAddress.map { UnsafePointer($0 + count) })
                    }
                }
            }
        }
    }
#endif
