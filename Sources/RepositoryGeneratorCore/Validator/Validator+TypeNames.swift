internal import RepositorySchema

extension Validator {
    /// Checks the names of the declared types, and of those that are generated beside them.
    mutating func checkTypeNames() {
        var seen: [String: SourceRange] = [:]
        let names = scope.set.declarations.map(\.header.name) + scope.set.refusedNames
        for name in names {
            if let first = seen[name.value] {
                add(
                    "two types are called '\(name.value)'", at: name.range,
                    help: "rename one of them",
                    notes: [Diagnostic.Note("the other one is declared here", at: first)])
            } else {
                seen[name.value] = name.range
                checkTypeName(name)
            }
        }
        if let range = scope.set.settings.nameRange {
            checkTypeName(Located(scope.set.settings.name, at: range), isSet: true)
        }
        checkGeneratedNames(declared: seen)
    }

    /// Checks that what is generated beside a type meets no other type.
    private mutating func checkGeneratedNames(declared: [String: SourceRange]) {
        var seen: [String: Located<String>] = [:]
        for declaration in scope.set.declarations {
            let name = declaration.header.name
            for generated in generatedNames(of: declaration) {
                if let other = declared[generated] {
                    add(
                        "'\(generated)' is generated for '\(name.value)' and declared as well",
                        at: other, help: "rename one of them",
                        notes: [
                            Diagnostic.Note("'\(name.value)' is declared here", at: name.range)
                        ])
                } else if let other = seen[generated], other.value != name.value {
                    add(
                        "'\(generated)' is generated for '\(name.value)' and for '\(other.value)'",
                        at: name.range, help: "rename one of them",
                        notes: [
                            Diagnostic.Note("'\(other.value)' is declared here", at: other.range)
                        ])
                } else if generated == scope.set.settings.name {
                    add(
                        "'\(generated)' is generated for '\(name.value)', and is the type that "
                            + "holds the repositories",
                        at: name.range, help: "rename one of them: 'name' in 'repositories.yaml'")
                } else {
                    seen[generated] = name
                }
            }
        }
    }

    private mutating func checkTypeName(_ name: Located<String>, isSet: Bool = false) {
        guard let reason = reasonAgainst(name.value, isSet: isSet) else { return }
        add(
            "no type can be called '\(name.value)': that \(reason)", at: name.range,
            help: "rename it")
    }

    private func reasonAgainst(_ text: String, isSet: Bool) -> String? {
        if BaseType(rawValue: text) != nil || ["UInt", "UInt64"].contains(text) {
            return "is a base type"
        }
        if Naming.isSwiftKeyword(text) || ["ID", "Mapper", "Model"].contains(text) {
            return "has a meaning of its own in the output"
        }
        if OutputNames.modules.contains(text) { return "is a module that the output imports" }
        if OutputNames.types.contains(text) { return "would hide a type that the output needs" }
        if text == options.moduleName { return "is the module that the output is compiled into" }
        if text == scope.set.settings.name, !isSet {
            return "is the type that holds the repositories"
        }
        return nil
    }

    private func generatedNames(of declaration: Declaration) -> [String] {
        let name = declaration.header.name.value
        // A deprecated type has another name that the output can use without a warning.
        let alias = declaration.header.deprecated == nil ? [] : ["Deprecated" + name]
        switch declaration {
        case .entity(let entity):
            if case .composite = entity.identity {
                return alias + [name + "Mapper", name + "Repository", name + "IDMapper"]
            }
            return alias + [name + "Mapper", name + "Repository"]
        case .value: return alias + [name + "Mapper"]
        case .union(let union):
            let cases = union.cases.map { UnionCaseName(union, $0).text }
            return alias + [name + "Mapper"] + cases + cases.map { $0 + "Mapper" }
        case .enumeration: return alias
        case .scalar, .mixin: return []
        }
    }
}

/// Names that the output uses without their module.
enum OutputNames {
    /// The modules that the output imports.
    static let modules: Set<String> = ["Swift", "Foundation", "RepositoryRuntime"]

    /// The types of the runtime and of Swift's library that the output names.
    static let types: Set<String> = [
        "CompositeEntityID", "Fields", "QueryField", "QueryFields", "QueryRoot", "EmbeddedValue",
        "Entity", "EntityDefaults", "EntityDescription",
        "EntityID", "EntityIdentifier", "EntityMapper", "EntityRepository", "EntityTable",
        "FieldDecoder", "FieldDescription", "FieldEncoder", "FieldLayout", "FieldRules",
        "RecordDecodingError", "RecordMapper", "RepositoryContext", "RepositorySet", "StoreSchema",
        "StoredDate", "StoredEnum", "StoredScalar", "StoredType", "StoredValue", "TableReference",
        "TextPattern", "UnionCases", "WriteContext",
        "Array", "CaseIterable", "Codable", "CustomDebugStringConvertible", "CustomReflectable",
        "CustomStringConvertible", "Dictionary", "Equatable", "Hashable", "Hasher", "Identifiable",
        "IteratorProtocol", "Mirror", "Optional", "RawRepresentable", "Sendable",
    ]
}
