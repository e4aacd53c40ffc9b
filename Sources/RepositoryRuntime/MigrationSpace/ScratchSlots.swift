/// The hash table of a ``ScratchSpace``: offsets of entries by the hashes of their keys, in a file,
/// and in memory while it is small.
///
/// A slot has the hash and the offset, with eight bytes each; an offset of zero is that of a free
/// slot. A hash whose slot is taken gets the next free one. The first bits of a hash select its
/// slot, so that a larger table has the slots in the same order.
struct ScratchSlots {
    /// The bytes of a slot.
    private static let size = 16
    /// The number of slots that are read together.
    private static let group: UInt64 = 16
    /// The number of bits that select a slot.
    private var bits: Int
    /// The largest number of bits of a table in memory.
    private let bitsInMemory: Int
    /// The number of slots that are taken.
    private var taken: UInt64 = 0
    /// The slots while they are in memory.
    private var memory: [UInt8]
    /// The slots otherwise.
    private var file: (any ScratchFile)?
    private let makeFile: () throws -> any ScratchFile

    /// The bytes of the slots that are in memory.
    var bytesInMemory: Int { memory.count }

    /// A slot, and what it has.
    struct Slot {
        let position: UInt64
        /// The offset of the entry; nil if the slot is free.
        let entry: UInt64?
    }

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - bits: the binary logarithm of the number of slots up to which they are in memory.
    ///   - makeFile: creates an empty file.
    init(bitsInMemory bits: Int, _ makeFile: @escaping () throws -> any ScratchFile) {
        self.bits = bits
        bitsInMemory = bits
        memory = [UInt8](repeating: 0, count: Self.size << bits)
        self.makeFile = makeFile
    }

    /// Returns the slot of an entry, or the free one in which it belongs.
    ///
    /// - Parameters:
    ///   - hash: the hash of the key.
    ///   - isEntry: returns whether the entry at an offset has the key.
    func slot(_ hash: UInt64, _ isEntry: (UInt64) throws -> Bool) throws -> Slot {
        var position = hash >> UInt64(64 - bits)
        while true {
            let count = min(Self.group, (1 << UInt64(bits)) - position)
            let slots = try read(position, count)
            for index in 0..<Int(count) {
                let entry = slots.integer(UInt64.self, at: index * Self.size + 8)
                let found = Slot(
                    position: position + UInt64(index), entry: entry == 0 ? nil : entry)
                if entry == 0 { return found }
                guard slots.integer(UInt64.self, at: index * Self.size) == hash else { continue }
                if try isEntry(entry) { return found }
            }
            position += count
            if position == 1 << UInt64(bits) { position = 0 }
        }
    }

    /// Sets the entry of a slot.
    mutating func set(_ slot: Slot, _ hash: UInt64, _ entry: UInt64) throws {
        try write(slot.position, hash, entry)
        guard slot.entry == nil else { return }
        taken += 1
        if taken > 1 << UInt64(bits - 1) { try grow() }
    }

    /// Makes the table four times as large.
    private mutating func grow() throws {
        var larger = self
        larger.bits += 2
        if larger.bits <= bitsInMemory {
            larger.memory = [UInt8](repeating: 0, count: Self.size << larger.bits)
        } else {
            larger.memory = []
            larger.file = try makeFile()
        }
        var position: UInt64 = 0
        while position < 1 << UInt64(bits) {
            let count = min(4096, (1 << UInt64(bits)) - position)
            let slots = try read(position, count)
            for start in stride(from: 0, to: slots.count, by: Self.size) {
                let entry = slots.integer(UInt64.self, at: start + 8)
                if entry == 0 { continue }
                let hash = slots.integer(UInt64.self, at: start)
                let free = try larger.slot(hash) { _ in false }
                try larger.write(free.position, hash, entry)
            }
            position += count
        }
        self = larger
    }

    private func read(_ position: UInt64, _ count: UInt64) throws -> [UInt8] {
        let bytes = Int(count) * Self.size
        guard let file else {
            let start = Int(position) * Self.size
            return Array(memory[start..<start + bytes])
        }
        return try file.bytes(at: position * UInt64(Self.size), count: bytes)
    }

    private mutating func write(_ position: UInt64, _ hash: UInt64, _ entry: UInt64) throws {
        var slot: [UInt8] = []
        slot.append(integer: hash)
        slot.append(integer: entry)
        if let file { return try file.write(slot, at: position * UInt64(Self.size)) }
        let start = Int(position) * Self.size
        memory.replaceSubrange(start..<start + Self.size, with: slot)
    }
}
