/// What the search index stores of a word in a record.
struct SQLiteSearchEntry: Equatable {
    /// The number of the record in the index.
    var record: Int64
    /// The position of the first field with the word.
    var field: Int
    /// The number of occurrences of the word in all searched fields; at least 1.
    var occurrences: Int
    /// The number of words in all searched fields of the record.
    var words: Int
}

/// The encoding of the entries of a word in records with ascending numbers: a block.
///
/// The number of the first record is not part of the block. An entry consists of integers in groups
/// of 7 bits, the lowest first:
///
/// - the distance of the record's number from that of the entry before, except in the first entry,
/// - the number of further occurrences, shifted left, and the field,
/// - the number of words in the record.
struct SQLiteSearchBlock {
    /// The largest number that an entry contains; larger ones are stored as this one. Sums of such
    /// numbers cannot overflow.
    private static let most = Int(Int32.max)

    /// The number of bits of the position of a field.
    private let shift: Int

    /// Creates the encoding for a number of searched fields.
    init(fields: Int) { shift = Int.bitWidth - (fields - 1).leadingZeroBitCount }

    /// Appends an entry to a block.
    ///
    /// - Parameter last: the number of the record before it; nil if it is the first entry.
    func append(_ entry: SQLiteSearchEntry, after last: Int64?, to bytes: inout [UInt8]) {
        if let last { Self.append(UInt64(bitPattern: entry.record &- last), to: &bytes) }
        let further = UInt64(clamping: min(entry.occurrences, Self.most) - 1)
        Self.append(further << UInt64(shift) | UInt64(clamping: entry.field), to: &bytes)
        Self.append(UInt64(clamping: min(entry.words, Self.most)), to: &bytes)
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    /// Calls a body with each entry of a block, in the order of the records.
    ///
    /// - Parameters:
    ///   - bytes: the block.
    ///   - first: the number of the first record.
    /// - Returns: whether the block is intact. If not, the body was called for the entries before
    ///   the damage.
    @inline(__always)
    func visit(
        _ bytes: UnsafeRawBufferPointer, from first: Int64, _ body: (SQLiteSearchEntry) -> Void
    ) -> Bool {
        var position = 0
        var record = first
        let mask = 1 << shift &- 1
        repeat {
            if position > 0 {
                guard let distance = Self.integer(bytes, &position) else { return false }
                let next = record &+ Int64(bitPattern: distance)
                // Ascending numbers are what the merging of two words relies on.
                guard next > record else { return false }
                record = next
            }
            guard let place = Self.integer(bytes, &position),
                let words = Self.integer(bytes, &position)
            else { return false }
            let further = min(Int(truncatingIfNeeded: place >> UInt64(shift)), Self.most - 1)
            body(
                SQLiteSearchEntry(
                    record: record, field: Int(truncatingIfNeeded: place) & mask,
                    occurrences: further + 1, words: Int(min(words, UInt64(Self.most)))))
        } while position < bytes.count
        return true
    }

    /// Reads an integer; nil if it does not end or is too large.
    @inline(__always)
    private static func integer(
        _ bytes: UnsafeRawBufferPointer, _ position: inout Int
    ) -> UInt64? {
        guard position < bytes.count else { return nil }
        var byte = bytes[position]
        position += 1
        var value = UInt64(byte & 0x7F)
        var shift: UInt64 = 7
        while byte >= 0x80 {
            guard position < bytes.count, shift < 64 else { return nil }
            byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            shift += 7
        }
        return value
    }
}
