public import Foundation

/// The value of one field, independent of its Swift type. It is used for defaults, index keys,
/// cursors and query comparisons.
///
/// Equality and order are those of conditions: strings are compared by their UTF-8 bytes, numbers
/// by value. Null equals only null, and sorts before all other values.
public enum StoredValue: Sendable {
    /// The missing value. It equals only itself, and sorts first.
    case null
    /// A Boolean; false sorts before true.
    case bool(Bool)
    /// An integer of any integer type of up to 64 bits.
    case integer(Int64)
    /// A floating-point number. Fields of type `Float` are widened.
    case double(Double)
    /// A decimal number of up to 38 digits.
    case decimal(Decimal)
    /// A date, which stores round to microseconds.
    case date(Date)
    /// A UUID, compared by its bytes.
    case uuid(UUID)
    /// A string, compared by its UTF-8 bytes.
    case text(String)
    /// Binary data, compared lexicographically.
    case data(Data)
    /// A list, compared lexicographically.
    case list([StoredValue])
    /// A map or an embedded record, by key.
    case object([String: StoredValue])
}

extension StoredValue {
    /// The position of the kind in the order of kinds. All values of a field have the same kind or
    /// are null.
    private var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .integer: 2
        case .double: 3
        case .decimal: 4
        case .date: 5
        case .uuid: 6
        case .text: 7
        case .data: 8
        case .list: 9
        case .object: 10
        }
    }
}

extension StoredValue: Hashable {
    /// Whether two values have the same kind and are equal.
    public static func == (left: StoredValue, right: StoredValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.text(let left), .text(let right)): String.isSameIdentifier(left, right)
        case (.data(let left), .data(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes the kind and what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .text(let value): value.hashIdentifier(into: &hasher)
        case .data(let value): hasher.combine(value)
        case .list(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}

extension StoredValue: Comparable {
    /// Whether `left` sorts before `right`. Objects are not ordered among each other.
    public static func < (left: StoredValue, right: StoredValue) -> Bool {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): !left && right
        case (.integer(let left), .integer(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.decimal(let left), .decimal(let right)): left < right
        case (.date(let left), .date(let right)): left < right
        case (.uuid(let left), .uuid(let right)): UUID.identifierPrecedes(left, right)
        case (.text(let left), .text(let right)): String.identifierPrecedes(left, right)
        case (.data(let left), .data(let right)): left.lexicographicallyPrecedes(right)
        case (.list(let left), .list(let right)): left.lexicographicallyPrecedes(right)
        default: left.rank < right.rank
        }
    }
}
