internal import Synchronization

/// The keys of a layout in the encoding of a format, in one block of memory.
///
/// It is an unowned view, because it is read for every field and reference counting would be
/// expensive. It is valid as long as the layout exists.
struct EncodedKeys {
    fileprivate let bytes: UnsafeMutablePointer<UInt8>
    fileprivate let ends: UnsafeMutablePointer<Int>
    let count: Int

    /// The encoded key of a field.
    @inline(__always)
    subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + ends[index], count: ends[index + 1] - ends[index])
    }
}

/// The owner of the memory of ``EncodedKeys``.
///
/// `@unchecked Sendable`: the memory is written in `init` only.
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

/// The encoded keys of a layout by format. Each format encodes them when it first needs them.
final class FormatKeys: Sendable {
    let json = LazyKeys()
    let cbor = LazyKeys()
    let xml = LazyKeys()
    /// The unencoded names.
    let plain = LazyKeys()
}

/// Encoded keys that are created once, by the first of possibly several concurrent callers.
///
/// It does the same as `AtomicLazyReference`, whose loads are calls of generic code.
struct LazyKeys: ~Copyable, Sendable {
    private let reference = Atomic<Unmanaged<KeyStorage>?>(nil)

    deinit {
        reference.load(ordering: .acquiring)?.release()
    }

    /// Returns the keys, which are created in the first call.
    @inline(__always)
    borrowing func keys(_ make: () -> [[UInt8]]) -> EncodedKeys {
        if let storage = reference.load(ordering: .acquiring) {
            return storage._withUnsafeGuaranteedRef { $0.keys }
        }
        return store(KeyStorage(make()))
    }

    /// Stores new keys, unless another thread has been faster. Returns the stored ones.
    private borrowing func store(_ storage: KeyStorage) -> EncodedKeys {
        let new = Unmanaged.passRetained(storage)
        let (exchanged, original) = reference.compareExchange(
            expected: nil, desired: new, ordering: .acquiringAndReleasing)
        guard !exchanged, let original else { return storage.keys }
        new.release()
        return original.takeUnretainedValue().keys
    }
}
