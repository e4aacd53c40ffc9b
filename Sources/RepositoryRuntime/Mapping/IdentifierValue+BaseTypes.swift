public import Foundation

extension String: IdentifierValue {
    /// The frozen text form.
    public var identifierText: String { self }

    /// Reads the text form back; nil when it is not one.
    public init?(identifierText: String) { self = identifierText }

    /// A text that is empty or holds U+0000 is no id.
    public var identifierDefect: String? {
        if isEmpty { return "it is empty" }
        // Asked of every id that is read: one call for the whole text, not one for each byte.
        var text = self
        let hasZero = text.withUTF8 { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        }
        return hasZero ? "it holds U+0000" : nil
    }

    /// Whether two values are the same id.
    public static func isSameIdentifier(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && compare(left, right) == 0
    }

    /// Feeds what `isSameIdentifier` compares.
    public func hashIdentifier(into hasher: inout Hasher) {
        var copy = self
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }

    /// Whether `left` stands before `right` in id order.
    public static func identifierPrecedes(_ left: String, _ right: String) -> Bool {
        let order = compare(left, right)
        return order == 0 ? left.utf8.count < right.utf8.count : order < 0
    }

    /// The order of the bytes up to the end of the shorter text.
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
        // Texts of another system's string type, which are not kept as UTF-8.
        for (one, two) in zip(left.utf8, right.utf8) where one != two { return one < two ? -1 : 1 }
        return 0
    }
}

extension FixedWidthInteger where Self: IdentifierValue {
    /// The frozen text form.
    public var identifierText: String { String(self) }

    /// Only the canonical decimal form is an id: `7`, not `+7` or `007`.
    public init?(identifierText: String) {
        guard let value = Self(identifierText), String(value) == identifierText else { return nil }
        self = value
    }

    /// Whether `left` stands before `right` in id order.
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
    public var identifierText: String { uuidString }

    /// Reads the text form back; nil when it is not one.
    public init?(identifierText: String) {
        guard let value = UUID(uuidString: identifierText), value.uuidString == identifierText
        else {
            return nil
        }
        self = value
    }

    /// The order of the bytes, which is the order of the upper-case text.
    public static func identifierPrecedes(_ left: UUID, _ right: UUID) -> Bool {
        withUnsafeBytes(of: left.uuid) { left in
            withUnsafeBytes(of: right.uuid) { right in left.lexicographicallyPrecedes(right) }
        }
    }
}
