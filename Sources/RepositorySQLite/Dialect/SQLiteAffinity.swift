internal import RepositoryRuntime
internal import RepositorySQLCore

/// The type affinity of a column: the conversion that SQLite applies to stored values.
///
/// It matters for tables that other programs created. The tables of a schema that the store creates
/// are STRICT.
enum SQLiteAffinity {
    case text, numeric, integer, real, none

    /// Returns the affinity of a declared type.
    ///
    /// It applies the rules of "Datatypes In SQLite", section 3.1, in their order. The type `ANY`
    /// has no affinity either, as in a STRICT table.
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

    /// Returns whether a column of this affinity returns values in a representation as they were
    /// stored.
    func keeps(_ form: SQLColumnForm) -> Bool {
        switch form {
        case .boolean, .integer, .scaledDecimal, .date, .dateSeconds, .dateIn(.milliseconds),
            .dateIn(.microseconds):
            // As a floating-point number, a large integer loses precision.
            self == .integer || self == .numeric || self == .none
        case .float, .double, .dateReal, .decimalReal, .dateIn(.secondsSince2001),
            .dateIn(.julianDay):
            self != .text
        case .text, .decimal, .decimalText: self == .text || self == .none
        // These texts do not look like numbers, so that no affinity converts them.
        case .dateText, .dateIn, .uuid, .uuidLowercase, .json: true
        case .numeric, .day: false
        case .data, .uuidBlob, .anyText, .encrypted: true
        }
    }
}

extension SQLColumnForm {
    /// A description of the values of this representation, for error messages.
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
        case .dateIn(let form): "dates in the form '\(form.rawValue)'"
        case .text: "text"
        case .uuid: "UUIDs as text"
        case .uuidLowercase: "UUIDs as text in lower case"
        case .uuidBlob: "UUIDs as bytes"
        case .data: "bytes"
        case .json: "JSON"
        case .anyText: "values of any type"
        case .numeric: "decimals"
        case .day: "days"
        case .encrypted: "encrypted values"
        }
    }
}
