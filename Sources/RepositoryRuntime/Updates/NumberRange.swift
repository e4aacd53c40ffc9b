internal import Foundation
internal import StoredSchema

/// Checked arithmetic on stored numbers, within the range of their declared types.
enum NumberRange {
    /// The result exceeds the type.
    struct Overflow: Error {}

    /// The sum; null if the value is null.
    static func sum(
        _ value: StoredValue, _ amount: StoredValue, as type: StoredType
    ) throws -> StoredValue {
        switch (value, amount) {
        case (.integer(let value), .integer(let amount)):
            try integer(value.addingReportingOverflow(amount), type)
        case (.double(let value), .double(let amount)): try double(value + amount, type)
        case (.decimal(let value), .decimal(let amount)): try decimal(value + amount, type)
        default: value
        }
    }

    /// The difference; null if the value is null.
    static func difference(
        _ value: StoredValue, _ amount: StoredValue, as type: StoredType
    ) throws -> StoredValue {
        switch (value, amount) {
        case (.integer(let value), .integer(let amount)):
            try integer(value.subtractingReportingOverflow(amount), type)
        case (.double(let value), .double(let amount)): try double(value - amount, type)
        case (.decimal(let value), .decimal(let amount)): try decimal(value - amount, type)
        default: value
        }
    }

    /// The integer, if it did not overflow 64 bits and is in the range of the type.
    private static func integer(
        _ result: (partialValue: Int64, overflow: Bool), _ type: StoredType
    ) throws -> StoredValue {
        let range = type.base?.integers ?? .min ... .max
        guard !result.overflow, range.contains(result.partialValue) else { throw Overflow() }
        return .integer(result.partialValue)
    }

    /// The number rounded to the precision of the type, if it is finite.
    private static func double(_ result: Double, _ type: StoredType) throws -> StoredValue {
        let rounded = if case .float = type { Double(Float(result)) } else { result }
        guard rounded.isFinite else { throw Overflow() }
        return .double(rounded)
    }

    /// The decimal, if it is finite and can be stored with the scale of the type.
    private static func decimal(_ result: Decimal, _ type: StoredType) throws -> StoredValue {
        guard result.isFinite else { throw Overflow() }
        if case .decimal(scale: let scale?) = type,
            StoredDecimal.rounded(result, scale: scale) == nil
        {
            throw Overflow()
        }
        return .decimal(result)
    }
}
