internal import RepositorySchema

/// The comparison of a field with that of the version.
extension SchemaComparer {
    mutating func compare(
        _ before: FieldDeclaration, _ after: FieldDeclaration, _ owner: MemberOwner, isKey: Bool
    ) {
        let count = changes.count
        compareNames(before, after, owner, isKey: isKey)
        let type = compareTypes(before, after, owner, isKey: isKey)
        compareReferences(before, after, owner)
        let isOptional = (before.type.value.isOptional, after.type.value.isOptional)
        if isOptional.0, !isOptional.1 {
            require(before, after, owner, type)
        } else if !isOptional.0, isOptional.1 {
            add(owner.change(.becameOptional, before, after))
        }
        compareKeys(before, after, owner)
        checkUnusedDecisions(of: after, before, owner, changes[count...].map(\.code))
    }

    /// Compares the names of a field and of its column.
    private mutating func compareNames(
        _ before: FieldDeclaration, _ after: FieldDeclaration, _ owner: MemberOwner, isKey: Bool
    ) {
        let names = (before.name.value, after.name.value)
        let columns = (FieldColumn(before, old).name, FieldColumn(after, new).name)
        let hasColumn = owner.kind == .entity
        if !UTF8Name(names.0).isEqual(names.1) {
            var change = owner.change(
                hasColumn ? .fieldRenamed : .memberRenamed, before, after,
                .text(old: names.0, new: names.1))
            let meant = [names.0, columns.0]
            change.decision =
                after.renamedFrom.first {
                    meant.contains($0.value) || meant.contains(Naming.snakeCase($0.value))
                }.map { .renamed($0) } ?? owner.migrate.map { .migrate($0) }
            // A field of the same column is the same field.
            let isDecided =
                change.decision != nil || !owner.isManaged
                || (hasColumn && columns.0 == columns.1)
            if isDecided {
                add(change)
            } else {
                addUndecided(
                    change,
                    "the id '\(names.0)' of \(owner.label) is gone and the id '\(names.1)' is new",
                    help: "write 'renamedFrom: \(names.0)' at \(Recipe.label(after)) if it has "
                        + "the values of '\(names.0)'", after)
            }
        }
        guard hasColumn, !UTF8Name(columns.0).isEqual(columns.1) else { return }
        add(
            owner.change(
                .columnRenamed, before, after, .text(old: columns.0, new: columns.1)))
    }

    /// Compares the types.
    ///
    /// - Returns: the difference.
    private mutating func compareTypes(
        _ before: FieldDeclaration, _ after: FieldDeclaration, _ owner: MemberOwner, isKey: Bool
    ) -> TypeChange {
        let scales = (old: before.scale?.value, new: after.scale?.value)
        let difference = types.change(before, after)
        // A scalar of the same name can be stored as another type.
        let isSameName = before.type.value.innermostName == after.type.value.innermostName
        let detail = SchemaChange.Detail.type(
            old: before.type.value, new: after.type.value, oldScale: scales.old,
            newScale: scales.new,
            oldStored: isSameName ? types.scalarBase(before.type.value, old) : nil,
            newStored: isSameName ? types.scalarBase(after.type.value, new) : nil)
        switch difference {
        case .same: break
        case .swiftOnly: add(owner.change(.swiftTypeChanged, before, after, detail))
        case .widened: add(owner.change(.typeWidened, before, after, detail))
        case .converted:
            convert(
                owner.change(isKey ? .idChanged : .typeChanged, before, after, detail),
                before, after, owner)
        }
        return difference
    }

    /// Adds a change of the type with the decision that covers it.
    private mutating func convert(
        _ change: SchemaChange, _ before: FieldDeclaration, _ after: FieldDeclaration,
        _ owner: MemberOwner
    ) {
        var change = change
        let conversion = types.conversion(
            before.type.value, after.type.value, scales: (before.scale?.value, after.scale?.value))
        let decision = self.conversion(of: after, before, owner)
        let message =
            "the type of the field '\(after.name.value)' of \(owner.label) is "
            + change.detail.newText + ", was " + change.detail.oldText
        if before.isExternal || after.isExternal {
            return addUndecided(
                change, message + ", and no migration moves external data",
                at: decision.usable?.range,
                help: "add the field under another name, copy the data in the program, and remove "
                    + "'\(before.name.value)' in a later version", after)
        }
        if let migrate = owner.migrate {
            change.decision = .migrate(migrate)
        } else if let problem = decision.problem {
            return addUndecided(change, problem.message, help: problem.help, after)
        } else if let decision = decision.usable {
            change.decision = .convert(decision)
            if case .value(let otherwise) = decision.method {
                guard conversion != .unsupported else {
                    return addUndecided(
                        change, message + ", which 'convert: value' cannot convert",
                        at: decision.range, help: "write 'convert: code'", after)
                }
                change.dependsOnData = conversion == .mayFail && otherwise == nil
                warn(
                    change,
                    message + ", and the migration fails if a stored value does not fit",
                    help: "write 'convert: { value, otherwise: "
                        + "\(Recipe(new).sample(after) ?? "…") }' to replace such values, or "
                        + "'convert: code'")
            }
        } else if owner.isManaged {
            let rename = declarations.likelyRename(before.type.value, after.type.value)
            return addUndecided(
                change, message,
                help: rename.map { "\($0), or 'convert: code' at \(Recipe.label(after))" }
                    ?? Recipe(new).conversion(after, conversion), after)
        }
        add(change, after)
    }

    /// Adds the change of an optional field that has become required.
    private mutating func require(
        _ before: FieldDeclaration, _ after: FieldDeclaration, _ owner: MemberOwner,
        _ type: TypeChange
    ) {
        var change = owner.change(.becameRequired, before, after)
        let fill = fill(of: after, before, owner)
        if let migrate = owner.migrate {
            change.decision = .migrate(migrate)
        } else if type == .converted, let convert = conversion(of: after, before, owner).usable,
            convert.method == .code || fill.usable == nil
        {
            // The conversion gets null, too. By value, a fill comes after it.
            change.decision = .convert(convert)
            if case .value(nil) = convert.method, !after.type.value.isList {
                change.dependsOnData = true
                warn(
                    change,
                    "the field '\(after.name.value)' of \(owner.label) is required, was optional, "
                        + "and the migration fails if a stored record has no value",
                    help: "write 'convert: { value, otherwise: "
                        + "\(Recipe(new).sample(after) ?? "…") }' for such records, or "
                        + "'convert: code'")
            }
        } else if let decision = fill.usable {
            change.decision = .fill(decision)
        } else if let problem = fill.problem {
            return addUndecided(change, problem.message, help: problem.help, after)
        } else if owner.isManaged {
            return addUndecided(
                change,
                "the field '\(after.name.value)' of \(owner.label) is required, was optional, "
                    + "and stored records may have no value for it",
                help: Recipe(new).fill(after), after)
        }
        add(change, after)
    }

    /// Compares what a field refers to, as far as stores check it.
    private mutating func compareReferences(
        _ before: FieldDeclaration, _ after: FieldDeclaration, _ owner: MemberOwner
    ) {
        guard owner.kind == .entity else { return }
        let targets = (
            old.checkedReference(before)?.header.name.value,
            new.checkedReference(after)?.header.name.value
        )
        guard let target = targets.1 else {
            guard targets.0 != nil else { return }
            add(
                owner.change(
                    .referenceRemoved, before, after, .text(old: targets.0, new: nil)))
            return
        }
        guard let earlier = targets.0 else {
            var change = owner.change(
                .referenceAdded, before, after, .text(old: nil, new: target))
            change.dependsOnData = owner.isManaged && !isByCode(after, owner)
            warn(
                change,
                "the field '\(after.name.value)' of \(owner.label) is a new reference, and the "
                    + "migration fails if a stored value is not the id of a record of '\(target)'",
                help: "write 'onDelete: none' for a reference that no store checks")
            return add(change)
        }
        if declarations.names[earlier] != target {
            var change = owner.change(
                .referenceChanged, before, after, .text(old: earlier, new: target))
            change.dependsOnData = owner.isManaged && !isByCode(after, owner)
            warn(
                change,
                "the field '\(after.name.value)' of \(owner.label) refers to another entity, and "
                    + "the migration fails if a stored value is not the id of a record of "
                    + "'\(target)'",
                help: "write 'onDelete: none' for a reference that no store checks")
            return add(change)
        }
        let rules = (before.deleteRule, after.deleteRule)
        if rules.0 != rules.1 {
            add(
                owner.change(
                    .deleteRuleChanged, before, after,
                    .text(old: rules.0.rawValue, new: rules.1.rawValue)))
        }
    }

    /// Whether a function makes the values of a field.
    private func isByCode(_ field: FieldDeclaration, _ owner: MemberOwner) -> Bool {
        owner.migrate != nil || field.convert?.method == .code
    }

    /// Adds a warning for a change that some stored data may not fit.
    mutating func warn(_ change: SchemaChange, _ message: String, help: String) {
        guard change.dependsOnData else { return }
        diagnostics.append(
            Diagnostic(
                message, at: change.place, help: help,
                notes: change.earlier.map {
                    [Diagnostic.Note("version \(number) has it here", at: $0)]
                } ?? [],
                severity: .warning, rule: .dependsOnData))
    }
}

extension TypeExpression {
    /// Whether the type is a list.
    fileprivate var isList: Bool {
        if case .list = self { return true }
        return false
    }
}

extension SchemaScope {
    /// Returns the entity that a field refers to, if stores check the reference.
    fileprivate func checkedReference(_ field: FieldDeclaration) -> EntityDeclaration? {
        field.deleteRule == .none ? nil : singleReference(field)
    }
}
