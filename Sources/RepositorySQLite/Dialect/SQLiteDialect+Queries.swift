internal import RepositoryRuntime

/// What SQLite decides of queries exactly as the runtime does.
extension SQLiteDialect {
    func orderTerm(_ expression: String, isDescending: Bool, isOptional: Bool) -> String {
        // Null is the smallest value to SQLite too.
        isDescending ? "\(expression) DESC" : expression
    }

    func contains(_ expression: String, part: String) -> String {
        // LIKE ignores the case of ASCII letters.
        "instr(\(expression), \(part)) > 0"
    }

    func bindsLists(of form: SQLColumnForm) -> Bool {
        switch form {
        case .boolean, .integer, .scaledDecimal, .date, .dateSeconds, .text, .uuid,
            .uuidLowercase:
            true
        // SQLite reads numbers of JSON with the error of a last digit, and JSON has no bytes.
        case .float, .double, .decimal, .data, .json: false
        case .dateText, .dateReal, .uuidBlob, .decimalText, .decimalReal: false
        }
    }

    func isAmong(_ expression: String, list: String) -> String {
        "\(expression) IN (SELECT value FROM json_each(\(list)))"
    }

    func jsonValue(of column: String, at names: [String], as type: StoredType) -> String? {
        guard names.allSatisfy(\.isPlainJSONKey) else { return nil }
        let path = names.map { ".\"\($0)\"" }.joined()
        let value = "json_extract(\(column), \(textLiteral("$" + path)))"
        switch type {
        case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .text, .url:
            return value
        // In JSON that somebody else has written either case is read.
        case .uuid: return "upper(\(value))"
        // In JSON these have a form of their own, which is not the one that is bound.
        case .float, .double, .decimal, .date, .data, .composite, .object, .list, .map:
            return nil
        }
    }

    func hasElement(
        _ column: String, of type: StoredType, equalTo parameter: String?
    ) -> String? {
        let elements = "SELECT 1 FROM json_each(\(column)) WHERE"
        guard let parameter else { return "EXISTS (\(elements) json_each.type = 'null')" }
        switch type {
        case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .text, .url:
            return "EXISTS (\(elements) json_each.value = \(parameter))"
        case .uuid:
            return "EXISTS (\(elements) upper(json_each.value) = \(parameter))"
        case .float, .double, .decimal, .date, .data, .composite, .object, .list, .map:
            return nil
        }
    }
}

extension String {
    /// Whether a path of SQLite's JSON functions can name the key, and JSON writes it without escapes.
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
