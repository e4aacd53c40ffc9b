/// The tables of ``SearchTables``, decoded for lookups.
///
/// Scalars below U+3000 are looked up directly, all others by a binary search.
struct WordTables: Sendable {
    /// What a scalar is to the words around it.
    enum Kind: UInt8 {
        /// Separates words.
        case none
        /// Belongs to a word: a letter, a mark or a digit.
        case word
        /// Is a word of its own, as the script is written without spaces.
        case own
    }

    /// The tables. They are decoded at the first use.
    static let shared = WordTables()

    /// The number of scalars that are looked up directly.
    private static let directCount: UInt32 = 0x3000
    /// The scalars that are no starters and are dropped: accents of Latin, Greek and Cyrillic.
    static let dropped: ClosedRange<UInt32> = 0x300...0x36F
    /// A dropped scalar of class 0, which keeps the marks before it apart from those after it.
    static let graphemeJoiner: UInt32 = 0x34F

    /// A run of scalars that become others.
    private struct Mapping: Sendable {
        /// The distance to the result, if it is one scalar.
        var distance: Int32 = 0
        /// The distance between the scalars of the run: 1 or 2.
        var stride: UInt32 = 1
        /// The results, if they are several; nil for one scalar.
        var sequence: [UInt32]?
    }

    private var kinds = ScalarRuns<Kind>()
    private var classes = ScalarRuns<UInt8>()
    private var mappings = ScalarRuns<Mapping>()
    /// Kind, class and whether the scalar is its own mapping, of the first scalars.
    private var direct: [UInt8] = []

    private init() {
        readKinds()
        readMappings()
        readClasses()
        direct = (0..<Self.directCount).map { value in
            let kind = kinds.value(at: value) ?? .none
            let isPlain = classes.value(at: value) == nil && mappings.value(at: value) == nil
            return kind.rawValue | (isPlain && !Self.dropped.contains(value) ? 0x80 : 0)
        }
    }

    /// Returns the kind of a scalar that nothing reorders and that becomes itself; nil for another.
    func plainKind(_ scalar: UInt32) -> Kind? {
        guard scalar < Self.directCount else { return nil }
        let entry = direct[Int(scalar)]
        return entry & 0x80 == 0 ? nil : Kind(rawValue: entry & 0x7F)
    }

    /// Returns the kind of a scalar.
    func kind(_ scalar: UInt32) -> Kind { kinds.value(at: scalar) ?? .none }

    /// Returns the canonical combining class of a scalar that is not dropped.
    func combiningClass(_ scalar: UInt32) -> UInt8 { classes.value(at: scalar) ?? 0 }

    /// Calls a body with each scalar of the decomposed and case-folded scalar.
    func visitMapped(_ scalar: UInt32, _ body: (UInt32) -> Void) {
        if (0xAC00...0xD7A3).contains(scalar) { return visitJamo(scalar - 0xAC00, body) }
        guard let (mapping, offset) = mappings.entry(at: scalar),
            offset % mapping.stride == 0
        else { return body(scalar) }
        guard let sequence = mapping.sequence else {
            return body(UInt32(Int64(scalar) + Int64(mapping.distance)))
        }
        for scalar in sequence { body(scalar) }
    }

    /// Calls a body with the letters of a Hangul syllable (Unicode Standard, section 3.12).
    private func visitJamo(_ index: UInt32, _ body: (UInt32) -> Void) {
        body(0x1100 + index / 588)
        body(0x1161 + index % 588 / 28)
        if index % 28 != 0 { body(0x11A7 + index % 28) }
    }
}

/// Decoding of the tables, whose format the script describes that prints them.
extension WordTables {
    private mutating func readKinds() {
        var reader = TableReader(SearchTables.kinds)
        var start: UInt32 = 0
        while let length = reader.number(), let mark = reader.mark() {
            let kind: Kind = mark == UInt8(ascii: "o") ? .own : .word
            if mark != UInt8(ascii: "n") { kinds.append(start, count: length, kind) }
            start += length
        }
    }

    private mutating func readClasses() {
        var reader = TableReader(SearchTables.classes)
        var start: UInt32 = 0
        while let gap = reader.number(), reader.mark() != nil, let count = reader.number(),
            reader.mark() != nil, let value = reader.number()
        {
            start += gap
            classes.append(start, count: count, UInt8(truncatingIfNeeded: value))
            start += count
        }
    }

    private mutating func readMappings() {
        var reader = TableReader(SearchTables.mappings)
        var start: UInt32 = 0
        while let gap = reader.number(), let mark = reader.mark() {
            start += gap
            var mapping = Mapping()
            if mark == UInt8(ascii: "=") {
                var sequence: [UInt32] = []
                while let scalar = reader.number() {
                    sequence.append(scalar)
                    if !reader.skip(UInt8(ascii: ".")) { break }
                }
                mapping.sequence = sequence
                mappings.append(start, count: 1, mapping)
                continue
            }
            guard let count = reader.number(), let sign = reader.mark(),
                let distance = reader.number()
            else { break }
            mapping.stride = mark == UInt8(ascii: "/") ? 2 : 1
            mapping.distance = Int32(distance) * (sign == UInt8(ascii: "-") ? -1 : 1)
            let length = (count - 1) * mapping.stride + 1
            mappings.append(start, count: length, mapping)
            start += length - 1
        }
    }
}

/// Values of runs of scalars, in ascending order.
private struct ScalarRuns<Value: Sendable>: Sendable {
    private var starts: [UInt32] = []
    private var ends: [UInt32] = []
    private var values: [Value] = []

    /// Appends a run after all others.
    mutating func append(_ start: UInt32, count: UInt32, _ value: Value) {
        starts.append(start)
        ends.append(start + count)
        values.append(value)
    }

    /// Returns the value of a scalar; nil outside all runs.
    func value(at scalar: UInt32) -> Value? { entry(at: scalar)?.value }

    /// Returns the value of a scalar and its offset in the run; nil outside all runs.
    func entry(at scalar: UInt32) -> (value: Value, offset: UInt32)? {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= scalar { low = middle + 1 } else { high = middle }
        }
        guard low > 0, scalar < ends[low - 1] else { return nil }
        return (values[low - 1], scalar - starts[low - 1])
    }
}

/// Reads hexadecimal numbers and the marks between them.
private struct TableReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ text: StaticString) {
        bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// Reads a number, after spaces; nil if there is none.
    mutating func number() -> UInt32? {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
        let start = position
        var value: UInt32 = 0
        while position < bytes.count, let digit = Self.digit(bytes[position]) {
            value = value << 4 | digit
            position += 1
        }
        return position > start ? value : nil
    }

    /// Reads a byte that is not a digit; nil at the end.
    mutating func mark() -> UInt8? {
        guard position < bytes.count else { return nil }
        position += 1
        return bytes[position - 1]
    }

    /// Reads a byte if it is the expected one.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        default: nil
        }
    }
}
