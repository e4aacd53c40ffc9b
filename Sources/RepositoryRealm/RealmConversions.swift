internal import Foundation
internal import RealmFormat

extension RealmDate {
    /// The date, rounded to microseconds as stores do.
    var rounded: Date {
        let microseconds = (Double(nanoseconds) / 1000).rounded()
        // Since 2001, as `Date` counts: whole seconds first, so that nothing is lost.
        let (whole, hasOverflow) = seconds.subtractingReportingOverflow(978_307_200)
        let seconds = hasOverflow ? Double(self.seconds) - 978_307_200 : Double(whole)
        return Date(timeIntervalSinceReferenceDate: seconds + microseconds / 1_000_000)
    }
}

extension Decimal {
    /// The same number; nil if it does not fit.
    init?(_ decimal: RealmDecimal) {
        guard case .finite(let isNegative, let coefficient, let exponent) = decimal,
            let significand = Decimal(string: coefficient.description)
        else { return nil }
        guard coefficient != 0 else {
            self = 0
            return
        }
        // Zeros at the end are moved into an exponent that is too small, and out of one that is too
        // large.
        var (digits, power) = (significand, exponent)
        var rest = coefficient
        while power < -127, rest % 10 == 0 {
            rest /= 10
            power += 1
        }
        while power > 127, rest.description.count < 38 {
            rest *= 10
            power -= 1
        }
        guard -127...127 ~= power else { return nil }
        if rest != coefficient { digits = Decimal(string: rest.description) ?? digits }
        self.init(sign: isNegative ? .minus : .plus, exponent: power, significand: digits)
        guard isFinite else { return nil }
    }
}

/// Lists and dictionaries of values of any type, as JSON.
enum RealmJSON {
    static func text(_ value: RealmValue) -> String {
        switch value {
        case .null: return "null"
        case .bool(let flag): return "\(flag)"
        case .int(let number): return "\(number)"
        case .float(let number): return number.isFinite ? "\(number)" : quoted("\(number)")
        case .double(let number): return number.isFinite ? "\(number)" : quoted("\(number)")
        case .string(let text): return quoted(text)
        case .invalidString(let bytes), .binary(let bytes):
            return quoted(Data(bytes).base64EncodedString())
        case .date(let date):
            return quoted(date.rounded.formatted(.iso8601.time(includingFractionalSeconds: true)))
        case .decimal(let decimal): return quoted(decimal.description)
        case .objectID(let id): return quoted(id.description)
        case .uuid(let id): return quoted(id.description.uppercased())
        case .link(let link): return "[\(link.table ?? 0),\(link.key)]"
        case .list(let values), .set(let values):
            return "[\(values.map(text).joined(separator: ","))]"
        case .dictionary(let entries):
            let members = entries.map { entry in
                let key = if case .string(let key) = entry.key { key } else { text(entry.key) }
                return (key, text(entry.value))
            }
            // A dictionary has no order: the same one is the same text.
            let sorted = members.sorted { Array($0.0.utf8).lexicographicallyPrecedes($1.0.utf8) }
            return "{\(sorted.map { "\(quoted($0.0)):\($0.1)" }.joined(separator: ","))}"
        case .table(let table):
            return "[\(table.rows.map { text(.list($0)) }.joined(separator: ","))]"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            default:
                if scalar.value < 0x20 {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
