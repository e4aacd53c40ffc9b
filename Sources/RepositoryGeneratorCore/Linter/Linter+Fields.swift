internal import ConditionLanguage
internal import RepositorySchema

/// Warnings about fields.
extension Linter {
    /// Warns about lists and maps of references: no store enforces that the referenced records
    /// exist. `onDelete: none` suppresses the warning.
    ///
    /// ```yaml
    /// authors: "[Author]"                            # warning
    /// accepted: { type: "[Author]", onDelete: none } # no warning
    /// ```
    mutating func lookForUncheckedReferences(in declaration: Declaration) {
        guard let fields = declaration.storedFields else { return }
        for field in fields where scope.isReference(field.type.value) {
            guard scope.singleReference(field) == nil, field.onDelete?.value != DeleteRule.none
            else { continue }
            let name = field.type.value.innermostName ?? ""
            warn(
                "no store checks that the records of '\(name)' in '\(field.name.value)' exist, "
                    + "or changes it when one of them is deleted",
                at: field.type.range,
                help: "declare an entity that refers to both, or accept it with 'onDelete: none'",
                .uncheckedReferences)
        }
    }

    /// Warns about defaults, `fill` and `otherwise` of strings that look like numbers or Booleans.
    ///
    /// ```yaml
    /// edition: { type: String, default: 3 }    # warning: this is the text '3'
    /// quoted: { type: String, default: "3" }   # no warning
    /// ```
    mutating func lookForDefaultsOfOtherTypes(in declaration: Declaration) {
        guard let fields = declaration.storedFields ?? declaration.valueFields else { return }
        for field in fields {
            let type = field.type.value.unwrapped
            if let value = field.defaultValue, case .literal(let literal) = value.value {
                look(at: Located(literal, at: value.range), "the default", of: field, as: type)
            }
            if case .value(let literal) = field.fill?.source {
                look(at: literal, "'fill'", of: field, as: type)
            }
            if case .value(let literal?) = field.convert?.method {
                look(at: literal, "'otherwise'", of: field, as: type)
            }
        }
    }

    /// Checks a literal and its elements.
    private mutating func look(
        at literal: Located<Literal>, _ noun: String, of field: FieldDeclaration,
        as type: TypeExpression
    ) {
        switch (literal.value, type) {
        case (.scalar(let text, isPlain: true), .base(.string)):
            guard NumberText(text) != nil || text == "true" || text == "false" else { return }
            warn(
                "\(noun) of '\(field.name.value)' is the text '\(text)', because the field is a "
                    + "String",
                at: literal.range,
                help: "quote it, '\"\(text)\"', or choose another type", .defaultType)
        case (.list(let elements), .list(let element)):
            for value in elements { look(at: value, noun, of: field, as: element.unwrapped) }
        case (.map(let entries), .map(let value)):
            for entry in entries { look(at: entry.value, noun, of: field, as: value.unwrapped) }
        default: return
        }
    }
}

extension Declaration {
    /// The fields that an entity or a mixin declares itself, without the id. Nil for other
    /// declarations.
    fileprivate var storedFields: [FieldDeclaration]? {
        switch self {
        case .entity(let entity): entity.fields.filter { $0.origin == nil }
        case .mixin(let mixin): mixin.fields
        case .value, .union, .enumeration, .scalar: nil
        }
    }

    /// The fields of a value or of the cases of a union. Nil for other declarations.
    fileprivate var valueFields: [FieldDeclaration]? {
        switch self {
        case .value(let value): value.fields
        case .union(let union): union.cases.flatMap(\.fields)
        case .entity, .mixin, .enumeration, .scalar: nil
        }
    }
}
