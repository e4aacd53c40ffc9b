/// The comparison of a stored field with its declaration.
extension TableComparison {
    /// Compares one field and appends the steps and differences.
    mutating func compare(_ old: StoredField, _ new: StoredField, in table: StoredTable) {
        let place = SchemaPlace(table: table.name, field: new.name)
        var changes: [SchemaStep.FieldChange] = []

        switch ShapeComparison.compare(old.type, new.type, at: place) {
        case .equal: break
        case .harmless(let change): changes.append(change)
        case .mismatch(let found): differences.append(contentsOf: found)
        }
        if form.hasColumns, old.storedAs != new.storedAs {
            differences.append(
                .columnTypeChanged(place, stored: old.storedAs, declared: new.storedAs))
        }
        if old.isOptional && !new.isOptional {
            differences.append(.becameRequired(place))
        } else if !old.isOptional && new.isOptional {
            changes.append(.becameOptional)
        }
        differences += CaseComparison.differences(old.cases, new.cases, at: place)
        if old.cases != new.cases { changes.append(.cases) }
        if old.rules != new.rules { changes.append(.rules) }
        if old.defaultValue != new.defaultValue { changes.append(.defaultValue) }
        if form == .foldedColumns, old.isFolded != new.isFolded { changes.append(.folding) }
        compareReferences(old, new, place, &changes)

        steps += changes.map { .changeField(table: table.name, field: new.name, $0) }
    }

    /// Compares the references of a field. A reference to another table, or a new one, is a
    /// difference, because stored ids may have no target there.
    private mutating func compareReferences(
        _ old: StoredField, _ new: StoredField, _ place: SchemaPlace,
        _ changes: inout [SchemaStep.FieldChange]
    ) {
        // A reference that stores do not enforce is treated like no reference.
        let before = old.reference.flatMap { $0.isEnforced ? $0 : nil }
        let after = new.reference.flatMap { $0.isEnforced ? $0 : nil }
        guard let after else {
            if before != nil { changes.append(.referenceRemoved) }
            return
        }
        guard let before else {
            differences.append(.referenceAdded(place, to: after.table))
            return
        }
        let table = newName(ofTable: before.table)
        if table != after.table {
            differences.append(
                .referenceChanged(place, stored: before.table, declared: after.table))
        } else if before.onDelete != after.onDelete {
            changes.append(.deleteRule)
        }
    }
}

/// The comparison of the cases of an enum.
enum CaseComparison {
    /// Returns a difference for each stored case that is not declared. A stored record may contain
    /// it and could then not be read.
    ///
    /// If one side has no list of cases, there are no differences: the field is no enum, or an enum
    /// that accepts unknown cases.
    static func differences(
        _ old: [String]?, _ new: [String]?, at place: SchemaPlace
    ) -> [SchemaDifference] {
        guard let old, let new else { return [] }
        let declared = Set(new)
        return old.filter { !declared.contains($0) }.map { .caseRemoved(place, $0) }
    }
}

/// The comparison of stored types, including embedded values.
///
/// A stored type is compatible if every stored value can be decoded as the declared type. Types are
/// compared recursively: elements of lists and maps, and members of embedded values.
enum ShapeComparison {
    /// The result of a comparison: equal, readable with a change, or incompatible, with the
    /// differences.
    enum Verdict {
        case equal
        case harmless(SchemaStep.FieldChange)
        case mismatch([SchemaDifference])
    }

    /// Compares a stored type with a declared one.
    ///
    /// - Parameters:
    ///   - old: the stored type.
    ///   - new: the declared type.
    ///   - place: the field or member of this type.
    static func compare(_ old: StoredShape, _ new: StoredShape, at place: SchemaPlace) -> Verdict {
        if old == new { return .equal }
        switch (old, new) {
        case (.single(let from), .single(let to)) where isWider(to, than: from):
            return .harmless(.widened)
        case (.object(let from), .object(let to)):
            return members(from, to, at: place, mayGrow: true)
        case (.composite(let from), .composite(let to)) where from.count == to.count:
            return members(from, to, at: place, mayGrow: false)
        case (.list(let from, let before), .list(let to, let after)),
            (.map(let from, let before), .map(let to, let after)):
            if before && !after {
                return .mismatch([.typeChanged(place, stored: old, declared: new)])
            }
            let inner = compare(from, to, at: place)
            if case .equal = inner { return .harmless(.members) }
            return inner
        default:
            return .mismatch([.typeChanged(place, stored: old, declared: new)])
        }
    }

    /// Returns whether all values of an integer type can be represented in another.
    private static func isWider(_ new: String, than old: String) -> Bool {
        guard let new = StoredBaseType(rawValue: new), let old = StoredBaseType(rawValue: old)
        else { return false }
        return new.widens(old)
    }

    /// Compares the members of an embedded value or a composite id. Members match by name, then by
    /// earlier name.
    ///
    /// - Parameter mayGrow: whether members may be added, which is the case for embedded values
    ///   only.
    private static func members(
        _ old: [StoredMember], _ new: [StoredMember], at place: SchemaPlace, mayGrow: Bool
    ) -> Verdict {
        var differences: [SchemaDifference] = []
        var found: Set<String> = []
        // The order of the members of an embedded value does not matter.
        var isEqual = mayGrow && old.count == new.count
        for (member, earlier) in zip(new, earlierNames(new)) {
            let here = place.member(member.name)
            let before = ([member.name] + earlier).lazy
                .compactMap { name in old.first { $0.name == name && !found.contains(name) } }
                .first
            guard let before else {
                isEqual = false
                if !mayGrow || !(member.isOptional || member.defaultValue != nil) {
                    differences.append(.fieldAdded(here))
                }
                continue
            }
            found.insert(before.name)
            isEqual = isEqual && before == member
            if before.isOptional && !member.isOptional {
                differences.append(.becameRequired(here))
            }
            differences += CaseComparison.differences(before.cases, member.cases, at: here)
            if case .mismatch(let inner) = compare(before.type, member.type, at: here) {
                differences += inner
            }
        }
        for member in old where !found.contains(member.name) {
            differences.append(.memberRemoved(place.member(member.name)))
        }
        if isEqual { return .equal }
        return differences.isEmpty ? .harmless(.members) : .mismatch(differences)
    }

    /// Returns the earlier names of each member under which a mapper looks for it: those that no
    /// member has now, and that no member before it lists.
    private static func earlierNames(_ members: [StoredMember]) -> [[String]] {
        var taken = Set(members.map(\.name))
        return members.map { member in
            member.renamedFrom.names.filter { taken.insert($0).inserted }
        }
    }
}
