internal import Foundation

/// A binary sort key: the position of a record in an index, as bytes that compare in the order of
/// the index. It consists of the values of the index fields, each in its direction, followed by the
/// components of the id.
///
/// The encoding is prefix-free: no key is a prefix of another. ``IndexKeyWriter`` defines the
/// bytes, and ``IndexKeyForm`` creates the keys of an index.
struct IndexKey: Sendable {
    /// The bytes, compared as unsigned integers.
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The smallest byte sequence greater than this key.
    var successor: IndexKey { followed(by: 0) }

    /// A byte sequence greater than all keys that start with these complete values.
    var end: IndexKey { followed(by: 0xFF) }

    /// Returns the key with another byte appended.
    private func followed(by byte: UInt8) -> IndexKey {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count + 1)
        copy += bytes
        copy.append(byte)
        return IndexKey(copy)
    }
}

extension IndexKey: Hashable {
    /// Compares all bytes with one `memcmp`, which is faster than comparing arrays element by
    /// element.
    static func == (left: IndexKey, right: IndexKey) -> Bool {
        left.bytes.withUnsafeBytes { one in
            right.bytes.withUnsafeBytes { two in
                guard one.count == two.count else { return false }
                guard let first = one.baseAddress, let second = two.baseAddress else { return true }
                return memcmp(first, second, one.count) == 0
            }
        }
    }

    /// Hashes the bytes, followed by a terminator.
    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(0xFF as UInt8)
    }
}

extension IndexKey: Comparable {
    /// Compares lexicographically: by the first different byte, otherwise by length.
    static func < (left: IndexKey, right: IndexKey) -> Bool {
        left.bytes.withUnsafeBytes { one in
            right.bytes.withUnsafeBytes { two in
                let count = min(one.count, two.count)
                if count > 0, let first = one.baseAddress, let second = two.baseAddress {
                    let order = memcmp(first, second, count)
                    if order != 0 { return order < 0 }
                }
                return one.count < two.count
            }
        }
    }
}

/// A half-open range of index keys.
///
/// A bound need not be a key itself: it may be a key prefix, or end with the byte `0xFF`.
struct IndexKeyRange: Sendable, Hashable {
    /// The lower bound, which is included.
    var lower: IndexKey
    /// The upper bound, which is excluded.
    var upper: IndexKey

    /// The range of all keys. No key starts with `0xFF`.
    static let all = IndexKeyRange(lower: IndexKey([]), upper: IndexKey([0xFF]))

    /// Whether the range is empty.
    var isEmpty: Bool { !(lower < upper) }

    /// Whether the range contains a key.
    func contains(_ key: IndexKey) -> Bool { !(key < lower) && key < upper }

    /// Returns the part of the range after a key.
    func after(_ key: IndexKey) -> IndexKeyRange {
        IndexKeyRange(lower: max(lower, key.successor), upper: upper)
    }

    /// Returns the part of the range before a key.
    func before(_ key: IndexKey) -> IndexKeyRange {
        IndexKeyRange(lower: lower, upper: min(upper, key))
    }
}
