/// Decimal numbers as text.
///
/// Canonical text has no superfluous zeros, no exponent and no plus sign: `12`, `-0.5`, `0`. Two
/// decimals are equal if and only if their canonical texts are.
package enum DecimalNotation {
    /// The most significant digits of a decimal that stores can hold.
    private static let mostDigits = 39
    /// The largest magnitude of an exponent in a text.
    private static let mostExponent = 200
    /// The exponents of the last digit of a decimal that stores can hold.
    private static let exponents = -128...127

    /// Returns the canonical text of a number in decimal notation.
    ///
    /// - Parameters:
    ///   - text: an optional sign, digits with at most one decimal point, and an optional exponent.
    ///   - isStored: whether stores must have room for the number.
    /// - Returns: The canonical text; nil for any other text, and for a stored number with too many
    ///   digits.
    package static func canonical(_ text: String, isStored: Bool = true) -> String? {
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let whole = digits(&rest)
        var fraction: [UInt8] = []
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = digits(&rest)
        }
        guard !(whole.isEmpty && fraction.isEmpty), let exponent = exponent(rest) else {
            return nil
        }
        let (number, place) = point(whole + fraction, at: whole.count + exponent)
        let fits =
            number.count <= mostDigits
            && (number.isEmpty || exponents.contains(place - number.count))
        guard fits || !isStored else { return nil }
        let result = written(number, place)
        return isNegative && result != "0" ? "-" + result : result
    }

    /// Whether a number in canonical text is less than another.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        switch (left.first == "-", right.first == "-") {
        case (true, false): true
        case (false, true): false
        case (false, false): magnitude(left, precedes: right)
        case (true, true):
            magnitude(String(right.dropFirst()), precedes: String(left.dropFirst()))
        }
    }

    /// Whether a canonical number without a sign is less than another.
    private static func magnitude(_ left: String, precedes right: String) -> Bool {
        let (one, two) = (left.split(separator: "."), right.split(separator: "."))
        let (whole, other) = (String(one[0]), String(two[0]))
        if whole.utf8.count != other.utf8.count { return whole.utf8.count < other.utf8.count }
        if whole != other { return UTF8Order.precedes(whole, other) }
        return UTF8Order.precedes(
            one.count > 1 ? String(one[1]) : "", two.count > 1 ? String(two[1]) : "")
    }

    /// Removes the zeros at both ends of the digits.
    ///
    /// - Parameters:
    ///   - digits: all digits.
    ///   - place: the number of digits before the decimal point. It may lie outside the digits.
    /// - Returns: The remaining digits and the number of digits before the point; no digits for 0.
    private static func point(_ digits: [UInt8], at place: Int) -> (digits: [UInt8], place: Int) {
        let zero = UInt8(ascii: "0")
        let leading = digits.prefix { $0 == zero }.count
        var rest = Array(digits.dropFirst(leading))
        while rest.last == zero { rest.removeLast() }
        return (rest, place - leading)
    }

    /// Returns the number without an exponent.
    private static func written(_ digits: [UInt8], _ place: Int) -> String {
        guard !digits.isEmpty else { return "0" }
        let zeros = { (count: Int) in String(repeating: "0", count: count) }
        let text = String(decoding: digits, as: UTF8.self)
        if place <= 0 { return "0." + zeros(-place) + text }
        if place >= digits.count { return text + zeros(place - digits.count) }
        let whole = String(decoding: digits[..<place], as: UTF8.self)
        return whole + "." + String(decoding: digits[place...], as: UTF8.self)
    }

    /// Removes and returns the digits at the start of a text.
    private static func digits(_ text: inout Substring.UTF8View) -> [UInt8] {
        let found = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        text = text[found.endIndex...]
        return Array(found)
    }

    /// Returns the value of an exponent such as `e-3`; 0 for an empty text, and nil for any other
    /// text or an exponent that is too large.
    private static func exponent(_ text: Substring.UTF8View) -> Int? {
        guard let mark = text.first else { return 0 }
        guard mark | 0x20 == UInt8(ascii: "e") else { return nil }
        let number = String(Substring(text.dropFirst()))
        return Int(number).flatMap { (-mostExponent...mostExponent).contains($0) ? $0 : nil }
    }
}
