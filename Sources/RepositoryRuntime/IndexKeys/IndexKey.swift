internal import Foundation

/// The place of a record in an index, as bytes whose order is that of the index: the values of its fields, each in its
/// direction, then the components of the id.
///
/// No key is the beginning of another one. See ``IndexKeyWriter`` for the bytes and ``IndexKeyForm`` for how keys of an
/// index are made.
struct IndexKey: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The smallest bytes after this key.
    var successor: IndexKey { followed(by: 0) }

    /// What stands after all keys that begin with these whole values.
    var end: IndexKey { followed(by: 0xFF) }

    private func followed(by byte: UInt8) -> IndexKey {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count + 1)
        copy += bytes
        copy.append(byte)
        return IndexKey(copy)
    }
}

extension IndexKey: Hashable {
    /// Whether the two are the same: all bytes in one call, where those of a list are compared one by one.
    static func == (left: IndexKey, right: IndexKey) -> Bool {
        left.bytes.withUnsafeBytes { one in
            right.bytes.withUnsafeBytes { two in
                guard one.count == two.count else { return false }
                guard let first = one.baseAddress, let second = two.baseAddress else { return true }
                return memcmp(first, second, one.count) == 0
            }
        }
    }

    /// Feeds what `==` compares.
    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(0xFF as UInt8)
    }
}

extension IndexKey: Comparable {
    /// Whether `left` stands before `right`: by the first byte that differs, else by length.
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

/// A part of an index: the keys from one on and before another.
struct IndexKeyRange: Sendable, Hashable {
    /// The first key that belongs to it.
    var lower: IndexKey
    /// The first key behind it.
    var upper: IndexKey

    /// All keys.
    static let all = IndexKeyRange(lower: IndexKey([]), upper: IndexKey([0xFF]))

    /// Whether no key can lie in it.
    var isEmpty: Bool { !(lower < upper) }

    /// Whether a key lies in it.
    func contains(_ key: IndexKey) -> Bool { !(key < lower) && key < upper }

    /// What of it stands behind a key.
    func after(_ key: IndexKey) -> IndexKeyRange {
        IndexKeyRange(lower: max(lower, key.successor), upper: upper)
    }

    /// What of it stands before a key.
    func before(_ key: IndexKey) -> IndexKeyRange {
        IndexKeyRange(lower: lower, upper: min(upper, key))
    }
}
