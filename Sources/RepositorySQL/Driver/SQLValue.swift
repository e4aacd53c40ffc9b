public import Foundation

/// A value in a column or a parameter of a ``SQLDriver``.
///
/// A store keeps everything in four kinds of columns:
///
/// - Integers: integers, truth values (0 and 1), dates in microseconds since 1970, and decimals with
///   a fixed scale, multiplied by its power of ten.
/// - Floating-point numbers: `Double` and `Float`.
/// - Texts: strings, URLs, UUIDs in capital letters, days (`2026-11-22`), decimals without a fixed
///   scale, and embedded values, lists and maps as JSON.
/// - Bytes: `Data`.
public enum SQLValue: Sendable {
    /// No value.
    case null
    /// An integer of 64 bits.
    case integer(Int64)
    /// A floating-point number of 64 bits; never NaN or infinite.
    case double(Double)
    /// A text without U+0000.
    case text(String)
    /// Bytes.
    case data(Data)
}

extension SQLValue: Hashable {
    /// Whether two values are the same. Texts are if their bytes in UTF-8 are, not their characters:
    /// a database compares them so.
    public static func == (left: SQLValue, right: SQLValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.data(let left), .data(let right)): left == right
        default: false
        }
    }

    /// Feeds what `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .text(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .data(let value): hasher.combine(value)
        }
    }
}

/// The kinds of columns; see ``SQLValue``.
public enum SQLColumnKind: Sendable, Hashable, CaseIterable {
    /// Integers of 64 bits.
    case integer
    /// Floating-point numbers of 64 bits.
    case double
    /// Texts, which compare by their bytes in UTF-8.
    case text
    /// Bytes, which compare as unsigned numbers.
    case data
}

extension SQLValue: CustomStringConvertible, CustomReflectable {
    /// The kind of the value. The value itself is left out, because it may be sensitive.
    public var description: String {
        switch self {
        case .null: "null"
        case .integer: "an integer"
        case .double: "a floating-point number"
        case .text: "a text"
        case .data: "bytes"
        }
    }

    /// A mirror without the value.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
