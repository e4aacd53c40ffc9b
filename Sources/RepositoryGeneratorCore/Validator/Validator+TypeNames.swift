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
        for declaration in scope.set.declarations {
            for generated in generatedNames(of: declaration) {
                guard let other = seen[generated] else { continue }
                let name = declaration.header.name
                add(
                    "'\(generated)' is generated for '\(name.value)' and declared as well",
                    at: other,
                    help: "rename one of them",
                    notes: [Diagnostic.Note("'\(name.value)' is declared here", at: name.range)])
            }
        }
    }

    private mutating func checkTypeName(_ name: Located<String>) {
        let text = name.value
        let reason: String? =
            if BaseType(rawValue: text) != nil || ["UInt", "UInt64"].contains(text) {
                "is a base type"
            } else if Naming.isSwiftKeyword(text) || ["ID", "Mapper", "Model"].contains(text) {
                "has a meaning of its own in the output"
            } else if OutputNames.modules.contains(text) {
                "is a module that the output imports"
            } else if OutputNames.types.contains(text) {
                "would hide a type that the output needs"
            } else if text == options.moduleName {
                "is the module that the output is compiled into"
            } else if text == scope.set.settings.name {
                "is the type that holds the repositories"
            } else {
                nil
            }
        if let reason {
            add(
                "no type can be called '\(text)': that \(reason)", at: name.range, help: "rename it"
            )
        }
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
        case .enumeration: return alias
        case .scalar: return []
        }
    }
}

/// Names that the output uses without their module.
enum OutputNames {
    /// The modules that the output imports.
    static let modules: Set<String> = ["Swift", "Foundation", "RepositoryRuntime"]

    /// The types of the runtime and of Swift's library that the output names.
    static let types: Set<String> = [
        "CompositeEntityID", "EmbeddedValue", "Entity", "EntityDefaults", "EntityDescription",
        "EntityID", "EntityIdentifier", "EntityMapper", "EntityRepository", "EntityTable",
        "FieldDecoder", "FieldDescription", "FieldEncoder", "FieldLayout", "FieldRules",
        "RecordDecodingError", "RecordMapper", "RepositoryContext", "RepositorySet", "StoreSchema",
        "StoredDate", "StoredEnum", "StoredScalar", "StoredType", "StoredValue", "TableReference",
        "TextPattern", "WriteContext",
        "Array", "CaseIterable", "Codable", "CustomDebugStringConvertible", "CustomReflectable",
        "CustomStringConvertible", "Dictionary", "Equatable", "Hashable", "Hasher", "Identifiable",
        "IteratorProtocol", "Mirror", "Optional", "RawRepresentable", "Sendable",
    ]
}
