/// Strings compared by their UTF-8 bytes, like the names and constants of stored data.
///
/// The operators of `String` compare by canonical equivalence instead, which depends on the version
/// of Unicode.
package enum UTF8Order {
    /// Whether `left` precedes `right`.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// Whether both strings have the same bytes.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }

    /// Feeds the bytes of a string, which determine ``areEqual(_:_:)``, to a hasher.
    package static func hash(_ text: String, into hasher: inout Hasher) {
        var copy = text
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
