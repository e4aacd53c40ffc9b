internal import Synchronization

/// The keys of a layout as a format writes them, made once, in one block of memory.
///
/// `@unchecked`: the memory is written in `init` and never after.
final class EncodedKeys: @unchecked Sendable {
    private let bytes: UnsafeMutablePointer<UInt8>
    private let ends: UnsafeMutablePointer<Int>
    let count: Int

    /// Makes the keys of what a format writes for each.
    init(_ keys: [[UInt8]]) {
        count = keys.count
        bytes = .allocate(capacity: keys.reduce(0) { $0 + $1.count })
        ends = .allocate(capacity: keys.count + 1)
        ends[0] = 0
        for (index, key) in keys.enumerated() {
            for (position, byte) in key.enumerated() { bytes[ends[index] + position] = byte }
            ends[index + 1] = ends[index] + key.count
        }
    }

    deinit {
        bytes.deallocate()
        ends.deallocate()
    }

    /// What is written for a key, as long as these keys live.
    @inline(__always)
    subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + ends[index], count: ends[index + 1] - ends[index])
    }
}

/// The keys of a layout in each format, made when first asked for.
final class FormatKeys: Sendable {
    private let json = LazyKeys()
    private let cbor = LazyKeys()
    private let xml = LazyKeys()
    private let plain = LazyKeys()

    /// `,"name":`
    func json(_ names: [[UInt8]]) -> EncodedKeys { json.keys { names.map(JSONWriter.key) } }

    /// A text string.
    func cbor(_ names: [[UInt8]]) -> EncodedKeys { cbor.keys { names.map(CBORWriter.key) } }

    /// `<key>name</key>`
    func xml(_ names: [[UInt8]]) -> EncodedKeys {
        xml.keys { names.map(XMLPropertyListWriter.key) }
    }

    /// The names as they are.
    func plain(_ names: [[UInt8]]) -> EncodedKeys { plain.keys { names } }
}

/// Keys that are made once, by whoever comes first.
///
/// `AtomicLazyReference` is the same, and costs a call of generic code for each load.
private struct LazyKeys: ~Copyable, Sendable {
    private let reference = Atomic<Unmanaged<EncodedKeys>?>(nil)

    deinit {
        reference.load(ordering: .acquiring)?.release()
    }

    @inline(__always)
    borrowing func keys(_ make: () -> [[UInt8]]) -> EncodedKeys {
        if let keys = reference.load(ordering: .acquiring) { return keys.takeUnretainedValue() }
        return store(EncodedKeys(make()))
    }

    private borrowing func store(_ keys: EncodedKeys) -> EncodedKeys {
        let new = Unmanaged.passRetained(keys)
        let (exchanged, original) = reference.compareExchange(
            expected: nil, desired: new, ordering: .acquiringAndReleasing)
        guard !exchanged, let original else { return keys }
        new.release()
        return original.takeUnretainedValue()
    }
}
