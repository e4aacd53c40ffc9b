internal import RepositorySchema

/// The declarations of a version, by the names that a later schema can refer to.
struct EarlierDeclarations {
    private var byName: [UTF8Name: NormalizedDeclaration] = [:]
    /// The entities by the YAML of their tables.
    private var byTable: [UTF8Name: NormalizedDeclaration] = [:]

    init(_ schema: NormalizedSchema) {
        for declaration in schema.declarations {
            byName[UTF8Name(declaration.name)] = declaration
            if let table = declaration["table"] { byTable[UTF8Name(table)] = declaration }
        }
    }

    /// Returns the declaration with a name.
    func declaration(named name: String) -> NormalizedDeclaration? { byName[UTF8Name(name)] }

    /// Returns the entity that has a table, given as YAML.
    func entity(inTable table: String) -> NormalizedDeclaration? { byTable[UTF8Name(table)] }

    /// Returns the entity that an entry of `renamedFrom` means: by its name or by its table.
    func entity(renamedFrom name: String) -> NormalizedDeclaration? {
        byName[UTF8Name(name)] ?? byTable[UTF8Name(YAMLText.name(name))]
            ?? byTable[UTF8Name(YAMLText.name(Naming.tableName(for: name)))]
    }
}

/// The fields and cases of a declaration in a version.
struct EarlierParts {
    /// The fields by their names and by the YAML of their columns, each with the case of a union
    /// that has the field.
    private var fields: [[UTF8Name]: NormalizedPart] = [:]
    /// The names together with their columns.
    private var stored: Set<[UTF8Name]> = []
    private var cases: Set<UTF8Name> = []
    /// The id, if it is no composite.
    private(set) var id: NormalizedPart?

    /// Creates the parts of a declaration; nil has none.
    init(_ declaration: NormalizedDeclaration?) {
        for part in declaration?.parts ?? [] {
            switch part.section {
            case .enumCases, .unionCases: cases.insert(UTF8Name(part.name))
            case .indexes, .checks: continue
            case .id, .fields, .caseFields:
                if part.section == .id { id = part }
                let owner = UTF8Name(part.owner ?? "")
                fields[[owner, UTF8Name(part.name)]] = part
                if let column = part["column"] {
                    let key = [owner, UTF8Name(column)]
                    fields[key] = fields[key] ?? part
                }
                stored.insert([owner, UTF8Name(part.name), UTF8Name(part["column"] ?? "")])
            }
        }
    }

    /// Returns whether the version has a case.
    func hasCase(_ name: String) -> Bool { cases.contains(UTF8Name(name)) }

    /// Returns the field with a name, or the id.
    func field(_ name: String, in owner: String?) -> NormalizedPart? {
        let part = fields[[UTF8Name(owner ?? ""), UTF8Name(name)]]
        return part.flatMap { UTF8Name($0.name) == UTF8Name(name) ? $0 : nil }
    }

    /// Returns whether the version has what an entry of `removed` or `reuse` names: a field, a case,
    /// or `case.field`.
    func has(_ name: String) -> Bool {
        if hasCase(name) || field(name, in: nil) != nil { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 && field(parts[1], in: parts[0]) != nil
    }

    /// Returns the earlier names of a field that the version has, if it does not have the field
    /// itself.
    func usedNames(of part: NormalizedPart) -> [String] {
        guard !part.earlierNames.isEmpty else { return [] }
        let owner = UTF8Name(part.owner ?? "")
        guard !stored.contains([owner, UTF8Name(part.name), UTF8Name(part["column"] ?? "")]) else {
            return []
        }
        return part.earlierNames.filter { earlier in
            [earlier, YAMLText.name(earlier), YAMLText.name(Naming.snakeCase(earlier))]
                .contains { fields[[owner, UTF8Name($0)]] != nil }
        }
    }

    /// Returns the field or id that a field was: under its own name, or under one of its earlier
    /// names.
    func earlier(_ part: NormalizedPart, names: [String]) -> NormalizedPart? {
        if part.section == .id { return id }
        let owner = UTF8Name(part.owner ?? "")
        let renamed = names.lazy.flatMap { name in
            [name, YAMLText.name(name), YAMLText.name(Naming.snakeCase(name))]
        }.compactMap { fields[[owner, UTF8Name($0)]] }.first
        return renamed ?? field(part.name, in: part.owner)
    }
}
