internal import Synchronization

/// The keys of a layout as a format writes them, in one block of memory.
///
/// A view without a reference count, for it is read at every field; it lives as long as the layout whose keys they are.
struct EncodedKeys {
    fileprivate let bytes: UnsafeMutablePointer<UInt8>
    fileprivate let ends: UnsafeMutablePointer<Int>
    let count: Int

    /// What is written for a key.
    @inline(__always)
    subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + ends[index], count: ends[index + 1] - ends[index])
    }
}

/// The memory of ``EncodedKeys``.
///
/// `@unchecked`: it is written in `init` and never after.
private final class KeyStorage: @unchecked Sendable {
    let keys: EncodedKeys

    init(_ keys: [[UInt8]]) {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(
            capacity: keys.reduce(1) { $0 + $1.count })
        let ends = UnsafeMutablePointer<Int>.allocate(capacity: keys.count + 1)
        ends[0] = 0
        for (index, key) in keys.enumerated() {
            for (position, byte) in key.enumerated() { bytes[ends[index] + position] = byte }
            ends[index + 1] = ends[index] + key.count
        }
        self.keys = EncodedKeys(bytes: bytes, ends: ends, count: keys.count)
    }

    deinit {
        keys.bytes.deallocate()
        keys.ends.deallocate()
    }
}

/// The keys of a layout in each format. Each format fills in its own the first time it needs them.
final class FormatKeys: Sendable {
    let json = LazyKeys()
    let cbor = LazyKeys()
    let xml = LazyKeys()
    /// The names as they are.
    let plain = LazyKeys()
}

/// Keys that are made once, by whoever comes first.
///
/// `AtomicLazyReference` is the same, and costs a call of generic code for each load.
struct LazyKeys: ~Copyable, Sendable {
    private let reference = Atomic<Unmanaged<KeyStorage>?>(nil)

    deinit {
        reference.load(ordering: .acquiring)?.release()
    }

    @inline(__always)
    borrowing func keys(_ make: () -> [[UInt8]]) -> EncodedKeys {
        if let storage = reference.load(ordering: .acquiring) {
            return storage._withUnsafeGuaranteedRef { $0.keys }
        }
        return store(KeyStorage(make()))
    }

    private borrowing func store(_ storage: KeyStorage) -> EncodedKeys {
        let new = Unmanaged.passRetained(storage)
        let (exchanged, original) = reference.compareExchange(
            expected: nil, desired: new, ordering: .acquiringAndReleasing)
        guard !exchanged, let original else { return storage.keys }
        new.release()
        return original.takeUnretainedValue().keys
    }
}
