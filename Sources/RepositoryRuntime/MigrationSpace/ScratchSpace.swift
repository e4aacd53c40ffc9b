/// A ``MigrationSpace`` in temporary files, with a few kilobytes of memory for each table and list,
/// however many values they have.
///
/// One file has the entries of all tables and lists, in extents, and another one has the hash table
/// of the keys. Both are created when they are needed: what a small migration adds stays in memory.
package final class ScratchSpace: MigrationSpace {
    /// The bytes of an extent, unless an entry is larger.
    fileprivate let extent: Int
    fileprivate var slots: ScratchSlots
    private var file: (any ScratchFile)?
    private let makeFile: () throws -> any ScratchFile
    /// The end of the last extent. An offset of zero is that of no entry.
    private var end: UInt64 = 8
    private var chains: UInt32 = 0
    /// The bytes of extents that are in memory.
    fileprivate var buffered = 0

    /// The bytes of entries and slots that are in memory.
    var bytesInMemory: Int { buffered + slots.bytesInMemory }

    /// Creates an empty space.
    ///
    /// - Parameters:
    ///   - extent: the bytes of a table or list that are written together.
    ///   - keys: the binary logarithm of the number of keys of which the hash table is in memory.
    ///   - makeFile: creates an empty file.
    init(extent: Int = 1 << 14, keys: Int = 9, _ makeFile: @escaping () throws -> any ScratchFile) {
        self.extent = extent
        self.makeFile = makeFile
        slots = ScratchSlots(bitsInMemory: keys + 1, makeFile)
    }

    package func makeTable() -> any MigrationSpaceTable {
        ScratchTable(ScratchChain(self, next()))
    }

    package func makeList() -> any MigrationSpaceList {
        ScratchList(chain: ScratchChain(self, next()))
    }

    private func next() -> UInt32 {
        chains += 1
        return chains
    }

    /// Returns the offset of a new extent.
    fileprivate func allocate(_ count: Int) -> UInt64 {
        defer { end += UInt64(count) }
        return end
    }

    fileprivate func read(at offset: UInt64, _ count: Int) throws -> [UInt8] {
        try opened().bytes(at: offset, count: count)
    }

    fileprivate func write(_ bytes: [UInt8], at offset: UInt64) throws {
        try opened().write(bytes, at: offset)
    }

    private func opened() throws -> any ScratchFile {
        if let file { return file }
        let new = try makeFile()
        file = new
        return new
    }
}

/// An entry of a table or list.
private struct ScratchEntry {
    /// The bytes before the key.
    static let head = 20
    /// The offset of the entry that was added before under the same key; zero if there is none.
    let previous: UInt64
    /// The number of the table or list.
    let chain: UInt32
    let key: [UInt8]
    let value: [UInt8]

    init(previous: UInt64, chain: UInt32, key: [UInt8], value: [UInt8]) {
        self.previous = previous
        self.chain = chain
        self.key = key
        self.value = value
    }

    /// The entry at the beginning of bytes, which are whole.
    init(_ bytes: ArraySlice<UInt8>) {
        let head = Array(bytes.prefix(Self.head))
        let keyCount = Int(head.integer(UInt32.self, at: 12))
        let content = bytes.dropFirst(Self.head)
        previous = head.integer(UInt64.self, at: 0)
        chain = head.integer(UInt32.self, at: 8)
        key = Array(content.prefix(keyCount))
        value = Array(
            content.dropFirst(keyCount).prefix(Int(head.integer(UInt32.self, at: 16))))
    }

    /// The number of bytes of the entry that begins with a head.
    static func count(_ head: [UInt8]) -> Int {
        Self.head + Int(head.integer(UInt32.self, at: 12))
            + Int(head.integer(UInt32.self, at: 16))
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.head + key.count + value.count)
        bytes.append(integer: previous)
        bytes.append(integer: chain)
        bytes.append(integer: UInt32(key.count))
        bytes.append(integer: UInt32(value.count))
        return bytes + key + value
    }
}

/// The entries of a table or list, in extents. Each extent begins with the offset of the next one
/// and its own number of bytes. The last one is in memory.
private final class ScratchChain {
    /// The bytes before the entries of an extent.
    private static let head = 12
    /// The bytes of an entry that are read at first.
    private static let guess = 256
    let space: ScratchSpace
    let number: UInt32
    private var first: UInt64 = 0
    /// The offset of the entries of the last extent.
    private var start: UInt64 = 0
    private var buffer: [UInt8] = []
    private var capacity = 0

    init(_ space: ScratchSpace, _ number: UInt32) {
        self.space = space
        self.number = number
    }

    deinit { space.buffered -= buffer.count }

    /// Appends an entry and returns its offset.
    func append(_ previous: UInt64, _ key: [UInt8], _ value: [UInt8]) throws -> UInt64 {
        let entry = ScratchEntry(previous: previous, chain: number, key: key, value: value).bytes
        if buffer.count + entry.count > capacity {
            let room = max(space.extent, entry.count)
            let next = space.allocate(Self.head + room)
            if first == 0 {
                first = next
            } else {
                var extent: [UInt8] = []
                extent.append(integer: next)
                extent.append(integer: UInt32(buffer.count))
                try space.write(extent + buffer, at: start - UInt64(Self.head))
                space.buffered -= buffer.count
            }
            start = next + UInt64(Self.head)
            capacity = room
            buffer.removeAll(keepingCapacity: room == space.extent)
        }
        defer {
            buffer += entry
            space.buffered += entry.count
        }
        return start + UInt64(buffer.count)
    }

    /// Returns the entry at an offset. One of another chain that is not written yet has no number.
    func entry(at offset: UInt64) throws -> ScratchEntry {
        if offset >= start, offset < start + UInt64(buffer.count) {
            return ScratchEntry(buffer[Int(offset - start)...])
        }
        var bytes = try space.read(at: offset, Self.guess)
        let missing = ScratchEntry.count(bytes) - bytes.count
        if missing > 0 { bytes += try space.read(at: offset + UInt64(bytes.count), missing) }
        return ScratchEntry(bytes[...])
    }

    /// Returns a closure that returns the entries in their order.
    func entries() -> () throws -> ScratchEntry? {
        var (next, rest) = (first, [UInt8]()[...])
        let last = start - (first == 0 ? 0 : UInt64(Self.head))
        return { [self] in
            if rest.isEmpty {
                if next == 0 { return nil }
                if next == last {
                    rest = buffer[...]
                    next = 0
                } else {
                    let head = try space.read(at: next, Self.head)
                    rest =
                        try space.read(
                            at: next + UInt64(Self.head),
                            Int(head.integer(UInt32.self, at: 8)))[...]
                    next = head.integer(UInt64.self, at: 0)
                }
            }
            if rest.isEmpty { return nil }
            let entry = ScratchEntry(rest)
            rest = rest.dropFirst(ScratchEntry.head + entry.key.count + entry.value.count)
            return entry
        }
    }
}

private final class ScratchList: MigrationSpaceList {
    private let chain: ScratchChain

    init(chain: ScratchChain) { self.chain = chain }

    func append(_ value: [UInt8]) throws { _ = try chain.append(0, [], value) }

    func values() -> () throws -> [UInt8]? {
        let next = chain.entries()
        return { try next()?.value }
    }
}

private final class ScratchTable: MigrationSpaceTable {
    private let chain: ScratchChain

    init(_ chain: ScratchChain) { self.chain = chain }

    func add(_ value: [UInt8], under key: [UInt8]) throws {
        let (slot, hash, _) = try find(key)
        let entry = try chain.append(slot.entry ?? 0, key, value)
        try chain.space.slots.set(slot, hash, entry)
    }

    func last(under key: [UInt8]) throws -> [UInt8]? { try find(key).entry?.value }

    func values(under key: [UInt8]) throws -> () throws -> [UInt8]? {
        var next = try find(key).entry
        return { [chain] in
            guard let entry = next else { return nil }
            next = entry.previous == 0 ? nil : try chain.entry(at: entry.previous)
            return entry.value
        }
    }

    func values() -> () throws -> [UInt8]? {
        let next = chain.entries()
        return { try next()?.value }
    }

    /// Returns the slot of a key, its hash, and the entry that was added last under it.
    private func find(
        _ key: [UInt8]
    ) throws -> (slot: ScratchSlots.Slot, hash: UInt64, entry: ScratchEntry?) {
        var hasher = Hasher()
        hasher.combine(chain.number)
        key.withUnsafeBytes { hasher.combine(bytes: $0) }
        let hash = UInt64(bitPattern: Int64(hasher.finalize()))
        var found: ScratchEntry?
        let slot = try chain.space.slots.slot(hash) { offset in
            let entry = try chain.entry(at: offset)
            guard entry.chain == chain.number, entry.key == key else { return false }
            found = entry
            return true
        }
        return (slot, hash, found)
    }
}
