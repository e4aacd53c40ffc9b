public import Foundation

extension EntityID: ExpressibleByUnicodeScalarLiteral where Raw == String {
    /// Creates an id from a literal.
    @inlinable
    public init(unicodeScalarLiteral value: String) { self.init(rawValue: value) }
}

extension EntityID: ExpressibleByExtendedGraphemeClusterLiteral where Raw == String {
    /// Creates an id from a literal.
    @inlinable
    public init(extendedGraphemeClusterLiteral value: String) { self.init(rawValue: value) }
}

extension EntityID: ExpressibleByStringLiteral where Raw == String {
    /// Creates an id from a literal.
    @inlinable
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension EntityID: ExpressibleByIntegerLiteral where Raw: ExpressibleByIntegerLiteral {
    /// Creates an id from a literal.
    @inlinable
    public init(integerLiteral value: Raw.IntegerLiteralType) {
        self.init(rawValue: Raw(integerLiteral: value))
    }
}

extension EntityID where Raw == UUID {
    /// A new unique id: a version 7 UUID from ``EntityDefaults``. Ids generated in succession are
    /// adjacent in an index.
    public static var generated: Self { Self(rawValue: EntityDefaults.uuid()) }
}

extension EntityID where Raw == String {
    /// Creates an id from a string.
    @inlinable
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }
}
