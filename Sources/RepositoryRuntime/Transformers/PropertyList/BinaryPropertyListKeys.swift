internal import Foundation

/// The objects of the keys of a binary property list, which are written once for all containers.
///
/// The first few are compared one after another where they stand in the file: of one record that is quicker than to hash
/// them. All others are looked up, so that many keys cost what each costs.
struct BinaryPropertyListKeys {
    private static let firstCount = 16

    private var first: [(start: Int, count: Int, number: Int)] = []
    private var others: [TextKey: Int] = [:]

    /// The object of a key; nil where it has none yet.
    ///
    /// - Parameter buffer: the file, which holds the keys.
    @inline(__always)
    func number(of key: UnsafeBufferPointer<UInt8>, in buffer: ByteBuffer) -> Int? {
        for known in first where known.count == key.count {
            guard let one = buffer.bytes.baseAddress, let other = key.baseAddress else {
                return known.number
            }
            if memcmp(one + known.start, other, key.count) == 0 { return known.number }
        }
        return others.isEmpty ? nil : others[TextKey(String(decoding: key, as: UTF8.self))]
    }

    /// Adds a key that has none.
    ///
    /// - Parameter start: where its bytes stand in the file; nil where it is not written as it is.
    @inline(__always)
    mutating func add(_ key: UnsafeBufferPointer<UInt8>, _ number: Int, at start: Int?) {
        if let start, first.count < Self.firstCount {
            if first.isEmpty { first.reserveCapacity(Self.firstCount) }
            first.append((start, key.count, number))
        } else {
            others[TextKey(String(decoding: key, as: UTF8.self))] = number
        }
    }
}
