internal import Foundation

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
        guard !result.overflow, bounds(of: type).contains(result.partialValue) else {
            throw Overflow()
        }
        return .integer(result.partialValue)
    }

    /// The range of an integer type.
    private static func bounds(of type: StoredType) -> ClosedRange<Int64> {
        switch type {
        case .int8: Int64(Int8.min)...Int64(Int8.max)
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .uint8: 0...Int64(UInt8.max)
        case .uint16: 0...Int64(UInt16.max)
        case .uint32: 0...Int64(UInt32.max)
        default: .min ... .max
        }
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
