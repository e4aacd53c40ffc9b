internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// The expressions of queries that SQLite evaluates with exactly the same result as the runtime.
extension SQLiteDialect {
    /// Returns a term of ORDER BY. It needs no NULLS FIRST.
    func orderTerm(_ expression: String, isDescending: Bool, isOptional: Bool) -> String {
        // SQLite orders null before every other value, as the runtime does.
        isDescending ? "\(expression) DESC" : expression
    }

    /// Returns a condition that an index with the collation NOCASE serves.
    func equalsIgnoringASCIICase(_ column: String, among places: [String]) -> String? {
        "\(column) COLLATE NOCASE IN (\(places.joined(separator: ", ")))"
    }

    /// Returns a condition: whether a text contains another one, compared by bytes.
    func contains(_ expression: String, part: String) -> String {
        // Not LIKE, which ignores the case of ASCII letters.
        "instr(\(expression), \(part)) > 0"
    }

    /// Returns whether a list of values can be bound as one parameter, as a JSON array.
    func bindsLists(of form: SQLColumnForm) -> Bool {
        switch form {
        case .boolean, .integer, .scaledDecimal, .date, .dateSeconds, .text, .uuid,
            .uuidLowercase:
            true
        // SQLite may misread the last digit of a number in JSON, and JSON has no binary data.
        case .float, .double, .decimal, .data, .json, .encrypted: false
        case .dateText, .dateReal, .dateIn, .uuidBlob, .decimalText, .decimalReal, .numeric, .day,
            .anyText:
            false
        }
    }

    /// Returns a condition: whether a value is an element of a list that is bound as a JSON array.
    func isAmong(_ expression: String, list: String) -> String {
        "\(expression) IN (SELECT value FROM json_each(\(list)))"
    }

    /// Returns an expression for the value at a path of a JSON column.
    ///
    /// - Returns: `nil` if a key needs escapes, or if the JSON value does not compare like a bound
    ///   parameter of the type.
    func jsonValue(of column: String, at names: [String], as type: StoredType) -> String? {
        guard names.allSatisfy(\.isPlainJSONKey) else { return nil }
        let path = names.map { ".\"\($0)\"" }.joined()
        let value = "json_extract(\(column), \(textLiteral("$" + path)))"
        // In JSON other types have a representation that differs from that of a bound parameter.
        guard let kind = type.base?.kind, kind.isExactInJSON else { return nil }
        // JSON of another program may contain UUIDs in lower case, which the decoder accepts.
        return kind == .uuid ? "upper(\(value))" : value
    }

    /// Returns a condition: whether a JSON array has an element equal to a parameter, or a null
    /// element if `parameter` is `nil`.
    ///
    /// - Returns: `nil` if SQLite cannot compare elements of the type exactly.
    func hasElement(
        _ column: String, of type: StoredType, equalTo parameter: String?
    ) -> String? {
        let elements = "SELECT 1 FROM json_each(\(column)) WHERE"
        guard let parameter else { return "EXISTS (\(elements) json_each.type = 'null')" }
        guard let kind = type.base?.kind, kind.isExactInJSON else { return nil }
        let value = kind == .uuid ? "upper(json_each.value)" : "json_each.value"
        return "EXISTS (\(elements) \(value) = \(parameter))"
    }
}

extension String {
    /// Whether the key can be used in a path of SQLite's JSON functions and is written without
    /// escapes in JSON.
    fileprivate var isPlainJSONKey: Bool {
        !utf8.isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
