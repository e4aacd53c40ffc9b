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
    private let json = AtomicLazyReference<EncodedKeys>()
    private let cbor = AtomicLazyReference<EncodedKeys>()
    private let xml = AtomicLazyReference<EncodedKeys>()
    private let plain = AtomicLazyReference<EncodedKeys>()

    /// `,"name":`
    func json(_ names: [[UInt8]]) -> EncodedKeys {
        json.load() ?? json.storeIfNil(EncodedKeys(names.map(JSONWriter.key)))
    }

    /// A text string.
    func cbor(_ names: [[UInt8]]) -> EncodedKeys {
        cbor.load() ?? cbor.storeIfNil(EncodedKeys(names.map(CBORWriter.key)))
    }

    /// `<key>name</key>`
    func xml(_ names: [[UInt8]]) -> EncodedKeys {
        xml.load() ?? xml.storeIfNil(EncodedKeys(names.map(XMLPropertyListWriter.key)))
    }

    /// The names as they are.
    func plain(_ names: [[UInt8]]) -> EncodedKeys {
        plain.load() ?? plain.storeIfNil(EncodedKeys(names))
    }
}
