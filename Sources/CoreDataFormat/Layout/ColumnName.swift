/// The names of columns and tables, compared as stores need it.
enum ColumnName {
    /// A name without the difference of upper and lower case.
    static func folded(_ name: String) -> String { name.uppercased().lowercased() }

    /// Returns a name as it is in a list, or the only one that differs from it in case.
    static func find(_ wanted: String, in names: some Sequence<String>) -> String? {
        var similar: [String] = []
        let key = folded(wanted)
        for name in names {
            if name == wanted { return name }
            if folded(name) == key { similar.append(name) }
        }
        return similar.count == 1 ? similar[0] : nil
    }

    /// Returns the number and the rest of a name that begins with a prefix and digits; `nil` for
    /// another name.
    static func numbered(_ name: String, prefix: String) -> (number: Int, rest: String)? {
        guard name.hasPrefix(prefix) else { return nil }
        let rest = name.dropFirst(prefix.count)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let number = Int(digits) else { return nil }
        return (number, String(rest.dropFirst(digits.count)))
    }

    /// Whether a name is another one, or that with a number at its end.
    static func isNumbered(_ name: String, after stem: String) -> Bool {
        name.hasPrefix(stem)
            && name.dropFirst(stem.count).allSatisfy { $0.isASCII && $0.isNumber }
    }
}
