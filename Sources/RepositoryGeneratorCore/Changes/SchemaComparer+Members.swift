internal import RepositorySchema

/// The comparison of the fields of entities, values and cases of unions.
extension SchemaComparer {
    /// Compares the fields of a declaration.
    ///
    /// - Parameters:
    ///   - fields: The matched fields.
    ///   - owner: The declaration.
    ///   - keys: The present names of the fields that form the id, as they did in the version.
    mutating func compareMembers(
        _ fields: FieldPairs, _ owner: MemberOwner, keys: Set<String> = []
    ) {
        let renames = LikelyRenames(fields, owner, types)
        for (before, after) in fields.pairs {
            if let before {
                let isKey = keys.contains(after.name.value)
                compare(before, after, owner, isKey: isKey)
            } else {
                add(after, to: owner, likely: renames.gone(for: after))
            }
        }
        for field in fields.gone { remove(field, from: owner, likely: renames.new(for: field)) }
        if fields.isReordered { add(owner.change(.fieldsReordered)) }
    }

    /// Adds the change of a new field.
    ///
    /// - Parameter likely: The field of the version that it may be under another name, in which
    ///   case the removal of that one is the error.
    private mutating func add(
        _ field: FieldDeclaration, to owner: MemberOwner, likely: FieldDeclaration?
    ) {
        let isEntity = owner.kind == .entity
        // A version begins with 1 by itself.
        var hasConstant = field.type.value.isOptional || field.version?.value == true
        // No definition of a column has an encrypted default.
        if case .literal = field.defaultValue?.value, !field.isEncrypted { hasConstant = true }
        var change = owner.change(
            hasConstant
                ? isEntity ? .fieldAdded : .memberAdded
                : isEntity ? .requiredFieldAdded : .requiredMemberAdded,
            nil, field, .field(field))
        reuse(field, in: owner)
        let fill = fill(of: field, nil, owner)
        if let migrate = owner.migrate {
            change.decision = .migrate(migrate)
        } else if let decision = fill.usable {
            change.decision = .fill(decision)
        } else if let problem = fill.problem {
            return addUndecided(change, problem.message, help: problem.help, field)
        } else if !hasConstant, owner.isManaged {
            guard likely == nil else {
                change.isUndecided = true
                return add(change)
            }
            return addUndecided(
                change,
                "the field '\(field.name.value)' of \(owner.label) is new and required, and "
                    + "stored records have no value for it",
                help: Recipe(new).fill(field), field)
        }
        add(change, field)
        if isEntity, field.version?.value == true {
            add(owner.change(.versionFieldChanged, nil, field, .text(old: nil, new: "true")))
        }
    }

    /// Adds the change that uses the name of a removed field again.
    private mutating func reuse(_ field: FieldDeclaration, in owner: MemberOwner) {
        let name = owner.listed(field.name.value)
        guard let removal = history.removal(of: name, in: owner.earlier.name.value) else { return }
        var change = owner.change(.nameReused, nil, field)
        if let entry = owner.reused.first(where: { $0.value == name }) {
            change.decision = .reused(entry)
            return add(change)
        }
        let list = (owner.reused.map(\.value) + [name]).joined(separator: ", ")
        addUndecided(
            change,
            "the field '\(field.name.value)' of \(owner.label) was removed in version \(removal)",
            help: "write 'reuse: [\(list)]' under \(owner.declarationLabel) to declare the name "
                + "for other data, or choose another name", field)
    }

    /// Adds the removal of a field.
    private mutating func remove(
        _ field: FieldDeclaration, from owner: MemberOwner, likely: FieldDeclaration?
    ) {
        let name = owner.listed(field.name.value)
        var change = owner.change(
            owner.kind == .entity ? .fieldRemoved : .memberRemoved, field, nil, .field(field))
        if let entry = owner.removed.first(where: { $0.value == name }) {
            change.decision = .removed(entry)
        } else if let migrate = owner.migrate {
            change.decision = .migrate(migrate)
        } else if owner.isManaged {
            let list = (owner.removed.map(\.value) + [name]).joined(separator: ", ")
            let drop = "'removed: [\(list)]' under \(owner.declarationLabel)"
            guard let likely else {
                return addUndecided(
                    change,
                    "the field '\(field.name.value)' of \(owner.label) is no longer declared",
                    help: "write \(drop) to drop its values, or 'renamedFrom: "
                        + "\(field.name.value)' at the field that has them now")
            }
            return addUndecided(
                change,
                "the field '\(field.name.value)' of \(owner.label) is gone and the field "
                    + "'\(likely.name.value)' is new, of the same type",
                at: likely.place,
                help: "write 'renamedFrom: \(field.name.value)' at "
                    + "\(Recipe.label(likely)) if it has the values of '\(field.name.value)', or "
                    + "\(drop) to drop them", likely)
        }
        add(change)
    }

    /// Adds an undecided change and its error.
    ///
    /// - Parameters:
    ///   - message: The problem.
    ///   - place: The place of the error; that of the change if left out.
    ///   - help: What to write.
    ///   - field: The present field, for the place in its mixin.
    mutating func addUndecided(
        _ change: SchemaChange, _ message: String, at place: SourceRange? = nil, help: String,
        _ field: FieldDeclaration? = nil
    ) {
        var change = change
        change.isUndecided = true
        add(change)
        let notes = change.earlier.map {
            [Diagnostic.Note("version \(number) has it here", at: $0)]
        }
        diagnostics.append(
            Diagnostic(
                message, at: place ?? change.place, help: help,
                notes: (notes ?? []).filter { $0.range != (place ?? change.place) }
                    + (field?.mixinNotes ?? []),
                rule: .undecided))
    }
}

/// The fields that are gone and those that are new, if exactly one of each has a type.
private struct LikelyRenames {
    private var byNewName: [String: FieldDeclaration] = [:]
    private var byGoneName: [String: FieldDeclaration] = [:]

    init(_ fields: FieldPairs, _ owner: MemberOwner, _ types: TypeComparison) {
        guard owner.migrate == nil, !fields.gone.isEmpty else { return }
        let removed = Set(owner.removed.map(\.value))
        let gone = fields.gone.filter { !removed.contains(owner.listed($0.name.value)) }
        let added = fields.pairs.filter { $0.old == nil && $0.new.fill == nil }.map(\.new)
        // The types of the version under their present names.
        let before = Dictionary(grouping: gone) { types.presentName(of: $0.type.value.unwrapped) }
        let after = Dictionary(grouping: added) { $0.type.value.unwrapped.description }
        for (type, fields) in before {
            guard fields.count == 1, let twins = after[type], twins.count == 1 else { continue }
            byNewName[twins[0].name.value] = fields[0]
            byGoneName[fields[0].name.value] = twins[0]
        }
    }

    /// Returns the field that is gone for a new one.
    func gone(for field: FieldDeclaration) -> FieldDeclaration? {
        byNewName[field.name.value]
    }

    /// Returns the new field for one that is gone.
    func new(for field: FieldDeclaration) -> FieldDeclaration? {
        byGoneName[field.name.value]
    }
}

extension TypeComparison {
    /// The type of a field of the version, in the notation of the schema language, with the present
    /// names of its declarations.
    func presentName(of type: TypeExpression) -> String {
        switch type {
        case .base: type.description
        case .named(let name): names[name] ?? name
        case .optional(let inner): presentName(of: inner) + "?"
        case .list(let inner): "[\(presentName(of: inner))]"
        case .map(let inner): "[String: \(presentName(of: inner))]"
        }
    }
}
