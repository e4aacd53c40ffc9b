/// Numbers of things, in words.
enum Count {
    /// Returns a number with commas and its noun: `4,210 values`.
    static func text(_ count: Int, _ noun: String) -> String {
        "\(number(count)) \(count == 1 ? noun : plural(noun))"
    }

    private static func plural(_ noun: String) -> String {
        if noun.hasSuffix("ty") { return noun.dropLast() + "ies" }
        return noun + (noun.hasSuffix("s") ? "es" : "s")
    }

    /// Returns a number with a comma before each three digits.
    static func number(_ count: Int) -> String {
        var result = ""
        let digits = String(count)
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result += "," }
            result.append(digit)
        }
        return result
    }

    /// Joins parts: `a, b and c`.
    static func list(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }
}
