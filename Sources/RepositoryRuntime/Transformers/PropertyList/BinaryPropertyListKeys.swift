internal import Foundation

/// The objects that represent keys in a binary property list that is being written. Each key is
/// written once, and all containers share it.
///
/// The first few keys are compared one by one with the bytes in the file, which is faster for a
/// single record than hashing them. Further keys are in a dictionary, so that the cost per key
/// stays constant.
struct BinaryPropertyListKeys {
    /// The maximum number of keys that are compared one by one.
    private static let firstCount = 16

    /// The byte range in the file and the object number of each of the first keys.
    private var first: [(start: Int, count: Int, number: Int)] = []
    /// The object numbers of the other keys.
    private var others: [TextKey: Int] = [:]

    /// Returns the object number of a key; nil if it is not written yet.
    ///
    /// - Parameters:
    ///   - key: the key in UTF-8.
    ///   - buffer: the file, which contains the first keys.
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

    /// Adds a key that is not known yet.
    ///
    /// - Parameters:
    ///   - key: the key in UTF-8.
    ///   - number: its object number.
    ///   - start: the offset of its bytes in the file; nil if the file contains another encoding of
    ///     it.
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
