/// The type of a single stored value.
///
/// The description of each type is here only: the generator, the runtime and the stores read it
/// instead of enumerating the types.
package enum StoredBaseType: String, Sendable, Hashable, CaseIterable {
    case bool
    case int8, int16, int32, int64
    case uint8, uint16, uint32
    case float, double
    case decimal
    case date, text, url, uuid, data
    case localDate
    /// The size and the hash of data that is stored apart from its record, as text.
    case externalData

    /// A kind of values. Values of one kind are stored and compared in the same way.
    package enum Kind: Sendable, Hashable {
        case bool, integer, double, decimal, date, uuid, text, data
    }

    /// The kind of the values.
    package var kind: Kind {
        switch self {
        case .bool: .bool
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: .integer
        case .float, .double: .double
        case .decimal: .decimal
        case .date: .date
        case .text, .url, .localDate, .externalData: .text
        case .uuid: .uuid
        case .data: .data
        }
    }

    /// The values of an integer type; nil for other types.
    package var integers: ClosedRange<Int64>? {
        switch self {
        case .int8: Int64(Int8.min)...Int64(Int8.max)
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .int64: .min ... .max
        case .uint8: 0...Int64(UInt8.max)
        case .uint16: 0...Int64(UInt16.max)
        case .uint32: 0...Int64(UInt32.max)
        default: nil
        }
    }

    /// Whether every value of another integer type is a value of this one, and not vice versa.
    package func widens(_ other: StoredBaseType) -> Bool {
        guard let range = integers, let inner = other.integers, range != inner else { return false }
        return range.lowerBound <= inner.lowerBound && inner.upperBound <= range.upperBound
    }
}

extension StoredBaseType.Kind {
    /// Whether the values are numbers.
    package var isNumber: Bool {
        switch self {
        case .integer, .double, .decimal: true
        case .bool, .date, .uuid, .text, .data: false
        }
    }

    /// Whether JSON represents equal values by equal strings, numbers or Booleans, so that a
    /// database can compare them inside of a JSON document. For UUIDs this applies regardless of
    /// case.
    package var isExactInJSON: Bool {
        switch self {
        case .bool, .integer, .uuid, .text: true
        case .double, .decimal, .date, .data: false
        }
    }
}

extension StoredShape {
    /// Creates the shape of a single value.
    ///
    /// - Parameter scale: the number of fraction digits of a decimal; nil if it is not fixed.
    package init(_ base: StoredBaseType, scale: Int? = nil) {
        self = .single(scale.map { "\(base.rawValue)(\($0))" } ?? base.rawValue)
    }
}

extension StoredBaseType {
    /// Parses the name of the shape of a single value, such as `int64` or `decimal(2)`; nil if this
    /// version of the library does not know the type.
    ///
    /// - Returns: The type, and the scale of a decimal.
    package static func parsed(_ name: String) -> (base: StoredBaseType, scale: Int?)? {
        if let base = StoredBaseType(rawValue: name) { return (base, nil) }
        guard name.hasPrefix("decimal("), name.hasSuffix(")"),
            let scale = Int(name.dropFirst("decimal(".count).dropLast())
        else { return nil }
        return (.decimal, scale)
    }
}
