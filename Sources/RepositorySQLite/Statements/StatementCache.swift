internal import RepositoryRuntime

/// A cache of the prepared statements of a connection, keyed by their SQL.
///
/// It evicts by generations, which approximates least-recently-used eviction at a constant cost per
/// lookup. It contains at most twice ``generationLimit`` statements. Removing a statement from the
/// cache finalizes it as soon as it is no longer in use.
struct StatementCache {
    /// The number of statements in a generation. When a generation is full, the statements that
    /// were not used during the last one are finalized.
    static let generationLimit = 128

    /// The statements that were added or used in the current generation.
    private var young: [StatementText: SQLiteStatement] = [:]
    /// The statements of the previous generation that have not been used since.
    private var old: [StatementText: SQLiteStatement] = [:]

    /// The number of cached statements.
    var count: Int { young.count + old.count }

    /// Returns the cached statement for `text`, and moves it to the current generation.
    @inline(__always)
    mutating func find(_ text: String) -> SQLiteStatement? {
        if let statement = young[StatementText(text)] { return statement }
        guard let statement = old.removeValue(forKey: StatementText(text)) else { return nil }
        add(statement, text)
        return statement
    }

    /// Adds a statement that is not in the cache.
    mutating func add(_ statement: SQLiteStatement, _ text: String) {
        if young.count >= Self.generationLimit {
            old = young
            young = [:]
        }
        young[StatementText(text)] = statement
    }

    /// Removes all statements.
    mutating func removeAll() {
        young = [:]
        old = [:]
    }
}

/// The SQL of a statement, compared by its bytes.
///
/// Swift treats canonically equivalent strings as equal; SQLite treats them as different names.
struct StatementText: Hashable {
    /// The SQL.
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: Self, right: Self) -> Bool {
        String.isSameIdentifier(left.text, right.text)
    }

    /// Hashes the text by words of eight bytes, with one multiplication each. The hasher of the
    /// standard library takes five times as long, for strength against texts that somebody chose;
    /// the program writes its statements itself.
    func hash(into hasher: inout Hasher) {
        var copy = text
        hasher.combine(
            copy.withUTF8 { text in
                let bytes = UnsafeRawBufferPointer(text)
                var (sum, place) = (UInt64(truncatingIfNeeded: bytes.count), 0)
                func add(_ word: UInt64) { sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15 ^ sum >> 29 }
                while place + 8 <= bytes.count {
                    add(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                    place += 8
                }
                while place < bytes.count {
                    add(UInt64(bytes[place]))
                    place += 1
                }
                return sum
            })
    }
}
