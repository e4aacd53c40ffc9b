#if PostgreSQL
    /// Rows of `COPY … TO STDOUT (FORMAT binary)`, with the places of their values.
    ///
    /// All rows are in one buffer, which is a tenth of the work of a result of libpq. Source of the
    /// format: https://www.postgresql.org/docs/current/sql-copy.html
    ///
    /// The conformance to `Sendable` is unchecked. It is valid because the rows are appended by one
    /// thread at a time, before others read them.
    final class CopiedRows: @unchecked Sendable {
        /// Data that are not what the server sends.
        struct Malformed: Error {}

        /// The number of columns.
        let columns: Int
        /// The number of rows.
        private(set) var count = 0
        /// The bytes of all rows, each of which begins with the number of its values.
        private var data: UnsafeMutableRawPointer
        private var size = 0
        private var capacity: Int
        /// The place of the length of each value in ``data``.
        private var places: UnsafeMutablePointer<UInt32>
        private var placesCapacity: Int

        /// The number of bytes at which a buffer is full.
        static let mostBytes = 1 << 19
        /// The number of rows at which a buffer is full.
        static let mostRows = 4_096

        /// Creates an empty buffer.
        ///
        /// - Parameter capacity: the number of bytes for which it has room at first.
        init(columns: Int, capacity: Int = mostBytes + 1 << 13) {
            self.columns = columns
            self.capacity = max(64, capacity)
            data = .allocate(byteCount: self.capacity, alignment: 8)
            placesCapacity = max(1, columns) * 512
            places = .allocate(capacity: placesCapacity)
        }

        deinit {
            data.deallocate()
            places.deallocate()
        }

        /// Whether no more rows should be appended.
        var isFull: Bool { size >= Self.mostBytes || count >= Self.mostRows }

        /// The memory of the values.
        var bytes: Int { size + count * columns * MemoryLayout<UInt32>.size }

        /// Appends the rows of a message.
        ///
        /// - Parameter isFirst: whether the message begins with the header of the data.
        /// - Returns: whether the rows are followed by others.
        /// - Throws: `Malformed` if the rows have another number of values, or are incomplete.
        func append(_ message: UnsafeRawBufferPointer, isFirst: Bool) throws(Malformed) -> Bool {
            var rest = message
            if isFirst { rest = try Self.afterHeader(rest) }
            guard let first = rest.baseAddress else { return true }
            // Places have 32 bits. A message has at most 1 GB.
            guard size + rest.count <= Int(Int32.max) else { throw Malformed() }
            if size + rest.count > capacity { grow(to: size + rest.count) }
            (data + size).copyMemory(from: first, byteCount: rest.count)
            let end = size + rest.count
            while size < end {
                guard end - size >= 2 else { throw Malformed() }
                let number = Int16(
                    bigEndian: data.loadUnaligned(fromByteOffset: size, as: Int16.self))
                if number == -1 { return false }
                guard Int(number) == columns else { throw Malformed() }
                try appendRow(until: end)
            }
            return true
        }

        /// Notes the places of the values of the row that begins at the end.
        private func appendRow(until end: Int) throws(Malformed) {
            let first = count * columns
            if first + columns > placesCapacity { growPlaces() }
            var place = size + 2
            for column in 0..<columns {
                guard end - place >= 4 else { throw Malformed() }
                places[first + column] = UInt32(truncatingIfNeeded: place)
                let length = length(at: place)
                guard length >= -1 else { throw Malformed() }
                place += 4 + max(0, length)
            }
            guard place <= end else { throw Malformed() }
            size = place
            count += 1
        }

        /// Returns what follows the signature, the flags and the extension.
        private static func afterHeader(
            _ message: UnsafeRawBufferPointer
        ) throws(Malformed) -> UnsafeRawBufferPointer {
            let signature: StaticString = "PGCOPY\n"
            guard message.count >= 19,
                (0..<signature.utf8CodeUnitCount).allSatisfy({
                    message[$0] == signature.utf8Start[$0]
                })
            else { throw Malformed() }
            let extended = message.loadUnaligned(fromByteOffset: 15, as: UInt32.self)
            let length = 19 + Int(UInt32(bigEndian: extended))
            guard length <= message.count else { throw Malformed() }
            return UnsafeRawBufferPointer(rebasing: message[length...])
        }

        private func grow(to least: Int) {
            let larger = max(least, capacity + capacity / 2)
            let new = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
            new.copyMemory(from: data, byteCount: size)
            data.deallocate()
            (data, capacity) = (new, larger)
        }

        private func growPlaces() {
            let new = UnsafeMutablePointer<UInt32>.allocate(capacity: placesCapacity * 2)
            new.update(from: places, count: count * columns)
            places.deallocate()
            (places, placesCapacity) = (new, placesCapacity * 2)
        }

        @inline(__always)
        private func length(at place: Int) -> Int {
            Int(Int32(bigEndian: data.loadUnaligned(fromByteOffset: place, as: Int32.self)))
        }

        /// Returns whether a value is null.
        @inline(__always)
        func isNull(_ row: Int, _ column: Int) -> Bool {
            length(at: Int(places[row * columns + column])) < 0
        }

        /// Returns the bytes of a value, which are valid as long as the rows; none for null.
        @inline(__always)
        func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
            let place = Int(places[row * columns + column])
            return UnsafeRawBufferPointer(
                start: data + place + 4, count: max(0, length(at: place)))
        }
    }
#endif
