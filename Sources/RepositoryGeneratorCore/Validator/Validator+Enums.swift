internal import RepositorySchema

/// Rules for enums and scalars.
extension Validator {
    /// Checks the cases and raw values of an enum.
    ///
    /// The raw values must be unique, because stored values are decoded by raw value. Integers are
    /// compared as numbers, so that `1` and `01` are the same raw value.
    ///
    /// ```yaml
    /// enum: Level
    /// type: Int
    /// cases: [low: 1, high: 01]   # reported: both are stored as 1
    /// ```
    mutating func check(_ enumeration: EnumDeclaration) {
        let header = enumeration.header
        if enumeration.cases.isEmpty, header.isComplete {
            add(
                "the enum '\(header.name.value)' has no cases", at: header.name.range,
                help: "add one under 'cases'")
        }
        var names: [String: SourceRange] = [:]
        var rawValues: [String: SourceRange] = [:]
        for item in enumeration.cases {
            checkCaseName(item.name, names, raw: item.rawValue?.value ?? item.name.value)
            names[item.name.value] = names[item.name.value] ?? item.name.range
            guard let raw = rawValue(of: item, enumeration) else { continue }
            if let first = rawValues[raw.value], names[item.name.value] == item.name.range {
                add(
                    "two cases are stored as '\(raw.value)'", at: raw.range,
                    help: "give each case a raw value of its own",
                    notes: [Diagnostic.Note("the other one stands here", at: first)])
            }
            rawValues[raw.value] = rawValues[raw.value] ?? raw.range
        }
        if let unknown = enumeration.unknownCase { checkCaseName(unknown, names, raw: nil) }
        checkEarlierNames(enumeration.renamedFrom, of: header)
        checkSources(of: enumeration.cases)
        checkEarlierNames(ofCases: enumeration.cases)
        checkReplacedCases(of: enumeration)
    }

    /// Checks the name of a case.
    ///
    /// - Parameter raw: The raw value of the case, or nil for the case that holds unknown values.
    private mutating func checkCaseName(
        _ name: Located<String>, _ seen: [String: SourceRange], raw: String?
    ) {
        let rename = raw.map { "rename it; '\(name.value)_: \($0)' keeps the raw value" }
        if let first = seen[name.value] {
            add(
                "two cases are called '\(name.value)'", at: name.range, help: "rename one of them",
                notes: [Diagnostic.Note("the other one stands here", at: first)])
        } else if Naming.isUnusableMember(name.value) || name.value == "allCases" {
            add(
                "a case cannot be called '\(name.value)': it has a meaning of its own in Swift",
                at: name.range,
                help: rename ?? "rename it")
        } else if Self.casesOfOptional.contains(name.value) {
            add(
                "a case cannot be called '\(name.value)': '.\(name.value)' of an optional is a case "
                    + "of the optional",
                at: name.range,
                help: rename ?? "rename it")
        }
    }

    /// The cases of `Optional`. Swift resolves `.none` and `.some` of an optional enum to these.
    static let casesOfOptional: Set<String> = ["none", "some"]

    /// Returns the raw value of a case in canonical form, or nil after reporting that it is missing
    /// or invalid.
    private mutating func rawValue(
        of item: EnumCaseDeclaration, _ enumeration: EnumDeclaration
    ) -> Located<String>? {
        guard enumeration.rawType.value == .int else { return item.rawValue ?? item.name }
        guard let raw = item.rawValue else {
            add(
                "the case '\(item.name.value)' of an Int enum needs its raw value",
                at: item.name.range, help: "write '\(item.name.value): 1'")
            return nil
        }
        guard let value = Int64(raw.value), !raw.value.hasPrefix("+") else {
            add(
                "'\(raw.value.prefix(40))' is no raw value of an Int enum", at: raw.range,
                help: "write a whole number, or 'type: String'")
            return nil
        }
        return Located(String(value), at: raw.range)
    }

    /// Checks the module of a scalar.
    mutating func check(_ scalar: ScalarDeclaration) {
        guard let module = scalar.module, !Naming.isIdentifier(module.value) else { return }
        add(
            "'\(module.value.prefix(40))' cannot be the name of a module", at: module.range,
            help: "name the module that declares '\(scalar.header.name.value)'")
    }
}
