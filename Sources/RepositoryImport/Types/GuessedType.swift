/// A type of the schema language, with the representation of its values in the database.
enum GuessedType: Hashable {
    case bool, int, float, double, string, data, localDate
    /// Values of several types, or of unknown ones, which are read as text.
    case anyText
    case decimal(scale: Int?, form: String?)
    /// A date, with the word of `storedAs`; `nil` for microseconds since 1970.
    case date(form: String?)
    /// A UUID, with the word of `storedAs`; `nil` for upper-case text.
    case uuid(form: String?)

    /// The name of the type.
    var name: String {
        switch self {
        case .bool: "Bool"
        case .int: "Int"
        case .float: "Float"
        case .double: "Double"
        case .string, .anyText: "String"
        case .data: "Data"
        case .localDate: "LocalDate"
        case .decimal: "Decimal"
        case .date: "Date"
        case .uuid: "UUID"
        }
    }

    /// The word of `storedAs`; `nil` for the usual representation.
    var form: String? {
        switch self {
        case .decimal(_, let form), .date(let form), .uuid(let form): form
        default: nil
        }
    }

    /// The value of `scale`.
    var scale: Int? {
        guard case .decimal(let scale, _) = self else { return nil }
        return scale
    }

    /// Whether values can be ids.
    var isIdentifier: Bool {
        switch self {
        case .string, .int, .uuid, .localDate: true
        default: false
        }
    }

    /// Returns the type and its representation, for reports.
    ///
    /// - Parameter mark: what stands behind the name of the type.
    func inWords(_ mark: String) -> String {
        var parts: [String] = []
        if let scale { parts.append("scale \(scale)") }
        if let form { parts.append("storedAs \(form)") }
        if self == .anyText { parts.append("readAs text") }
        return ([name + mark] + parts).joined(separator: ", ")
    }
}

/// The type that a column gets, and what it rests on.
struct TypeGuess {
    /// `nil` if no type of the schema language describes the values.
    let type: GuessedType?
    /// What the type rests on, or why there is none.
    let evidence: String
}
