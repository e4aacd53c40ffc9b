/// Where a field decoder stands.
///
/// Members that stand in the order of the layout are read as they come, and an optional one that is not where it would
/// be counts as absent. At the first member out of order the places of all that follow are noted. Should one of them
/// have counted as absent, the record is read again, and every object's places are noted first.
struct DocumentDecoderState<Reader: DocumentReader> {
    /// What is kept for the object that is being read.
    struct Level {
        /// Nil among elements, which have no keys.
        fileprivate(set) var layout: FieldLayout?
        fileprivate var keys: EncodedKeys?
        fileprivate var frame = Reader.Frame()
        fileprivate var stand = Stand.between
        /// The field asked for last, for the path of an error.
        fileprivate(set) var current = -1
        /// A bit for each of the first 64 fields that counted as absent.
        fileprivate var absent: UInt64 = 0
        /// The place of each field's value, or -1, and of the end; empty while members come in order.
        fileprivate var places: [Int] = []
    }

    /// Where the reader stands in an object.
    fileprivate enum Stand {
        case between, atKey, atValue, atEnd
    }

    var reader: Reader
    var level = Level()
    /// Whether places are noted first.
    let isIndexed: Bool

    init(_ reader: Reader, isIndexed: Bool) {
        self.reader = reader
        self.isIndexed = isIndexed
    }

    /// Begins an object and makes it the one that is being read.
    mutating func enter(_ layout: FieldLayout) throws {
        level.frame = try reader.beginObject()
        level.keys = Reader.keys(of: layout)
        level.layout = layout
        if isIndexed {
            level.stand = try reader.nextMember(&level.frame) ? .atKey : .atEnd
            try notePlaces(from: 0)
        }
    }

    /// Ends the object: checks what the mapper did not ask for.
    mutating func finish() throws {
        guard let layout = level.layout else { return }
        if !level.places.isEmpty {
            reader.position = level.places[layout.fields.count]
            return
        }
        if level.stand == .atValue { try skip() }
        if try standsAtKey() { try notePlaces(from: layout.fields.count) }
    }

    /// The value of the field at `index` was read.
    @inline(__always)
    mutating func consumed() {
        level.stand = .between
    }

    /// The mapper is done: an error after this is one of the object as a whole.
    @inline(__always)
    mutating func leaveLastField() {
        if level.stand != .atValue { level.current = -1 }
    }

    private mutating func skip() throws {
        try reader.skipValue()
        level.stand = .between
    }
}

/// A member counted as absent and is there; the record is to be read again.
struct OutOfOrder: Error {}

// MARK: - Finding fields

extension DocumentDecoderState {
    /// Goes to the value of the field at `index`; false where the object has none.
    @inline(__always)
    mutating func locate(_ index: Int) throws -> Bool {
        guard let keys = level.keys else { return true }
        return try find(index, keys)
    }

    private mutating func find(_ index: Int, _ keys: EncodedKeys) throws -> Bool {
        if level.stand == .atValue {
            if level.current == index { return true }
            // A mapper that asked whether the field before is there, and did not read it.
            if level.places.isEmpty { try skip() }
        }
        level.current = index
        guard level.places.isEmpty else { return findPlace(index) }
        guard try standsAtKey() else { return false }
        if let place = reader.matches(keys, index) {
            reader.position = place
            level.stand = .atValue
            return true
        }
        if countsAsAbsent(index, keys) { return false }
        try notePlaces(from: index)
        return findPlace(index)
    }

    /// Whether a field may be absent, and the member that comes next is one of a later field.
    private mutating func countsAsAbsent(_ index: Int, _ keys: EncodedKeys) -> Bool {
        guard index < 64, let field = level.layout?.fields[index],
            field.isOptional || field.defaultValue != nil
        else { return false }
        for later in index + 1..<max(keys.count, index + 1)
        where reader.matches(keys, later) != nil {
            level.absent |= 1 << UInt64(index)
            return true
        }
        return false
    }

    @inline(__always)
    private mutating func standsAtKey() throws -> Bool {
        if level.stand == .between {
            level.stand = try reader.nextMember(&level.frame) ? .atKey : .atEnd
        }
        return level.stand == .atKey
    }

    private mutating func findPlace(_ index: Int) -> Bool {
        let place = level.places[index]
        guard place >= 0 else { return false }
        reader.position = place
        level.stand = .atValue
        return true
    }
}

// MARK: - Members out of order

extension DocumentDecoderState {
    /// Notes where the value of each field stands that is still to be read: under its own name, else under the newest
    /// of its earlier ones.
    ///
    /// - Parameter next: the first field that was not read.
    private mutating func notePlaces(from next: Int) throws {
        guard let layout = level.layout, let keys = level.keys else { return }
        let count = layout.fields.count
        var places = Array(repeating: -1, count: count + 1)
        var ranks = Array(repeating: Int.max, count: count)
        var guess = next
        while try standsAtKey() {
            if let (index, rank) = try readKey(layout, keys, from: guess) {
                guess = index + 1
                let isRead = index < next && index < 64 && level.absent & 1 << UInt64(index) == 0
                if index < next, !isRead || Reader.lastDuplicateWins { throw OutOfOrder() }
                if rank < ranks[index] || (rank == ranks[index] && Reader.lastDuplicateWins) {
                    ranks[index] = rank
                    places[index] = reader.position
                }
            }
            try skip()
        }
        places[count] = reader.position
        level.places = places
    }

    /// Reads a key: its field, and -1 for the field's own name or the place among its earlier ones.
    private mutating func readKey(
        _ layout: FieldLayout, _ keys: EncodedKeys, from guess: Int
    ) throws -> (index: Int, rank: Int)? {
        // Names are compared as bytes as long as that is faster than making a text of the key.
        for offset in 0..<min(keys.count, 64) {
            let sum = guess + offset
            let index = sum < keys.count ? sum : sum - keys.count
            guard index < keys.count else { break }
            if let place = reader.matches(keys, index) {
                reader.position = place
                return (index, -1)
            }
        }
        let key = try reader.readKey(&level.frame)
        guard let index = layout.indexByKey[key] else { return nil }
        let field = layout.fields[index]
        return (index, field.name == key ? -1 : field.renamedFrom.firstIndex(of: key) ?? 0)
    }
}
