internal import RepositorySchema

extension NormalizedSchema {
    /// Returns the schema with only those `renamedFrom` that describe the change since a version.
    ///
    /// An earlier name counts if the version has it and does not have the present name yet. A
    /// `renamedFrom` of an older change may stay in the schema; it is not part of later versions.
    ///
    /// - Parameter old: The version before; nil keeps all names, for the first version.
    package func keepingDecisions(since old: NormalizedSchema?) -> NormalizedSchema {
        guard let old else { return self }
        let earlier = EarlierDeclarations(old)
        var result = self
        result.declarations = declarations.map { earlier.keepingUsedNames(of: $0) }
        return result
    }

    /// Returns the schema without any `renamedFrom`.
    package var withoutDecisions: NormalizedSchema {
        var result = self
        for index in result.declarations.indices {
            result.declarations[index].keep(names: [])
            for part in result.declarations[index].parts.indices {
                result.declarations[index].parts[part].keep(names: [])
            }
        }
        return result
    }
}

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

    /// Returns the entity that an entry of `renamedFrom` means: by its name or by its table.
    func entity(renamedFrom name: String) -> NormalizedDeclaration? {
        byName[UTF8Name(name)] ?? byTable[UTF8Name(YAMLText.name(name))]
            ?? byTable[UTF8Name(YAMLText.name(Naming.tableName(for: name)))]
    }

    /// Returns a declaration with the earlier names that this version has.
    func keepingUsedNames(of declaration: NormalizedDeclaration) -> NormalizedDeclaration {
        var result = declaration
        let isStored = declaration["table"].map { byTable[UTF8Name($0)] != nil } ?? true
        result.keep(
            names: isStored
                ? [] : declaration.earlierNames.filter { entity(renamedFrom: $0) != nil })
        let old =
            result.earlierNames.lazy.compactMap { entity(renamedFrom: $0) }.first
            ?? byName[UTF8Name(declaration.name)]
            ?? declaration["table"].flatMap { byTable[UTF8Name($0)] }
        let fields = EarlierFields(old)
        for index in result.parts.indices {
            let part = result.parts[index]
            result.parts[index].keep(names: fields.used(by: part))
        }
        return result
    }
}

/// The fields of a declaration in a version.
private struct EarlierFields {
    /// The names and the YAML of the columns, each with the case of a union that has the field.
    private var names: Set<[UTF8Name]> = []
    /// The names together with their columns.
    private var stored: Set<[UTF8Name]> = []

    init(_ declaration: NormalizedDeclaration?) {
        for part in declaration?.parts ?? [] {
            guard let name = part.fieldName else { continue }
            let owner = UTF8Name(part.owner ?? "")
            names.insert([owner, UTF8Name(name)])
            if let column = part["column"] { names.insert([owner, UTF8Name(column)]) }
            stored.insert([owner, UTF8Name(name), UTF8Name(part["column"] ?? "")])
        }
    }

    /// Returns the earlier names of a field that the version has, if it does not have the field
    /// itself.
    func used(by part: NormalizedPart) -> [String] {
        guard let name = part.fieldName, !part.earlierNames.isEmpty else { return [] }
        let owner = UTF8Name(part.owner ?? "")
        guard !stored.contains([owner, UTF8Name(name), UTF8Name(part["column"] ?? "")]) else {
            return []
        }
        return part.earlierNames.filter { earlier in
            [earlier, YAMLText.name(earlier), YAMLText.name(Naming.snakeCase(earlier))]
                .contains { names.contains([owner, UTF8Name($0)]) }
        }
    }
}

/// A name that is compared by its UTF-8 bytes. `String` also equates texts with other bytes, such
/// as a composed and a decomposed `é`.
struct UTF8Name: Hashable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }
}

extension NormalizedPart {
    /// The name of a field or an id; nil for other parts.
    fileprivate var fieldName: String? {
        switch section {
        case .id, .fields, .caseFields: name
        case .indexes, .checks, .enumCases, .unionCases: nil
        }
    }

    fileprivate mutating func keep(names: [String]) {
        guard names.count < earlierNames.count else { return }
        earlierNames = names
        keys.keepRenames(names)
    }
}

extension NormalizedDeclaration {
    fileprivate mutating func keep(names: [String]) {
        guard names.count < earlierNames.count else { return }
        earlierNames = names
        keys.keepRenames(names)
    }
}

extension [NormalizedKey] {
    /// Replaces the value of `renamedFrom`, or removes the key if there are no names.
    fileprivate mutating func keepRenames(_ names: [String]) {
        guard let index = firstIndex(where: \.isDecision) else { return }
        if names.isEmpty {
            remove(at: index)
        } else {
            self[index] = FieldNormalizer.renames(names)
        }
    }
}
