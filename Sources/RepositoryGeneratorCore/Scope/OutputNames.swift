internal import RepositorySchema

/// How the output names what Swift and the runtime declare: plainly, or with the module in front where a type of the set
/// hides the name.
struct OutputNames: Sendable, Equatable {
    /// The modules that the output imports; a type of such a name would hide them, and nothing could be named any more.
    static let modules: Set<String> = ["Swift", "Foundation", "RepositoryRuntime"]

    /// The types that the compiler looks up by these names in the user's module when it reads a literal. No literal of the
    /// module would compile beside a type that is called so.
    static let literals: Set<String> = [
        "BooleanLiteralType", "FloatLiteralType", "IntegerLiteralType", "StringLiteralType",
    ]

    /// The types that the output names, by the module that declares them.
    private static let declared: [String: [String]] = [
        "RepositoryRuntime": [
            "CompositeEntityID", "EmbeddedValue", "Entity", "EntityDefaults", "EntityDescription",
            "EntityID", "EntityMapper", "EntityRepository", "EntityTable", "FieldDecoder",
            "FieldDescription", "FieldEncoder", "FieldLayout", "FieldRules", "HashValueRecord",
            "Query", "QueryField", "QueryFields", "RecordMapper", "RepositoryContext",
            "RepositorySet",
            "SensitiveRecord", "StoreSchema", "StoredDate", "StoredEnum", "StoredValue",
            "TableReference", "TextPattern", "UnionCases", "WriteContext",
        ],
        "Swift": [
            "Bool", "CaseIterable", "CustomDebugStringConvertible", "CustomReflectable",
            "CustomStringConvertible", "Double", "Float", "Hasher", "Int", "Int16", "Int32",
            "Int64", "Int8", "IteratorProtocol", "Mirror", "String", "UInt16", "UInt32", "UInt8",
        ],
    ]

    /// The module of each of these types.
    static let moduleOfType = Dictionary(
        uniqueKeysWithValues: declared.flatMap { module, names in names.map { ($0, module) } })

    /// Names that mean something else inside the types of the output: types nested there, and what their protocols
    /// declare. A type of the set that is called so has another name for use in there.
    static let nested: Set<String> = [
        "AllCases", "Comparand", "Element", "Fields", "ID", "Mapper", "Model", "QueryRoot",
        "RawValue", "Record", "StoredForm",
    ]

    /// The types of Swift and the runtime that types of the set hide: none in most sets.
    let hidden: Set<String>

    /// Makes the names of a set.
    init(_ set: SchemaSet, _ declarations: [String: Declaration]) {
        func isDeclared(_ name: String) -> Bool {
            switch declarations[name] {
            case nil, .mixin: name == set.settings.name
            default: true
            }
        }
        hidden = Set(
            Self.moduleOfType.keys.filter { name in
                // `EntityMapper` and `EntityRepository` are also what is generated for an `Entity`.
                isDeclared(name)
                    || ["Mapper", "Repository"].contains { suffix in
                        name.hasSuffix(suffix) && isDeclared(String(name.dropLast(suffix.count)))
                    }
            })
    }

    /// A type of Swift or the runtime.
    func qualified(_ name: String) -> String {
        guard hidden.contains(name), let module = Self.moduleOfType[name] else { return name }
        return module + "." + name
    }

    /// A type of the set, by a name that means the same everywhere in the output.
    static func own(_ name: String) -> String {
        nested.contains(name) ? alias(of: name) : name
    }

    /// The other name of a type that is called like a nested one.
    static func alias(of name: String) -> String { "Declared" + name }
}

extension OutputNames {
    /// A built-in template in which the hidden types are named with their modules.
    ///
    /// Templates hold no names of the set, so that each word is what it says; doc comments stay as they are.
    func qualified(template text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.drop { $0 == " " }.hasPrefix("//") ? String(line) : qualified(line: line)
        }.joined(separator: "\n")
    }

    private func qualified(line: Substring) -> String {
        var result = ""
        var word = ""
        // What stands before the word: a tag or a dot makes it a part of another name.
        var previous: Character = " "
        for character in line + "\n" {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                continue
            }
            let isWhole = previous != "}" && previous != "." && previous != "{" && character != "{"
            result += isWhole ? qualified(word) : word
            word = ""
            result.append(character)
            previous = character
        }
        return String(result.dropLast())
    }
}
