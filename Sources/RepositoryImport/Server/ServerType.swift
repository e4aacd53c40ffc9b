/// The type that a column of PostgreSQL gets. The declared type decides: all values have it.
extension TypeGuess {
    /// - Parameters:
    ///   - declared: the type as SQL writes it.
    ///   - name: the name of the type without arguments; that of the values of a domain.
    ///   - scale: the digits after the point of a `numeric`; `nil` if none are declared.
    ///   - isEnum: whether the type is an enum.
    ///   - collation: the collation, if strings of different bytes may be equal by it.
    init(declared: String, name: String, scale: Int?, isEnum: Bool, collation: String) {
        let words = "declared with \(SQLText.shown(declared))"
        if !collation.isEmpty {
            self.init(
                type: .anyText,
                evidence: "\(words) and the collation \(SQLText.shown(collation)), "
                    + "by which strings of different bytes are equal")
            return
        }
        guard let type = Self.type(name, scale, isEnum) else {
            self.init(
                type: .anyText,
                evidence: "\(words), which no type of the schema language describes")
            return
        }
        let note = ["json", "jsonb"].contains(name) ? ", so the text of JSON" : ""
        self.init(type: type, evidence: words + note)
    }

    private static func type(_ name: String, _ scale: Int?, _ isEnum: Bool) -> GuessedType? {
        if isEnum { return .string }
        switch name {
        case "bool": return .bool
        case "int2", "int4", "int8": return .int
        case "float4": return .float
        case "float8": return .double
        case "numeric":
            guard let scale else { return .decimal(scale: nil, form: nil) }
            return (0...18).contains(scale) ? .decimal(scale: scale, form: nil) : nil
        case "timestamptz": return .date(form: nil)
        case "timestamp": return .date(form: "timestamp")
        case "date": return .localDate
        case "uuid": return .uuid(form: nil)
        case "bytea": return .data
        case "text", "varchar", "bpchar", "citext", "json", "jsonb": return .string
        default: return nil
        }
    }
}
