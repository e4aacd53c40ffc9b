internal import RepositorySchema

/// Rules for the names of types.
extension Validator {
    /// Checks the names of declared types, and of the types that are generated in addition.
    ///
    /// Names of rejected declarations count as declared, so that a duplicate is reported even if
    /// one of the two has errors.
    ///
    /// The name of the set is checked if the settings declare one.
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

    /// Checks that no generated type has the name of another type.
    ///
    /// For an entity `Book`, the output also declares `BookMapper` and `BookRepository`.
    ///
    /// ```yaml
    /// entity: Book
    /// ---
    /// value: BookRepository   # reported: generated for 'Book' and declared
    /// ```
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

    /// Checks that the output can declare a type of this name.
    ///
    /// - Parameter isSet: Whether the name is that of the set's own type.
    private mutating func checkTypeName(_ name: Located<String>, isSet: Bool = false) {
        guard let reason = reasonAgainst(name.value, isSet: isSet) else { return }
        add(
            "no type can be called '\(name.value)': \(reason.text)", at: name.range,
            help: reason.help)
    }

    /// Returns why a type cannot have a name, with a suggestion, or nil if it can.
    ///
    /// Reserved names are base types, `Any` and `Self`, imported modules, the module of the output,
    /// and the type of the set.
    private func reasonAgainst(_ text: String, isSet: Bool) -> (text: String, help: String)? {
        let rename = "rename it"
        if let reason = reasonAgainst(baseType: text) { return reason }
        if ["Any", "Self"].contains(text) {
            return ("that has a meaning of its own in Swift", rename)
        }
        if OutputNames.modules.contains(text) || isModuleOfScalar(text) {
            return ("that is a module that the output imports", rename)
        }
        if OutputNames.literals.contains(text) {
            return ("Swift would read each literal of the module as one", rename)
        }
        if text == options.moduleName {
            return ("that is the module that the output is compiled into", rename)
        }
        if text == scope.set.settings.name, !isSet {
            return ("that is the type that holds the repositories", rename)
        }
        return nil
    }

    /// Returns why a declaration cannot have the name of a base type. In a field the name always
    /// means the base type, so a value, union, enum or scalar with this name would be unusable. An
    /// entity is useful without any field that refers to it.
    private func reasonAgainst(baseType text: String) -> (text: String, help: String)? {
        guard BaseType(written: text)?.isReserved ?? ["UInt", "UInt64"].contains(text) else {
            return nil
        }
        switch scope.declarations[text] {
        case nil, .entity, .mixin: return nil
        case .value, .union, .enumeration, .scalar:
            return (
                "that is a base type", "rename it: in a field the name would be the base type"
            )
        }
    }

    private func isModuleOfScalar(_ text: String) -> Bool {
        scope.scalarModules.contains(text)
    }

    /// The names of the types that are generated for a declaration, in addition to the declared
    /// type.
    ///
    /// The case types of a union have mappers as well.
    private func generatedNames(of declaration: Declaration) -> [String] {
        let name = declaration.header.name.value
        // The output refers to a deprecated type by an alias, so that the generated code compiles
        // without warnings.
        var alias = declaration.header.deprecated == nil ? [] : ["Deprecated" + name]
        if OutputNames.nested.contains(name) { alias.append(OutputNames.alias(of: name)) }
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
        case .scalar: return alias.filter { $0 != "Deprecated" + name }
        case .mixin: return []
        }
    }
}
