/// The position of a field decoder in a document. Decoding takes one pass, without an index of the
/// members, if the members are in the order of the layout.
///
/// Members in the order of the layout are read as they come. An optional field whose member is not
/// at its place counts as absent. At the first member that is out of order, the offsets of all
/// remaining members are recorded, and the other fields are read by offset.
///
/// If a field that counted as absent turns up later, the state throws ``OutOfOrder``.
/// ``DocumentFieldDecoder/decode(_:_:)`` then decodes the record again in indexed mode, in which
/// the offsets in every object are recorded first.
struct DocumentDecoderState<Reader: DocumentReader> {
    /// The state of one object that is being read. A decoder saves the outer level when it enters a
    /// container.
    struct Level {
        /// The layout of the object; nil inside a list or a map, whose elements have no field keys.
        fileprivate(set) var layout: FieldLayout?
        /// The field keys as the format encodes them; nil inside a list or a map.
        fileprivate var keys: EncodedKeys?
        /// The state of the container in the reader.
        fileprivate var frame = Reader.Frame()
        /// The position relative to the next member.
        fileprivate var stand = Stand.between
        /// The index of the last requested field, for the path of an error; -1 for the object
        /// itself.
        fileprivate(set) var current = -1
        /// A bit mask of those among the first 64 fields that counted as absent.
        fileprivate var absent: UInt64 = 0
        /// The offset of each field's value, or -1, followed by the offset after the last member.
        /// Empty while the members are in order.
        fileprivate var places: [Int] = []
    }

    /// The position of the reader in an object: before the next member, at its key, at its value,
    /// or at the end of the object.
    fileprivate enum Stand {
        case between, atKey, atValue, atEnd
    }

    /// The reader of the format.
    var reader: Reader
    /// The object, list or map that is being read.
    var level = Level()
    /// Whether offsets are recorded at the start of every object.
    let isIndexed: Bool

    /// Starts at the first value of the reader.
    init(_ reader: Reader, isIndexed: Bool) {
        self.reader = reader
        self.isIndexed = isIndexed
    }

    /// Begins an object, which becomes the current level. The caller has saved the outer level.
    mutating func enter(_ layout: FieldLayout) throws {
        level.frame = try reader.beginObject()
        level.keys = Reader.keys(of: layout)
        level.layout = layout
        if isIndexed {
            level.stand = try reader.nextMember(&level.frame) ? .atKey : .atEnd
            try notePlaces(from: 0)
        }
    }

    /// Ends the object, and validates the members that the mapper did not request.
    mutating func finish() throws {
        guard let layout = level.layout else { return }
        if !level.places.isEmpty {
            reader.position = level.places[layout.fields.count]
            return
        }
        if level.stand == .atValue { try skip() }
        if try standsAtKey() { try notePlaces(from: layout.fields.count) }
    }

    /// Records that the value of the requested field was read.
    @inline(__always)
    mutating func consumed() {
        level.stand = .between
    }

    /// Records that the mapper has finished: a later error concerns the object as a whole, unless a
    /// value is still unread.
    @inline(__always)
    mutating func leaveLastField() {
        if level.stand != .atValue { level.current = -1 }
    }

    /// Skips the value of the current member.
    private mutating func skip() throws {
        try reader.skipValue()
        level.stand = .between
    }
}

/// A field that counted as absent is present after all. The record must be decoded again in indexed
/// mode.
struct OutOfOrder: Error {}

// MARK: - Finding fields

extension DocumentDecoderState {
    /// Moves to the value of the field at `index`. Returns false if the object has none. In a list
    /// or a map, it returns true without moving.
    @inline(__always)
    mutating func locate(_ index: Int) throws -> Bool {
        guard let keys = level.keys else { return true }
        return try find(index, keys)
    }

    /// Moves to the value of a field: at the next member if it matches, otherwise by recorded
    /// offset.
    private mutating func find(_ index: Int, _ keys: EncodedKeys) throws -> Bool {
        if level.stand == .atValue {
            if level.current == index { return true }
            // The mapper asked whether the previous field is present, and did not read it.
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

    /// Whether the field may be absent and the next member belongs to a later field. If so, the
    /// absence is recorded.
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

    /// Advances to the next key if necessary. Returns false at the end of the object.
    @inline(__always)
    private mutating func standsAtKey() throws -> Bool {
        if level.stand == .between {
            level.stand = try reader.nextMember(&level.frame) ? .atKey : .atEnd
        }
        return level.stand == .atKey
    }

    /// Moves to the recorded offset of a field. Returns false if there is none.
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
    /// Records the offsets of the remaining members: for each field the member with its current
    /// name, otherwise the one with its most recent earlier name.
    ///
    /// - Parameter next: the first field that was not read yet.
    /// - Throws: ``OutOfOrder`` if a member belongs to an earlier field that must be read again.
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

    /// Reads a key. Returns the field and the rank of the name: -1 for the current name, or the
    /// index among the earlier names. Returns nil for an unknown key.
    private mutating func readKey(
        _ layout: FieldLayout, _ keys: EncodedKeys, from guess: Int
    ) throws -> (index: Int, rank: Int)? {
        // Up to 64 keys are compared as encoded bytes, which is faster than creating a string.
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
