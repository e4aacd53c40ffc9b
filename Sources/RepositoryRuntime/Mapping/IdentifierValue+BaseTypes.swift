public import Foundation

extension String: IdentifierValue {
    /// The string itself.
    public var identifierString: String { self }

    /// Creates the string itself.
    public init?(identifierString: String) { self = identifierString }

    /// An empty string and a string with U+0000 cannot be ids.
    public var identifierInvalidReason: String? {
        if isEmpty { return "it is empty" }
        // Every id that is read comes through here, so one `memchr` scans the whole string.
        var text = self
        let hasZero = text.withUTF8 { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        }
        return hasZero ? "it contains U+0000" : nil
    }

    /// Whether two values are the same id.
    public static func isSameIdentifier(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && compare(left, right) == 0
    }

    /// Hashes the UTF-8 bytes.
    public func hashIdentifier(into hasher: inout Hasher) {
        var copy = self
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }

    /// Whether `left` precedes `right` in the order of their UTF-8 bytes.
    public static func identifierPrecedes(_ left: String, _ right: String) -> Bool {
        let order = compare(left, right)
        return order == 0 ? left.utf8.count < right.utf8.count : order < 0
    }

    /// Compares the UTF-8 bytes of two strings: below 0 if the first one precedes the second, 0 if
    /// they are equal.
    @inline(__always)
    static func identifierOrder(_ left: String, _ right: String) -> Int {
        let order = compare(left, right)
        return order == 0 ? left.utf8.count - right.utf8.count : Int(order)
    }

    /// Compares the bytes up to the length of the shorter string, as `memcmp` does.
    private static func compare(_ left: String, _ right: String) -> CInt {
        let order = left.utf8.withContiguousStorageIfAvailable { one in
            right.utf8.withContiguousStorageIfAvailable { two in
                guard let first = one.baseAddress, let second = two.baseAddress else {
                    return CInt(0)
                }
                return memcmp(first, second, Swift.min(one.count, two.count))
            }
        }
        if case .some(.some(let order)) = order { return order }
        // Bridged strings, which are not stored as contiguous UTF-8.
        for (one, two) in zip(left.utf8, right.utf8) where one != two { return one < two ? -1 : 1 }
        return 0
    }
}

extension FixedWidthInteger where Self: IdentifierValue {
    /// The decimal form.
    public var identifierString: String { String(self) }

    /// Accepts only the canonical decimal form: `7`, not `+7` or `007`.
    public init?(identifierString: String) {
        guard let value = Self(identifierString), String(value) == identifierString else {
            return nil
        }
        self = value
    }

    /// Whether `left` is less than `right`.
    public static func identifierPrecedes(_ left: Self, _ right: Self) -> Bool { left < right }
}

extension Int: IdentifierValue {}
extension Int8: IdentifierValue {}
extension Int16: IdentifierValue {}
extension Int32: IdentifierValue {}
extension Int64: IdentifierValue {}
extension UInt8: IdentifierValue {}
extension UInt16: IdentifierValue {}
extension UInt32: IdentifierValue {}

extension UUID: IdentifierValue {
    /// The upper-case form.
    public var identifierString: String { uuidString }

    /// Parses the upper-case form; nil if it is invalid.
    public init?(identifierString: String) {
        guard let value = UUID(uuidString: identifierString), value.uuidString == identifierString
        else {
            return nil
        }
        self = value
    }

    /// Compares the bytes, which gives the same order as comparing the upper-case strings.
    public static func identifierPrecedes(_ left: UUID, _ right: UUID) -> Bool {
        withUnsafeBytes(of: left.uuid) { left in
            withUnsafeBytes(of: right.uuid) { right in left.lexicographicallyPrecedes(right) }
        }
    }
}
