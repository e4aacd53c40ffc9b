/// The comparison of a stored field with its declaration.
extension TableComparison {
    /// Compares one field and appends the steps and differences.
    mutating func compare(
        _ old: StoredField, _ new: StoredField, _ description: FieldDescription,
        in table: StoredTable
    ) {
        let place = "the field '\(new.name)' of '\(table.name)'"
        var changes: [SchemaStep.FieldChange] = []

        switch ShapeComparison.compare(old.type, new.type, description.type, at: place) {
        case .equal: break
        case .harmless(let change): changes.append(change)
        case .mismatch(let found): differences.append(contentsOf: found)
        }
        if form == .columns, old.storedAs != new.storedAs {
            differences.append(
                "\(place) is stored in \(old.formInWords) and declared in \(new.formInWords)")
        }
        if old.isOptional && !new.isOptional {
            differences.append("\(place) is stored as optional and declared as required")
        } else if !old.isOptional && new.isOptional {
            changes.append(.becameOptional)
        }
        differences += CaseComparison.differences(old.cases, new.cases, at: place)
        if old.cases != new.cases { changes.append(.cases) }
        if old.rules != new.rules { changes.append(.rules) }
        if old.defaultValue != new.defaultValue { changes.append(.defaultValue) }
        compareReferences(old, new, place, &changes)

        steps += changes.map { .changeField(table: table.name, field: new.name, $0) }
    }

    /// Compares the references of a field. A reference to another table, or a new one, is a
    /// difference, because stored ids may have no target there.
    private mutating func compareReferences(
        _ old: StoredField, _ new: StoredField, _ place: String,
        _ changes: inout [SchemaStep.FieldChange]
    ) {
        // A reference that stores do not enforce is treated like no reference.
        let before = old.reference.flatMap { $0.isEnforced ? $0 : nil }
        let after = new.reference.flatMap { $0.isEnforced ? $0 : nil }
        guard let after else {
            if before != nil { changes.append(.reference) }
            return
        }
        guard let before else {
            differences.append(
                "\(place) is declared as a reference to '\(after.table)', and what is stored may refer to nothing"
            )
            return
        }
        let table = newName(ofTable: before.table)
        if table != after.table {
            differences.append(
                "\(place) is stored as a reference to '\(before.table)' and declared as one to '\(after.table)'"
            )
        } else if before.onDelete != after.onDelete {
            changes.append(.reference)
        }
    }
}

/// The comparison of the cases of an enum.
enum CaseComparison {
    /// Returns a message for each stored case that is not declared. A stored record may contain it
    /// and could then not be read.
    ///
    /// If one side has no list of cases, there are no differences: earlier versions of the library
    /// did not record the cases, and an enum that accepts unknown cases can read all of them.
    static func differences(_ old: [String]?, _ new: [String]?, at place: String) -> [String] {
        guard let old, let new else { return [] }
        let declared = Set(new)
        return old.filter { !declared.contains($0) }.map { name in
            "the case '\(name)' of \(place) is stored and not declared: it was removed, renamed, or added by a newer program"
        }
    }
}

/// The comparison of stored types, including embedded values.
///
/// A stored type is compatible if every stored value can be decoded as the declared type. Types are
/// compared recursively: elements of lists and maps, and members of embedded values.
enum ShapeComparison {
    /// The result of a comparison: equal, readable with a change, or incompatible, with messages.
    enum Verdict {
        case equal
        case harmless(SchemaStep.FieldChange)
        case mismatch([String])
    }

    /// Compares a stored type with a declared one.
    ///
    /// - Parameters:
    ///   - old: the stored type.
    ///   - new: the declared type.
    ///   - type: the declared type with the earlier names of its members.
    ///   - place: the location, for messages.
    static func compare(
        _ old: StoredShape, _ new: StoredShape, _ type: StoredType, at place: String
    ) -> Verdict {
        if old == new { return .equal }
        switch (old, new, type) {
        case (.single(let from), .single(let to), _) where isWider(to, than: from):
            return .harmless(.widened)
        case (.object(let from), .object(let to), .object(let layout)):
            return members(from, to, layout, at: place, mayGrow: true)
        case (.composite(let from), .composite(let to), .composite(let layout))
        where from.count == to.count:
            return members(from, to, layout, at: place, mayGrow: false)
        case (.list(let from, let before), .list(let to, let after), .list(let element, _)),
            (.map(let from, let before), .map(let to, let after), .map(let element, _)):
            if before && !after {
                return .mismatch(["\(place) is stored as \(old) and declared as \(new)"])
            }
            let inner = compare(from, to, element, at: place)
            if case .equal = inner { return .harmless(.members) }
            return inner
        default:
            return .mismatch(["\(place) is stored as \(old) and declared as \(new)"])
        }
    }

    /// For each integer type, the types that can represent all of its values.
    private static let wider: [String: Set<String>] = [
        "int8": ["int16", "int32", "int64"], "int16": ["int32", "int64"], "int32": ["int64"],
        "uint8": ["uint16", "uint32", "int16", "int32", "int64"],
        "uint16": ["uint32", "int32", "int64"], "uint32": ["int64"],
    ]

    /// Returns whether all values of an integer type can be represented in another.
    private static func isWider(_ new: String, than old: String) -> Bool {
        wider[old]?.contains(new) ?? false
    }

    /// Compares the members of an embedded value or a composite id. Members match by name, then by
    /// earlier name.
    ///
    /// - Parameter mayGrow: whether members may be added, which is the case for embedded values
    ///   only.
    private static func members(
        _ old: [StoredMember], _ new: [StoredMember], _ layout: FieldLayout, at place: String,
        mayGrow: Bool
    ) -> Verdict {
        var differences: [String] = []
        var found: Set<String> = []
        for (index, member) in new.enumerated() {
            let here = "'\(member.name)' in \(place)"
            let names =
                [member.name]
                + layout.fields[index].renamedFrom.filter { layout.indexByKey[$0] == index }
            let before = names.lazy
                .compactMap { name in old.first { $0.name == name && !found.contains(name) } }
                .first
            guard let before else {
                if !mayGrow || !(member.isOptional || member.defaultValue != nil) {
                    differences.append(
                        "\(here) is new and neither optional nor has a constant default")
                }
                continue
            }
            found.insert(before.name)
            if before.isOptional && !member.isOptional {
                differences.append("\(here) is stored as optional and declared as required")
            }
            differences += CaseComparison.differences(before.cases, member.cases, at: here)
            let type = layout.fields[index].type
            if case .mismatch(let inner) = compare(before.type, member.type, type, at: here) {
                differences += inner
            }
        }
        for member in old where !found.contains(member.name) {
            differences.append("'\(member.name)' in \(place) is stored and not declared")
        }
        return differences.isEmpty ? .harmless(.members) : .mismatch(differences)
    }
}

extension StoredField {
    /// The representation of the columns, for messages.
    fileprivate var formInWords: String { storedAs.map { "the form '\($0)'" } ?? "the usual form" }
}
