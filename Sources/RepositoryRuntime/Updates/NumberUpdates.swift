public import Foundation

// Not one generic type: the compiler tries operators of generic types only where no other fits, and `$0.stock -= 1` would
// be taken for arithmetic on `Int`.

/// An integer of any width that an update counts up or down. What its type cannot hold is `numberOverflow`.
public struct IntegerUpdate: Sendable {
    let path: FieldPath
    private(set) var steps: [FieldStep] = []

    init(_ path: FieldPath) { self.path = path }

    /// Adds to the number; null stays null.
    public static func += (number: inout Self, amount: Int) {
        number.steps.append(FieldStep(number.path, .add(.integer(Int64(amount)))))
    }

    /// Takes away from the number; null stays null.
    public static func -= (number: inout Self, amount: Int) {
        number.steps.append(FieldStep(number.path, .subtract(.integer(Int64(amount)))))
    }
}

/// A floating-point number that an update adds to. What its type cannot hold is `numberOverflow`.
public struct DoubleUpdate: Sendable {
    let path: FieldPath
    private(set) var steps: [FieldStep] = []

    init(_ path: FieldPath) { self.path = path }

    /// Adds to the number; null stays null.
    public static func += (number: inout Self, amount: Double) {
        number.steps.append(FieldStep(number.path, .add(.double(amount))))
    }

    /// Takes away from the number; null stays null.
    public static func -= (number: inout Self, amount: Double) {
        number.steps.append(FieldStep(number.path, .subtract(.double(amount))))
    }
}

/// A decimal that an update adds to. What 38 digits, or its scale, cannot hold is `numberOverflow`.
public struct DecimalUpdate: Sendable {
    let path: FieldPath
    private(set) var steps: [FieldStep] = []

    init(_ path: FieldPath) { self.path = path }

    /// Adds to the number; null stays null.
    public static func += (number: inout Self, amount: Decimal) {
        number.steps.append(FieldStep(number.path, .add(.decimal(amount))))
    }

    /// Takes away from the number; null stays null.
    public static func -= (number: inout Self, amount: Decimal) {
        number.steps.append(FieldStep(number.path, .subtract(.decimal(amount))))
    }
}

/// A list that an update adds to.
public struct ListUpdate<Element: FieldValue>: Sendable {
    let path: FieldPath
    private(set) var steps: [FieldStep] = []

    init(_ path: FieldPath) { self.path = path }

    /// Puts an element behind the others.
    public mutating func append(_ element: Element) {
        steps.append(FieldStep.encoding(element, at: path) { .append($0) })
    }
}
