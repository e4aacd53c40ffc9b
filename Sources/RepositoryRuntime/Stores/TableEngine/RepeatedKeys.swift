/// Finds out whether a key occurs twice, with eight bytes for each key and no copy of it.
///
/// The keys are passed twice: first to ``note(_:)``, which keeps their hashes. If ``compare()``
/// finds equal hashes, the keys are passed to ``verify(_:)``, which compares those alone.
struct RepeatedKeys {
    /// The hashes of the keys.
    private var hashes: [UInt64] = []
    /// The hashes that occur more than once.
    private var repeated: Set<UInt64> = []
    /// The keys with these hashes that occurred so far.
    private var seen: Set<IndexKey> = []
    /// Whether a key occurred twice.
    private(set) var isRepeated = false

    /// Whether keys have equal hashes.
    var mayRepeat: Bool { !repeated.isEmpty }

    /// Adds a key.
    mutating func note(_ key: IndexKey) { hashes.append(Self.hash(key)) }

    /// Finds equal hashes, and forgets all others.
    mutating func compare() {
        hashes.sort()
        for (hash, next) in zip(hashes, hashes.dropFirst()) where hash == next {
            repeated.insert(hash)
        }
        hashes = []
    }

    /// Adds a key for the second time.
    mutating func verify(_ key: IndexKey) {
        guard !isRepeated, repeated.contains(Self.hash(key)) else { return }
        isRepeated = !seen.insert(key).inserted
        if isRepeated { seen = [] }
    }

    private static func hash(_ key: IndexKey) -> UInt64 {
        IndexBytesWriter.checksum(key.bytes[...])
    }
}
