internal import RepositorySchema

/// Warnings about types.
extension Linter {
    /// Warns about types that no other declaration uses.
    ///
    /// Entities are never unused, because each has a repository.
    mutating func lookForUnusedTypes() {
        // A set without entities declares values for use in code.
        guard !scope.entities.isEmpty else { return }
        var used: Set<String> = []
        for declaration in scope.set.declarations {
            if case .entity(let entity) = declaration {
                used.formUnion(entity.include.map(\.value))
            }
            used.formUnion(declaration.ownFields.compactMap(\.type.value.innermostName))
        }
        for declaration in scope.set.declarations {
            let name = declaration.header.name
            if case .entity = declaration { continue }
            guard !used.contains(name.value) else { continue }
            let kind = declaration.kindInWords.split(separator: " ").last ?? ""
            let isMixin = if case .mixin = declaration { true } else { false }
            warn(
                isMixin
                    ? "no entity includes the mixin '\(name.value)'"
                    : "no field is of the \(kind) '\(name.value)'",
                at: name.range, help: "remove it, or use it", .unusedType)
        }
    }

    /// Warns about fields and entities that are not deprecated but use a deprecated type or mixin.
    ///
    /// Declarations and fields that are deprecated themselves are allowed to use them.
    mutating func lookForDeprecatedTypes(in declaration: Declaration) {
        guard declaration.header.deprecated == nil else { return }
        if case .entity(let entity) = declaration {
            for mixin in entity.include {
                guard let header = scope.declarations[mixin.value]?.header,
                    let deprecated = header.deprecated
                else { continue }
                warn(
                    "the mixin '\(mixin.value)' is deprecated" + Self.reason(deprecated),
                    at: mixin.range, help: "declare its fields here", .deprecatedType,
                    notes: [Diagnostic.Note("it is deprecated here", at: deprecated.range)])
            }
        }
        for field in declaration.ownFields where field.deprecated == nil {
            guard let name = field.type.value.innermostName,
                let type = scope.declarations[name], let deprecated = type.header.deprecated
            else { continue }
            let kind = type.kindInWords.split(separator: " ").last ?? ""
            warn(
                "'\(field.name.value)' is of the \(kind) '\(name)', which is deprecated"
                    + Self.reason(deprecated),
                at: field.type.range, help: "use another type, or deprecate the field as well",
                .deprecatedType,
                notes: [Diagnostic.Note("it is deprecated here", at: deprecated.range)])
        }
    }

    /// Warns about entities with the name of a base type if a field has this base type. Such a
    /// field looks like a reference but is not.
    ///
    /// In a field, the name of a base type always means the base type.
    ///
    /// ```yaml
    /// entity: Data                # warning
    /// ---
    /// entity: Book
    /// fields: { scan: Data? }     # this is the base type, not a reference
    /// ```
    mutating func lookForShadowedEntities() {
        for entity in scope.entities {
            let name = entity.header.name
            guard let base = BaseType(written: name.value) else { continue }
            let field = scope.set.declarations.lazy.flatMap(\.ownFields)
                .first { $0.type.value.innermostBase == base }
            guard let field else { continue }
            warn(
                "the entity '\(name.value)' is called like a base type, and fields of that type do not refer to it",
                at: name.range, help: "rename the entity, and keep its table with 'table: …'",
                .shadowedEntity,
                notes: [Diagnostic.Note("the base type is meant here", at: field.type.range)])
        }
    }

    /// The reason for a deprecation, as the end of a message.
    private static func reason(_ deprecated: Located<String>) -> String {
        deprecated.value.isEmpty ? "" : ": \(deprecated.value)"
    }
}

extension TypeExpression {
    /// The base type without optionals, lists and maps.
    fileprivate var innermostBase: BaseType? {
        switch self {
        case .base(let base): base
        case .named: nil
        case .optional(let inner), .list(let inner), .map(let inner): inner.innermostBase
        }
    }
}

extension Declaration {
    /// The fields that the declaration itself contains, including its id.
    fileprivate var ownFields: [FieldDeclaration] {
        switch self {
        case .entity(let entity):
            let fields = entity.fields.filter { $0.origin == nil }
            return if case .single(let id) = entity.identity { [id] + fields } else { fields }
        case .value(let value): return value.fields
        case .union(let union): return union.cases.flatMap(\.fields)
        case .mixin(let mixin): return mixin.fields
        case .enumeration, .scalar: return []
        }
    }
}
