public import Foundation

/// A number that can be added up.
public protocol NumericFieldValue: OrderedFieldValue {
    /// What a sum is: `Int` of integers, `Double` of floating-point numbers, `Decimal` of decimals.
    associatedtype Total: Sendable
    /// What an average is: `Decimal` of decimals, `Double` of all others.
    associatedtype Mean: Sendable
    /// The sum; nil where its type cannot hold it.
    static func total(_ sum: NumericSum) -> Total?
    /// The average of what was added up, which was something; nil where its type cannot hold it.
    static func mean(_ sum: NumericSum) -> Mean?
}

/// A sum of the values of one field. Integers are added exactly, floating-point numbers with the error of each step
/// carried along (Neumaier, 1974), so that the order hardly matters.
public struct NumericSum: Sendable {
    /// How many values were added; null is none.
    public private(set) var count = 0
    private var integer: Int128 = 0
    private var double = 0.0
    private var compensation = 0.0
    private var decimal: Decimal = 0

    init() {}

    /// A sum that somebody else has computed, of so many values.
    init(of value: StoredValue, count: Int) {
        add(value)
        self.count = count
    }

    mutating func add(_ value: StoredValue) {
        switch value {
        case .integer(let value): integer += Int128(value)
        case .double(let value): add(value)
        case .decimal(let value): decimal += value
        default: return
        }
        count += 1
    }

    private mutating func add(_ value: Double) {
        let sum = double + value
        compensation +=
            abs(double) >= abs(value) ? (double - sum) + value : (value - sum) + double
        double = sum
    }

    /// The sum of integers; nil where 64 bits cannot hold it.
    var integerTotal: Int? { Int(exactly: integer) }
    /// The average of integers.
    var integerMean: Double { Double(integer) / Double(count) }
    /// The sum of floating-point numbers; nil where it is beyond all of them.
    var doubleTotal: Double? {
        let total = double + compensation
        return total.isFinite ? total : nil
    }
    /// The sum of decimals; nil where 38 digits cannot hold it.
    var decimalTotal: Decimal? { decimal.isFinite ? decimal : nil }
}

extension FixedWidthInteger where Self: NumericFieldValue {
    /// The exact sum, as far as 64 bits hold it.
    public static func total(_ sum: NumericSum) -> Int? { sum.integerTotal }
    /// The exact sum, divided and rounded once.
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
    /// The sum, to 38 digits.
    public static func total(_ sum: NumericSum) -> Decimal? { sum.decimalTotal }
    /// The average, to 38 digits.
    public static func mean(_ sum: NumericSum) -> Decimal? {
        sum.decimalTotal.map { $0 / Decimal(sum.count) }
    }
}

extension Optional: NumericFieldValue where Wrapped: NumericFieldValue {
    /// The sum of what is not null.
    public static func total(_ sum: NumericSum) -> Wrapped.Total? { Wrapped.total(sum) }
    /// The average of what is not null.
    public static func mean(_ sum: NumericSum) -> Wrapped.Mean? { Wrapped.mean(sum) }
}
