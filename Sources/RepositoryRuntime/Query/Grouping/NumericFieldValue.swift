public import Foundation

/// A numeric type whose values can be summed and averaged by a query.
public protocol NumericFieldValue: OrderedFieldValue {
    /// The type of a sum: `Int` for integers, `Double` for floating-point numbers, `Decimal` for
    /// decimals.
    associatedtype Total: Sendable
    /// The type of an average: `Decimal` for decimals, `Double` for all other types.
    associatedtype Mean: Sendable
    /// Returns the sum; nil if `Total` cannot represent it.
    static func total(_ sum: NumericSum) -> Total?
    /// Returns the average of at least one value; nil if `Mean` cannot represent it.
    static func mean(_ sum: NumericSum) -> Mean?
}

/// The sum of the values of one field.
///
/// Integers are summed exactly in 128 bits. Floating-point numbers are summed with the compensated
/// algorithm of Neumaier (1974), so that the result hardly depends on the order of the values.
///
/// A field uses only one of the three sums, because all of its values have the same kind.
public struct NumericSum: Sendable {
    /// The number of values added. Null values are not counted.
    public private(set) var count = 0
    /// The exact sum of the integers.
    private var integer: Int128 = 0
    /// The uncorrected sum of the floating-point numbers.
    private var double = 0.0
    /// The accumulated rounding error of ``double``.
    private var compensation = 0.0
    /// The sum of the decimals; not finite after an overflow.
    private var decimal: Decimal = 0

    init() {}

    /// Creates a sum that a store computed over `count` values.
    init(of value: StoredValue, count: Int) {
        add(value)
        self.count = count
    }

    /// Adds a number. Null and other values are ignored.
    mutating func add(_ value: StoredValue) {
        switch value {
        case .integer(let value): integer += Int128(value)
        case .double(let value): add(value)
        case .decimal(let value): decimal += value
        default: return
        }
        count += 1
    }

    /// Performs one step of Neumaier's summation.
    private mutating func add(_ value: Double) {
        let sum = double + value
        compensation +=
            abs(double) >= abs(value) ? (double - sum) + value : (value - sum) + double
        double = sum
    }

    /// The sum of the integers; nil if it overflows 64 bits.
    var integerTotal: Int? { Int(exactly: integer) }
    /// The average of the integers. Requires ``count`` > 0.
    var integerMean: Double { Double(integer) / Double(count) }
    /// The sum of the floating-point numbers; nil if it is not finite.
    var doubleTotal: Double? {
        let total = double + compensation
        return total.isFinite ? total : nil
    }
    /// The sum of the decimals; nil if it is not finite.
    var decimalTotal: Decimal? { decimal.isFinite ? decimal : nil }
}

extension FixedWidthInteger where Self: NumericFieldValue {
    /// The exact sum; nil if it overflows 64 bits.
    public static func total(_ sum: NumericSum) -> Int? { sum.integerTotal }
    /// The exact sum, converted to `Double` and divided by the number of values.
    public static func mean(_ sum: NumericSum) -> Double? { sum.integerMean }
}

extension Int: NumericFieldValue {}
extension Int8: NumericFieldValue {}
extension Int16: NumericFieldValue {}
extension Int32: NumericFieldValue {}
extension Int64: NumericFieldValue {}
extension UInt8: NumericFieldValue {}
extension UInt16: NumericFieldValue {}
extension UInt32: NumericFieldValue {}

extension BinaryFloatingPoint where Self: NumericFieldValue {
    /// The sum in double precision.
    public static func total(_ sum: NumericSum) -> Double? { sum.doubleTotal }
    /// The average in double precision.
    public static func mean(_ sum: NumericSum) -> Double? {
        sum.doubleTotal.map { $0 / Double(sum.count) }
    }
}

extension Float: NumericFieldValue {}
extension Double: NumericFieldValue {}

extension Decimal: NumericFieldValue {
    /// The sum, with 38 significant digits.
    public static func total(_ sum: NumericSum) -> Decimal? { sum.decimalTotal }
    /// The average, with 38 significant digits.
    public static func mean(_ sum: NumericSum) -> Decimal? {
        sum.decimalTotal.map { $0 / Decimal(sum.count) }
    }
}

extension Optional: NumericFieldValue where Wrapped: NumericFieldValue {
    /// The sum of the values that are not null.
    public static func total(_ sum: NumericSum) -> Wrapped.Total? { Wrapped.total(sum) }
    /// The average of the values that are not null.
    public static func mean(_ sum: NumericSum) -> Wrapped.Mean? { Wrapped.mean(sum) }
}
