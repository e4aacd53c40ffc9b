internal import Foundation

extension XMLPropertyListReader: DocumentTreeReader {
    /// Whether the next element starts with `d`. Dates and data were ruled out by ``readScalar()``.
    func standsAtObject() -> Bool {
        position + 2 < count && start[position + 1] == UInt8(ascii: "d")
    }

    /// Reads a scalar of any type. The type is recognized by single letters of the element name,
    /// which the reading function checks completely.
    mutating func readScalar() throws -> DocumentNode? {
        guard next == UInt8(ascii: "<"), position + 3 < count else { throw malformed }
        if try readNull() { return .null }
        switch (start[position + 1], start[position + 3]) {
        case (UInt8(ascii: "s"), _): return .string(try readString())
        case (UInt8(ascii: "i"), _):
            let value = try readIntegerText()
            if let small = Int64(exactly: value) { return .integer(small) }
            guard let large = UInt64(exactly: value) else { throw malformed }
            return .unsigned(large)
        case (UInt8(ascii: "r"), _): return .double(try readDouble())
        case (UInt8(ascii: "t"), _), (UInt8(ascii: "f"), _): return .bool(try readBool())
        // The third letter distinguishes `date` and `data` from `dict`, and the fourth `date` from
        // `data`.
        case (UInt8(ascii: "d"), UInt8(ascii: "t")):
            let isDate = position + 4 < count && start[position + 4] == UInt8(ascii: "e")
            return isDate ? .date(try readDate()) : .data(try readData())
        default: return nil
        }
    }
}
