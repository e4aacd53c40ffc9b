public import Foundation

extension EntityID: ExpressibleByUnicodeScalarLiteral where Raw == String {
    /// Makes an id of a literal.
    @inlinable
    public init(unicodeScalarLiteral value: String) { self.init(rawValue: value) }
}

extension EntityID: ExpressibleByExtendedGraphemeClusterLiteral where Raw == String {
    /// Makes an id of a literal.
    @inlinable
    public init(extendedGraphemeClusterLiteral value: String) { self.init(rawValue: value) }
}

extension EntityID: ExpressibleByStringLiteral where Raw == String {
    /// Makes an id of a literal.
    @inlinable
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension EntityID: ExpressibleByIntegerLiteral where Raw: ExpressibleByIntegerLiteral {
    /// Makes an id of a literal.
    @inlinable
    public init(integerLiteral value: Raw.IntegerLiteralType) {
        self.init(rawValue: Raw(integerLiteral: value))
    }
}

extension EntityID where Raw == UUID {
    /// A new id, unlike all others: a version 7 UUID from ``EntityDefaults``, so that new keys stand together.
    public static var generated: Self { Self(rawValue: EntityDefaults.uuid()) }
}

extension EntityID where Raw == String {
    /// Makes an id of a text; every text is one.
    @inlinable
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }
}
