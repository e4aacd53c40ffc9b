public import Foundation

// These are not one generic type: the type checker tries operators of generic types last, and would
// read `$0.stock -= 1` as arithmetic on `Int`.

/// An integer field in an update. Adding to it throws `numberOverflow` if the result exceeds the
/// field's type.
public struct IntegerUpdate: Sendable {
    let path: FieldPath
    private(set) var steps: [FieldStep] = []

    init(_ path: FieldPath) { self.path = path }

    /// Adds to the number. Null stays null.
    public static func += (number: inout Self, amount: Int) {
        number.steps.append(FieldStep(number.path, .add(.integer(Int64(amount)))))
    }

    /// Subtracts from the number. Null stays null.
    public static func -= (number: inout Self, amount: Int) {
        number.steps.append(FieldStep(number.path, .subtract(.integer(Int64(amount)))))
    }
}

/// A floating-point field in an update. Adding to it throws `numberOverflow` if the result exceeds
/// the field's type.
public struct DoubleUpdate: Sendable {
    let path: FieldPath
    private(set) var steps: [FieldStep] = []

    init(_ path: FieldPath) { self.path = path }

    /// Adds to the number. Null stays null.
    public static func += (number: inout Self, amount: Double) {
        number.steps.append(FieldStep(number.path, .add(.double(amount))))
    }

    /// Subtracts from the number. Null stays null.
    public static func -= (number: inout Self, amount: Double) {
        number.steps.append(FieldStep(number.path, .subtract(.double(amount))))
    }
}

/// A decimal field in an update. Adding to it throws `numberOverflow` if the result exceeds 38
/// digits or the field's scale.
public struct DecimalUpdate: Sendable {
    let path: FieldPath
    private(set) var steps: [FieldStep] = []

    init(_ path: FieldPath) { self.path = path }

    /// Adds to the number. Null stays null.
    public static func += (number: inout Self, amount: Decimal) {
        number.steps.append(FieldStep(number.path, .add(.decimal(amount))))
    }

    /// Subtracts from the number. Null stays null.
    public static func -= (number: inout Self, amount: Decimal) {
        number.steps.append(FieldStep(number.path, .subtract(.decimal(amount))))
    }
}

/// A list field in an update.
public struct ListUpdate<Element: FieldValue>: Sendable {
    let path: FieldPath
    private(set) var steps: [FieldStep] = []

    init(_ path: FieldPath) { self.path = path }

    /// Appends an element to the list.
    public mutating func append(_ element: Element) {
        steps.append(FieldStep.encoding(element, at: path) { .append($0) })
    }
}
