internal import ConditionLanguage
internal import RepositorySchema

/// Rules for the types of fields.
extension Validator {
    /// Checks that a field's type exists.
    ///
    /// No error is reported if the name may be declared in a file that could not be read, or if its
    /// declaration was rejected.
    ///
    /// ```yaml
    /// author: Athor        # reported: suggests 'Author'
    /// price: Money         # reported: suggests 'Decimal'
    /// length: Duration     # reported: suggests a number of seconds
    /// ```
    ///
    /// - Returns: Whether the type exists. If not, further checks of the field are skipped.
    mutating func checkType(of field: FieldDeclaration) -> Bool {
        let type = field.type
        guard case .unknown = scope.kind(of: type.value) else { return true }
        guard let name = type.value.innermostName, !scope.refusedNames.contains(name),
            scope.set.isComplete
        else { return false }
        if case .mixin = scope.declarations[name] {
            add(
                "'\(name)' is a mixin, not a type", at: type.range,
                help: "include it: 'include: [\(name)]', or declare it as a 'value'")
            return false
        }
        add("there is no type '\(name)'", at: type.range, help: help(forType: name))
        return false
    }

    /// The maximum number of unknown names for which the nearest declared name is searched. The
    /// search compares a name with all others, so its total cost would otherwise be quadratic.
    ///
    /// Names beyond this number get a general suggestion.
    private static let mostComparedNames = 200

    /// The suggestion for an unknown type, cached by name.
    private mutating func help(forType name: String) -> String {
        if let help = helpForTypes[name] { return help }
        let help = makeHelp(forType: name)
        helpForTypes[name] = help
        return help
    }

    /// Selects the suggestion: a duration, a type of another language, the nearest name, or a
    /// general hint.
    private func makeHelp(forType name: String) -> String {
        if let help = Self.durations[name] { return help }
        if let base = Self.synonyms[name.lowercased()] { return "did you mean '\(base)'?" }
        let candidates =
            BaseType.written.map(\.rawValue)
            + scope.set.declarations.map(\.header.name.value)
        if helpForTypes.count < Self.mostComparedNames,
            let nearest = NearestName.of(name, among: candidates)
        {
            return "did you mean '\(nearest)'?"
        }
        return "declare it in this schema folder; types of other modules need a 'scalar', "
            + "and all entities of a module belong to one set"
    }

    /// Types for lengths of time, which no store supports directly.
    private static let durations = Dictionary(
        uniqueKeysWithValues: ["Duration", "TimeInterval", "DateInterval", "Interval"].map {
            ($0, "store a length of time as a number, such as seconds in an 'Int' or a 'Double'")
        })

    /// Names of the base types in other languages, in lower case.
    private static let synonyms: [String: String] = [
        "text": "String", "varchar": "String", "char": "String", "character": "String",
        "str": "String", "integer": "Int", "bigint": "Int64", "long": "Int64", "short": "Int16",
        "byte": "UInt8", "smallint": "Int16", "number": "Double", "real": "Double",
        "cgfloat": "Double", "float64": "Double", "float32": "Float", "boolean": "Bool",
        "money": "Decimal", "numeric": "Decimal", "datetime": "Date", "timestamp": "Date",
        "instant": "Date", "time": "Date", "guid": "UUID", "uri": "URL", "blob": "Data",
        "bytes": "Data", "binary": "Data",
    ]
}
