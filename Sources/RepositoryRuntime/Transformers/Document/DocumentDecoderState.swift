/// Where a field decoder stands.
///
/// The first reading takes the members in the order of the layout and passes over those that are absent. Where that does
/// not hold, it ends with ``OutOfOrder``, and a second reading notes the place of each member before it reads any.
struct DocumentDecoderState<Reader: DocumentReader> {
    /// What is kept for the object that is being read.
    struct Level {
        /// Nil among elements, which have no keys.
        var layout: FieldLayout?
        fileprivate var keys: EncodedKeys?
        fileprivate var frame = Reader.Frame()
        fileprivate var stand = Stand.between
        fileprivate var sawAbsent = false
        /// The field asked for last, for the path of an error.
        fileprivate(set) var current = -1
        /// The place of each field's value, or -1, and of the end; empty in the first reading.
        fileprivate var places: [Int] = []
    }

    /// Where the reader stands in an object.
    fileprivate enum Stand {
        case between, atKey, atValue, atEnd
    }

    var reader: Reader
    var level = Level()
    let isIndexed: Bool

    init(_ reader: Reader, isIndexed: Bool) {
        self.reader = reader
        self.isIndexed = isIndexed
    }

    /// Begins an object and makes it the one that is being read.
    mutating func enter(_ layout: FieldLayout) throws {
        level = Level()
        level.frame = try reader.beginObject()
        level.keys = Reader.keys(of: layout)
        level.layout = layout
        if isIndexed { try notePlaces(layout) }
    }

    /// Ends the object: checks what the mapper did not ask for.
    mutating func finish() throws {
        guard let layout = level.layout else { return }
        if isIndexed {
            reader.position = level.places[layout.fields.count]
            return
        }
        if level.stand == .atValue { try skip() }
        while try standsAtKey() {
            let key = try reader.readKey(&level.frame)
            if level.sawAbsent || Reader.lastDuplicateWins, layout.indexByKey[key] != nil {
                throw OutOfOrder()
            }
            try skip()
        }
    }

    /// The value of the field at `index` was read.
    @inline(__always)
    mutating func consumed() {
        level.stand = .between
    }

    private mutating func skip() throws {
        try reader.skipValue()
        level.stand = .between
    }
}

/// The members are not in the order of the layout; the record is to be read again.
struct OutOfOrder: Error {}

// MARK: - Finding fields

extension DocumentDecoderState {
    /// Goes to the value of the field at `index`; false where the object has none.
    @inline(__always)
    mutating func locate(_ index: Int) throws -> Bool {
        guard let keys = level.keys else { return true }
        if level.stand == .atValue {
            if level.current == index { return true }
            // A mapper that asked whether the field before is there, and did not read it.
            try skip()
        }
        level.current = index
        return isIndexed ? findPlace(index) : try findNext(index, keys)
    }

    /// In the first reading, the member that comes next is the field or a later one.
    private mutating func findNext(_ index: Int, _ keys: EncodedKeys) throws -> Bool {
        guard try standsAtKey() else {
            level.sawAbsent = true
            return false
        }
        if let place = reader.matches(keys, index) {
            reader.position = place
            level.stand = .atValue
            return true
        }
        for later in index + 1..<max(keys.count, index + 1)
        where reader.matches(keys, later) != nil {
            level.sawAbsent = true
            return false
        }
        throw OutOfOrder()
    }

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

    /// Notes where the value of each field stands: under its own name, else under the newest of its earlier ones.
    private mutating func notePlaces(_ layout: FieldLayout) throws {
        let count = layout.fields.count
        var places = Array(repeating: -1, count: count + 1)
        var ranks = Array(repeating: Int.max, count: count)
        while try reader.nextMember(&level.frame) {
            let key = try reader.readKey(&level.frame)
            if let index = layout.indexByKey[key] {
                let field = layout.fields[index]
                let rank = field.name == key ? -1 : field.renamedFrom.firstIndex(of: key) ?? 0
                if rank < ranks[index] || (rank == ranks[index] && Reader.lastDuplicateWins) {
                    ranks[index] = rank
                    places[index] = reader.position
                }
            }
            try reader.skipValue()
        }
        places[count] = reader.position
        level.places = places
    }
}
