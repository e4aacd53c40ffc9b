internal import ConditionLanguage
internal import RepositorySchema

/// Rules for ids.
///
/// An id is part of file names, error messages and foreign keys. It must therefore have a type with
/// a text form, must not be optional or sensitive, and never changes after the record was created.
extension Validator {
    /// Checks the id of an entity.
    ///
    /// ```yaml
    /// id: { name: isbn, type: String }   # one field
    /// id: [book, number]                 # composite
    /// id: [number]                       # reported: a composite id has at least two fields
    /// ```
    mutating func checkIdentity(of entity: EntityDeclaration) {
        switch entity.identity {
        case .single(let field):
            checkComponent(field, in: "an id")
            checkCaseFolding(ofComponent: field, in: "an id")
            if field.sensitive?.value == true, !field.isEncrypted {
                add(
                    "an id cannot be sensitive: it stands in errors and file names",
                    at: field.sensitive?.range ?? field.name.range,
                    help: "make the id a UUID, and the sensitive text a field with 'unique: true'")
            }
        case .composite(let names): checkComposite(names, of: entity)
        }
    }

    /// Checks the components of a composite id.
    ///
    /// A composite id has at least two fields, all of them declared by the entity.
    private mutating func checkComposite(_ names: [Located<String>], of entity: EntityDeclaration) {
        guard names.count > 1 else {
            if entity.header.isComplete {
                add(
                    "a composite id has two fields or more",
                    at: names.first?.range ?? entity.header.name.range,
                    help: "for one field, write 'id: { name: isbn, type: String }'")
            }
            return
        }
        var seen: Set<String> = []
        for name in names {
            guard seen.insert(name.value).inserted else {
                add("'\(name.value)' stands twice in the id", at: name.range, help: "remove one")
                continue
            }
            guard let field = entity.fields.first(where: { $0.name.value == name.value }) else {
                unknownField(name, in: entity)
                continue
            }
            checkComponent(field, in: "a composite id")
            checkCaseFolding(ofComponent: field, in: "a part of an id")
            if let rule = field.onCreateNow {
                add(
                    "a part of an id is given with its record", at: rule,
                    help: "remove 'onCreate'")
            }
            if let rule = field.onUpdateNow {
                add("a part of an id never changes", at: rule, help: "remove 'onUpdate'")
            }
            if let version = field.version, version.value {
                add("a part of an id never changes", at: version.range, help: "remove 'version'")
            }
            if let sensitive = field.sensitive, sensitive.value, !field.isEncrypted {
                add(
                    "a part of an id cannot be sensitive: it stands in errors and file names",
                    at: sensitive.range, help: "remove 'sensitive'")
            }
        }
    }

    /// Reports that a field does not exist, unless the entity has fields that could not be read.
    ///
    /// If the name is the property of another field, for example `authorID` for `author`, the
    /// suggestion is the declared name.
    /// - Parameter subject: The id or component, with its article, for the message.
    ///
    /// - Parameter mixin: The entry in `include`, if a mixin refers to the field.
    mutating func unknownField(
        _ name: Located<String>, in entity: EntityDeclaration, from mixin: Located<String>? = nil
    ) {
        guard entity.header.isComplete else { return }
        let fields = scope.fields(of: entity)
        let names = fields.map(\.name.value)
        let help =
            if let field = fields.first(where: { scope.property(of: $0) == name.value }) {
                "write the name as it is declared: '\(field.name.value)'"
            } else {
                NearestName.help(for: name.value, among: names, kind: "fields")
            }
        add(
            "the entity '\(entity.header.name.value)' has no field '\(name.value)'", at: name.range,
            help: help,
            notes: mixin.map { [Diagnostic.Note("it is included here", at: $0.range)] } ?? [])
    }

    /// Checks the type of an id or of a component.
    private mutating func checkComponent(_ field: FieldDeclaration, in subject: String) {
        let type = field.type
        if type.value.isOptional {
            add(
                "\(subject) cannot be optional", at: type.range,
                help: "remove the '?' behind the type")
            return
        }
        let reason: String? =
            switch type.value {
            case .list, .map: "a list or map"
            case .base(let base): base.isIdentifier ? nil : "a \(base.rawValue)"
            case .named, .optional: reasonAgainstId(type.value)
            }
        if let reason {
            add(
                "\(subject) cannot be \(reason)", at: type.range,
                help: "String, integers, UUID, LocalDate, enums, scalars over these, and "
                    + "references can be")
        }
    }

    /// Returns why a declared type cannot be part of an id, as the end of a message, or nil if it
    /// can.
    private func reasonAgainstId(_ type: TypeExpression) -> String? {
        switch scope.kind(of: type) {
        case .base, .enumeration, .unknown: return nil
        case .value: return "a value"
        case .union: return "a union"
        case .scalar(let scalar):
            let base = scalar.stored.value
            return base.isIdentifier ? nil : "a scalar that is stored as \(base.rawValue)"
        case .entity(let entity):
            guard case .composite = entity.identity else { return nil }
            return "a reference to an entity with a composite id"
        }
    }

    /// Checks that the default of an id is `generated` or `assigned`.
    ///
    /// Only a UUID can be generated, and only an Int or Int64 assigned. With any other default, two
    /// records would have the same id.
    mutating func checkIdDefault(_ field: FieldDeclaration) {
        guard let value = field.defaultValue, value.value != .generated, value.value != .assigned
        else { return }
        if value.value == .literal(.scalar("assigned", isPlain: true)) {
            add(
                "only an Int or Int64 can be 'assigned', not \(field.type.value.description)",
                at: value.range, help: "remove it, or write 'type: Int'")
            return
        }
        add(
            value.value == .literal(.scalar("generated", isPlain: true))
                ? "only a UUID can be 'generated', not \(field.type.value.description)"
                : "an id cannot have this default: two records would share it",
            at: value.range,
            help: field.type.value == .base(.uuid)
                ? "write 'default: generated'" : "remove it, or write 'type: UUID'")
    }
}
