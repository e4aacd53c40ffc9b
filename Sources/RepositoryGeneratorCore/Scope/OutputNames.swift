internal import RepositorySchema

/// How generated code names the types of Swift and the runtime: unqualified, or qualified with the
/// module if a type of the set hides the name.
///
/// A set that declares an entity `Query` hides the runtime's `Query`. In the output of this set,
/// the runtime's type is written as `RepositoryRuntime.Query`.
struct OutputNames: Sendable, Equatable {
    /// The modules that the output imports. A type with one of these names would hide the module,
    /// and qualified names would no longer resolve.
    static let modules: Set<String> = ["Swift", "Foundation", "RepositoryRuntime"]

    /// The types that the compiler looks up by name in the user's module when it reads a literal.
    /// If a type has one of these names, no literal in the module compiles.
    static let literals: Set<String> = [
        "BooleanLiteralType", "FloatLiteralType", "IntegerLiteralType", "StringLiteralType",
    ]

    /// The types that the output names, by declaring module.
    private static let declared: [String: [String]] = [
        "RepositoryRuntime": [
            "CompositeEntityID", "EmbeddedValue", "Entity", "EntityDefaults", "EntityDescription",
            "EntityID", "EntityMapper", "EntityRepository", "EntityTable", "FieldDecoder",
            "FieldDescription", "FieldEncoder", "FieldLayout", "FieldRules", "HashValueRecord",
            "Query", "QueryField", "QueryFields", "QueryReference", "QueryRelation",
            "ReadableRepository", "RecordMapper", "RepositoryContext",
            "RepositorySet", "SearchableRepository",
            "SensitiveRecord", "SoftDeletingRepository", "StoreSchema", "StoredDate", "StoredEnum",
            "StoredValue",
            "TableReference", "TextPattern", "UnionCases", "WriteContext",
        ],
        "Swift": [
            "Bool", "CaseIterable", "CustomDebugStringConvertible", "CustomReflectable",
            "CustomStringConvertible", "Double", "Float", "Hasher", "Int", "Int16", "Int32",
            "Int64", "Int8", "IteratorProtocol", "Mirror", "String", "UInt16", "UInt32", "UInt8",
        ],
    ]

    /// The declaring module of each of these types.
    static let moduleOfType = Dictionary(
        uniqueKeysWithValues: declared.flatMap { module, names in names.map { ($0, module) } })

    /// Names that have another meaning inside generated types: nested types, and the members of the
    /// protocols that they conform to. A type of the set with one of these names gets an alias for
    /// use in that scope.
    static let nested: Set<String> = [
        "AllCases", "Comparand", "Element", "Fields", "ID", "Mapper", "Model", "QueryRoot",
        "RawValue", "Record", "StoredForm",
    ]

    /// The types of Swift and the runtime that types of the set hide. Empty for most sets.
    let hidden: Set<String>

    /// Determines the hidden names of a set. Generated mapper and repository types hide names as
    /// well.
    init(_ set: SchemaSet, _ declarations: [String: Declaration]) {
        /// Whether the output declares a type of this name: every declaration except mixins, and
        /// the set itself.
        func isDeclared(_ name: String) -> Bool {
            switch declarations[name] {
            case nil, .mixin: name == set.settings.name
            default: true
            }
        }
        hidden = Set(
            Self.moduleOfType.keys.filter { name in
                // An `Entity` also generates the types `EntityMapper` and `EntityRepository`.
                isDeclared(name)
                    || ["Mapper", "Repository"].contains { suffix in
                        name.hasSuffix(suffix) && isDeclared(String(name.dropLast(suffix.count)))
                    }
            })
    }

    /// The name of a Swift or runtime type in the output, qualified if necessary.
    func qualified(_ name: String) -> String {
        guard hidden.contains(name), let module = Self.moduleOfType[name] else { return name }
        return module + "." + name
    }

    /// The name of a type of the set that resolves to the same type everywhere in the output.
    static func own(_ name: String) -> String {
        nested.contains(name) ? alias(of: name) : name
    }

    /// The alias of a type whose name is also the name of a nested type.
    static func alias(of name: String) -> String { "Declared" + name }
}

extension OutputNames {
    /// Returns the text of a built-in template with the hidden types qualified with their modules.
    ///
    /// Templates contain no names of the set, so each word can be taken literally. Doc comments are
    /// left unchanged.
    func qualified(template text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.drop { $0 == " " }.hasPrefix("//") ? String(line) : qualified(line: line)
        }.joined(separator: "\n")
    }

    /// Qualifies each whole word of a line of code. Words next to a tag or after a dot are parts of
    /// longer names.
    private func qualified(line: Substring) -> String {
        var result = ""
        var word = ""
        // The character before the word. A tag or a dot makes the word part of another name.
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
