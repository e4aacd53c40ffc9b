#if PostgreSQL
    internal import Foundation
    internal import RepositoryRuntime

    /// The binary format of `numeric`: digits to the base of 10,000 with the weight of the first.
    enum PostgreSQLNumeric {
        private static let negative: UInt16 = 0x4000
        private static let positive: UInt16 = 0

        /// Appends a finite decimal.
        static func write(_ value: Decimal, to bytes: inout [UInt8]) {
            var text = Substring(value.description)
            let isNegative = text.first == "-"
            if isNegative { text = text.dropFirst() }
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            var whole = Array(parts[0].utf8).map { $0 - 48 }
            var fraction = parts.count > 1 ? Array(parts[1].utf8).map { $0 - 48 } : []
            let scale = fraction.count
            // Groups of four digits begin at the decimal point.
            whole.insert(contentsOf: repeatElement(0, count: (4 - whole.count % 4) % 4), at: 0)
            fraction += repeatElement(0, count: (4 - fraction.count % 4) % 4)
            let digits = whole + fraction
            var groups = stride(from: 0, to: digits.count, by: 4).map { start in
                digits[start..<start + 4].reduce(UInt16(0)) { $0 * 10 + UInt16($1) }
            }
            var weight = whole.count / 4 - 1
            while groups.first == 0 {
                groups.removeFirst()
                weight -= 1
            }
            while groups.last == 0 { groups.removeLast() }
            if groups.isEmpty { weight = 0 }
            bytes.append(UInt16(groups.count))
            bytes.append(UInt16(bitPattern: Int16(weight)))
            bytes.append(isNegative && !groups.isEmpty ? negative : positive)
            bytes.append(UInt16(scale))
            for group in groups { bytes.append(group) }
        }

        /// Reads a decimal; `nil` for NaN, infinity, and numbers with more digits than a `Decimal`
        /// holds exactly.
        static func read(_ bytes: UnsafeRawBufferPointer) -> Decimal? {
            func number(_ place: Int) -> UInt16 {
                UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: place * 2, as: UInt16.self))
            }
            guard bytes.count >= 8, number(2) == positive || number(2) == negative,
                bytes.count == 8 + 2 * Int(number(0))
            else { return nil }
            let count = Int(number(0))
            if count == 0 { return 0 }
            var digits: [UInt8] = []
            for place in 0..<count {
                let group = number(4 + place)
                guard group < 10_000 else { return nil }
                for divisor: UInt16 in [1000, 100, 10, 1] {
                    digits.append(UInt8(group / divisor % 10))
                }
            }
            var exponent = (Int(Int16(bitPattern: number(1))) - count + 1) * 4
            while digits.last == 0 {
                digits.removeLast()
                exponent += 1
            }
            let significant = digits.drop { $0 == 0 }
            // A `Decimal` is an integer of 128 bits, times ten to the power of -128 to 127.
            let zeros = max(0, exponent - 127)
            guard significant.count + zeros <= 39, exponent >= -128 else { return nil }
            let text =
                String(decoding: significant.map { $0 + 48 }, as: UTF8.self)
                + String(repeating: "0", count: zeros)
            let sign = number(2) == negative ? "-" : ""
            guard
                let value = StoredDecimal.value(ofText: "\(sign)\(text)e\(exponent - zeros)")
            else { return nil }
            // Not all integers of 39 digits have 128 bits; others were rounded.
            if significant.count + zeros > 38 {
                let digits = value.description.utf8.drop { $0 == UInt8(ascii: "-") }
                    .filter { $0 != UInt8(ascii: ".") }
                guard digits.drop(while: { $0 == 48 }).starts(with: text.utf8) else { return nil }
            }
            return value
        }
    }

    extension [UInt8] {
        /// Appends an integer, the most significant byte first.
        @inline(__always)
        mutating func append(_ value: some FixedWidthInteger) {
            Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
        }
    }
#endif
