package import Foundation

/// A value of the standard classes that property lists and keyed archives contain.
package indirect enum PlainValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int128)
    case double(Double)
    case string(String)
    case data(Data)
    /// Seconds since 2001.
    case date(Double)
    case uuid(UUID)
    /// A URL, and the one that it is relative to.
    case url(String, base: PlainValue?)
    /// An `NSDecimalNumber`: `NaN`, or digits with a sign and a point.
    case decimal(String)
    case list([PlainValue])
    case set([PlainValue])
    case dictionary([PlainPair])

    /// The value of a key of a dictionary.
    package subscript(_ key: String) -> PlainValue? {
        guard case .dictionary(let pairs) = self else { return nil }
        return pairs.last { $0.key == .string(key) }?.value
    }

    /// The string, if it is one.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

/// A key of a dictionary with its value.
package struct PlainPair: Sendable, Equatable {
    package let key: PlainValue
    package let value: PlainValue
}

/// How many values a reader may still produce, and how deep it is. Objects may be shared, so that a
/// small file could represent an unlimited tree.
struct PlainBudget {
    private var left: Int
    private var depth = 0

    /// Creates the budget for a file.
    init(byteCount: Int) { left = max(1_000, 4 * byteCount) }

    /// Counts a value while its contents are read.
    mutating func enter() throws(CoreDataFileError) {
        left -= 1
        depth += 1
        guard left >= 0 else {
            throw CoreDataFileError(.damaged, "The property list has too many objects.")
        }
        guard depth <= 200 else { throw CoreDataFileError(.damaged, "too deep") }
    }

    mutating func leave() { depth -= 1 }
}
