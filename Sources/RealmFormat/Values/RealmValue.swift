/// A value of a Realm file.
package enum RealmValue: Sendable, Equatable {
    case null
    case int(Int64)
    case bool(Bool)
    case float(Float)
    case double(Double)
    case string(String)
    /// A string that is not UTF-8, which Realm does not check.
    case invalidString([UInt8])
    case binary([UInt8])
    case date(RealmDate)
    indirect case decimal(RealmDecimal)
    case objectID(RealmObjectID)
    case uuid(RealmUUID)
    case link(RealmLink)
    indirect case list([RealmValue])
    /// A set, in the order of the file.
    indirect case set([RealmValue])
    /// A dictionary, in the order of the file.
    indirect case dictionary([RealmEntry])
    /// A table inside a row, which formats up to 9 have.
    indirect case table(RealmSubtable)
}

/// A point in time. Both parts have the same sign.
package struct RealmDate: Sendable, Equatable {
    /// The seconds since 1970-01-01T00:00:00Z.
    package let seconds: Int64
    /// The rest, of less than a second.
    package let nanoseconds: Int32
}

/// The 12 bytes of an ObjectId.
package struct RealmObjectID: Sendable, Hashable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt32

    init(_ bytes: ArraySlice<UInt8>) {
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The 24 hexadecimal digits.
    package var description: String { high.hexadecimal + low.hexadecimal }
}

/// The 16 bytes of a UUID.
package struct RealmUUID: Sendable, Hashable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    init(_ bytes: ArraySlice<UInt8>) {
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The bytes, in the order of the text.
    package var bytes: [UInt8] {
        [high, low].flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
    }

    /// The text in lowercase, `8-4-4-4-12`.
    package var description: String {
        let (first, second) = (high.hexadecimal, low.hexadecimal)
        return [
            first.prefix(8), first.dropFirst(8).prefix(4), first.dropFirst(12), second.prefix(4),
            second.dropFirst(4),
        ].joined(separator: "-")
    }
}

/// A link to an object.
package struct RealmLink: Sendable, Hashable {
    /// The key of the table; `nil` if the file does not say it.
    package let table: UInt32?
    /// The key of the object; in formats up to 9 its row number.
    package let key: Int64

    package init(table: UInt32?, key: Int64) { (self.table, self.key) = (table, key) }
}

/// An entry of a dictionary.
package struct RealmEntry: Sendable, Equatable {
    package let key: RealmValue
    package let value: RealmValue
}

/// A table inside a row, which formats up to 9 have.
package struct RealmSubtable: Sendable, Equatable {
    package let properties: [RealmProperty]
    package let rows: [[RealmValue]]
}

/// A decimal number of up to 34 digits, with the exponent that was written.
package enum RealmDecimal: Sendable, Equatable, CustomStringConvertible {
    /// `±coefficient · 10^exponent`.
    case finite(isNegative: Bool, coefficient: UInt128, exponent: Int)
    case notANumber
    case infinity(isNegative: Bool)

    package var description: String {
        switch self {
        case .finite(let isNegative, let coefficient, let exponent):
            "\(isNegative ? "-" : "")\(coefficient)E\(exponent)"
        case .notANumber: "NaN"
        case .infinity(let isNegative): isNegative ? "-Infinity" : "Infinity"
        }
    }
}

extension FixedWidthInteger {
    /// All hexadecimal digits.
    fileprivate var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
