public import Foundation

/// A value in a record of an earlier version, as the migration functions of a program see it.
///
/// Base types conform to it, and so do the types that the generator writes for old versions.
public protocol FrozenValue: Sendable, Equatable {
    /// Creates a value from a stored value.
    ///
    /// - Throws: ``RecordDecodingError`` if the stored value is not of the type.
    init(stored: StoredValue) throws
    /// The value to store.
    var stored: StoredValue { get }
}

/// A record or an embedded value of an earlier version. The generator writes such types.
public protocol FrozenRecord: FrozenValue {
    /// Creates a record from its stored values.
    ///
    /// - Throws: ``RecordDecodingError`` if a stored value is not of the type of its field.
    init(_ row: MigrationRow) throws
    /// Adds the values to store to a row.
    func write(to row: inout MigrationRow)
}

extension FrozenRecord {
    /// Whether two records have the same stored values.
    public static func == (left: Self, right: Self) -> Bool {
        MigrationRow(left).object == MigrationRow(right).object
    }

    /// Creates an embedded value.
    public init(stored: StoredValue) throws {
        guard case .object(let object) = stored else { throw RecordDecodingError.not("object") }
        try self.init(MigrationRow(object))
    }

    /// The embedded value to store.
    public var stored: StoredValue { .object(MigrationRow(self).object) }
}

/// An enum of an earlier version. The generator writes such types.
public protocol FrozenEnum: FrozenValue, RawRepresentable where RawValue: FrozenValue {}

extension FrozenEnum {
    /// Creates the case of a raw value.
    public init(stored: StoredValue) throws {
        guard let value = Self(rawValue: try RawValue(stored: stored)) else {
            throw RecordDecodingError("is not a case of \(Self.self)", isMismatch: true)
        }
        self = value
    }

    /// The raw value.
    public var stored: StoredValue { rawValue.stored }
}

/// The id of an entity in an earlier version. The generator writes an alias for each entity.
///
/// - Parameters:
///   - Tag: a type that stands for the entity, so that ids of several entities differ.
///   - RawValue: the type of the stored value.
public struct FrozenID<Tag, RawValue: FrozenValue & Hashable>: FrozenValue, Hashable {
    /// The stored value.
    public let rawValue: RawValue

    /// Creates an id from its stored value.
    public init(rawValue: RawValue) { self.rawValue = rawValue }

    /// Creates an id from its stored value.
    public init(stored: StoredValue) throws { rawValue = try RawValue(stored: stored) }

    /// The stored value.
    public var stored: StoredValue { rawValue.stored }
}

extension RecordDecodingError {
    /// The error for a stored value of another kind.
    fileprivate static func not(_ kind: String) -> Self {
        Self("is not of type \(kind)", isMismatch: true)
    }
}

extension FrozenValue where Self: FixedWidthInteger {
    /// Creates an integer from a stored integer.
    public init(stored: StoredValue) throws {
        guard case .integer(let integer) = stored, let value = Self(exactly: integer) else {
            throw RecordDecodingError.not("\(Self.self)")
        }
        self = value
    }

    /// The integer. All integers of stored types fit into 64 bits.
    public var stored: StoredValue { .integer(Int64(truncatingIfNeeded: self)) }
}

extension Int: FrozenValue {}
extension Int8: FrozenValue {}
extension Int16: FrozenValue {}
extension Int32: FrozenValue {}
extension Int64: FrozenValue {}
extension UInt8: FrozenValue {}
extension UInt16: FrozenValue {}
extension UInt32: FrozenValue {}

extension Bool: FrozenValue {
    /// Creates a Boolean from a stored one.
    public init(stored: StoredValue) throws {
        guard case .bool(let value) = stored else { throw RecordDecodingError.not("Bool") }
        self = value
    }

    /// The Boolean.
    public var stored: StoredValue { .bool(self) }
}

extension Double: FrozenValue {
    /// Creates a number from a stored one.
    public init(stored: StoredValue) throws {
        guard case .double(let value) = stored else { throw RecordDecodingError.not("Double") }
        self = value
    }

    /// The number.
    public var stored: StoredValue { .double(self) }
}

extension Float: FrozenValue {
    /// Creates a number from a stored one.
    public init(stored: StoredValue) throws { self = Float(try Double(stored: stored)) }

    /// The number, widened.
    public var stored: StoredValue { .double(Double(self)) }
}

extension Decimal: FrozenValue {
    /// Creates a decimal from a stored one.
    public init(stored: StoredValue) throws {
        guard case .decimal(let value) = stored else { throw RecordDecodingError.not("Decimal") }
        self = value
    }

    /// The decimal.
    public var stored: StoredValue { .decimal(self) }
}

extension Date: FrozenValue {
    /// Creates a date from a stored one.
    public init(stored: StoredValue) throws {
        guard case .date(let value) = stored else { throw RecordDecodingError.not("Date") }
        self = value
    }

    /// The date.
    public var stored: StoredValue { .date(self) }
}

extension UUID: FrozenValue {
    /// Creates a UUID from a stored one.
    public init(stored: StoredValue) throws {
        guard case .uuid(let value) = stored else { throw RecordDecodingError.not("UUID") }
        self = value
    }

    /// The UUID.
    public var stored: StoredValue { .uuid(self) }
}

extension String: FrozenValue {
    /// Creates a string from a stored one.
    public init(stored: StoredValue) throws {
        guard case .text(let value) = stored else { throw RecordDecodingError.not("String") }
        self = value
    }

    /// The string.
    public var stored: StoredValue { .text(self) }
}

extension URL: FrozenValue {
    /// Creates a URL from its string.
    public init(stored: StoredValue) throws {
        guard let value = URL(string: try String(stored: stored)) else {
            throw RecordDecodingError.not("URL")
        }
        self = value
    }

    /// The string of the URL.
    public var stored: StoredValue { .text(absoluteString) }
}

extension ExternalData: FrozenValue {
    /// Creates external data without a source from its stored form.
    public init(stored: StoredValue) throws {
        guard let value = ExternalData(try String(stored: stored)) else {
            throw RecordDecodingError.not("ExternalData")
        }
        self = value
    }

    /// The stored form.
    public var stored: StoredValue { .text(description) }
}

extension LocalDate: FrozenValue {
    /// Creates a day from its text form.
    public init(stored: StoredValue) throws {
        guard let value = LocalDate(try String(stored: stored)) else {
            throw RecordDecodingError.not("LocalDate")
        }
        self = value
    }

    /// The text form.
    public var stored: StoredValue { .text(description) }
}

extension Data: FrozenValue {
    /// Creates data from stored data.
    public init(stored: StoredValue) throws {
        guard case .data(let value) = stored else { throw RecordDecodingError.not("Data") }
        self = value
    }

    /// The data.
    public var stored: StoredValue { .data(self) }
}

extension Optional: FrozenValue where Wrapped: FrozenValue {
    /// Creates a value; nil from null.
    public init(stored: StoredValue) throws {
        self = stored == .null ? nil : try Wrapped(stored: stored)
    }

    /// The value; null for nil.
    public var stored: StoredValue { map(\.stored) ?? .null }
}

extension Array: FrozenValue where Element: FrozenValue {
    /// Creates a list from a stored list.
    public init(stored: StoredValue) throws {
        guard case .list(let values) = stored else { throw RecordDecodingError.not("list") }
        self = try values.map { try Element(stored: $0) }
    }

    /// The list.
    public var stored: StoredValue { .list(map(\.stored)) }
}

extension Dictionary: FrozenValue where Key == String, Value: FrozenValue {
    /// Creates a map from a stored map.
    public init(stored: StoredValue) throws {
        guard case .object(let values) = stored else { throw RecordDecodingError.not("map") }
        self = try values.mapValues { try Value(stored: $0) }
    }

    /// The map.
    public var stored: StoredValue { .object(mapValues(\.stored)) }
}
