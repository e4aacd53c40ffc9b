internal import RepositoryRuntime

/// What a column turns values into: SQLite derives it from the declared type.
enum SQLiteAffinity {
    case text, numeric, integer, real, none

    /// The affinity of a declared type, by the rules of SQLite's documentation, in their order.
    init(declaredType: String) {
        let type = declaredType.uppercased()
        if type.contains("INT") {
            self = .integer
        } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
            self = .text
        } else if type.isEmpty || type.contains("BLOB") || type == "ANY" {
            self = .none
        } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
            self = .real
        } else {
            self = .numeric
        }
    }

    /// Whether a column gives back what is stored as a form.
    func keeps(_ form: SQLColumnForm) -> Bool {
        switch form {
        case .boolean, .integer, .scaledDecimal, .date, .dateSeconds:
            // As a floating-point number a large integer loses digits.
            self == .integer || self == .numeric || self == .none
        case .float, .double, .dateReal, .decimalReal: self != .text
        case .text, .decimal, .decimalText: self == .text || self == .none
        // None of these looks like a number, so that no affinity changes it.
        case .dateText, .uuid, .uuidLowercase, .json: true
        case .data, .uuidBlob: true
        }
    }
}

extension SQLColumnForm {
    /// What a column of the form holds, in words.
    var inWords: String {
        switch self {
        case .boolean: "truth values"
        case .integer: "integers"
        case .float, .double: "floating-point numbers"
        case .scaledDecimal: "decimals as integers"
        case .decimal, .decimalText: "decimals as text"
        case .decimalReal: "decimals as floating-point numbers"
        case .date: "dates as integers of microseconds"
        case .dateSeconds: "dates as integers of seconds"
        case .dateReal: "dates as floating-point numbers"
        case .dateText: "dates as text"
        case .text: "text"
        case .uuid: "UUIDs as text"
        case .uuidLowercase: "UUIDs as text in lower case"
        case .uuidBlob: "UUIDs as bytes"
        case .data: "bytes"
        case .json: "JSON"
        }
    }
}
