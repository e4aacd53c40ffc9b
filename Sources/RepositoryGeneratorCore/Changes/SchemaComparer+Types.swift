internal import RepositorySchema

/// The comparison of values, unions, enums and scalars.
extension SchemaComparer {
    /// Compares a value with that of the version.
    mutating func compare(_ before: ValueDeclaration, _ after: ValueDeclaration) {
        var owner = MemberOwner(.value, before.header, after.header)
        owner.removed = after.removed
        owner.reused = after.reuse
        compareMembers(FieldPairs(before.fields, after.fields, columns: nil), owner)
    }

    /// Compares a union with that of the version. Cases match by name.
    mutating func compare(_ before: UnionDeclaration, _ after: UnionDeclaration) {
        var owner = MemberOwner(.union, before.header, after.header)
        owner.removed = after.removed
        owner.reused = after.reuse
        var matching = NameMatching(count: after.cases.count)
        matching.match(before.cases.map(\.name.value)) { [after.cases[$0].name.value] }
        for (index, item) in zip(matching.earlier, after.cases) {
            guard let index else {
                addCase(item.name, to: owner)
                continue
            }
            let fields = FieldPairs(before.cases[index].fields, item.fields, columns: nil)
            var inner = owner
            inner.unionCase = item.name
            compareMembers(fields, inner)
        }
        for (index, item) in before.cases.enumerated() where !matching.taken.contains(index) {
            removeCase(item.name, from: owner)
        }
        if matching.isReordered { add(owner.change(.casesReordered)) }
    }

    private mutating func addCase(_ name: Located<String>, to owner: MemberOwner) {
        add(owner.change(.unionCaseAdded, from: nil, to: name))
        guard let removal = history.removal(of: name.value, in: owner.names) else { return }
        var change = owner.change(.nameReused, from: nil, to: name)
        if let entry = owner.reused.first(where: { $0.value == name.value }) {
            change.decision = .reused(entry)
            return add(change)
        }
        let list = (owner.reused.map(\.value) + [name.value]).joined(separator: ", ")
        addUndecided(
            change, "the case '\(name.value)' of \(owner.label) was removed in version \(removal)",
            help: "write 'reuse: [\(list)]' under \(owner.label) to declare the name for other "
                + "data, or choose another name")
    }

    private mutating func removeCase(_ name: Located<String>, from owner: MemberOwner) {
        var change = owner.change(.unionCaseRemoved, from: name, to: nil)
        if let entry = owner.removed.first(where: { $0.value == name.value }) {
            change.decision = .removed(entry)
            return add(change)
        }
        let list = (owner.removed.map(\.value) + [name.value]).joined(separator: ", ")
        addUndecided(
            change, "the case '\(name.value)' of \(owner.label) is no longer declared",
            help: "write 'removed: [\(list)]' under \(owner.label) to drop its values")
    }

    /// Compares a scalar with that of the version. The fields of its type are compared by what they
    /// store.
    mutating func compare(_ before: ScalarDeclaration, _ after: ScalarDeclaration) {
        let stored = (before.stored.value, after.stored.value)
        guard stored.0 != stored.1 else { return }
        let owner = MemberOwner(.scalar, before.header, after.header)
        add(
            owner.change(
                .scalarChanged, .text(old: stored.0.rawValue, new: stored.1.rawValue)))
    }

    /// Compares an enum with that of the version. Cases match by name, by `renamedFrom` and by raw
    /// value.
    mutating func compare(_ before: EnumDeclaration, _ after: EnumDeclaration) {
        let owner = MemberOwner(.enumeration, before.header, after.header)
        let raw = (before.rawValues, after.rawValues)
        if before.rawType.value != after.rawType.value {
            add(
                owner.change(
                    .rawTypeChanged,
                    .text(old: before.rawType.value.rawValue, new: after.rawType.value.rawValue)))
        }
        let names = before.cases.map { Optional($0.name.value) }
        var matching = NameMatching(count: after.cases.count)
        matching.match(names) { [after.cases[$0].name.value] }
        matching.match(names) { after.cases[$0].renamedFrom.map(\.value) }
        if before.rawType.value == after.rawType.value {
            matching.match(raw.0) { [raw.1[$0]] }
        }
        for (index, item) in after.cases.enumerated() {
            guard let earlier = matching.earlier[index] else {
                let isOpen = before.unknownCase != nil
                add(
                    owner.change(
                        isOpen ? .openCaseAdded : .caseAdded, from: nil, to: item.name,
                        .text(old: nil, new: raw.1[index])))
                continue
            }
            compareCase(
                (before.cases[earlier], raw.0[earlier]), (item, raw.1[index]), owner)
        }
        removeCases(before, after, matching, owner)
        compareUnknown(before.unknownCase, after.unknownCase, owner)
        if matching.isReordered { add(owner.change(.casesReordered)) }
    }

    private mutating func compareCase(
        _ before: (item: EnumCaseDeclaration, raw: String),
        _ after: (item: EnumCaseDeclaration, raw: String), _ owner: MemberOwner
    ) {
        let names = (before.item.name, after.item.name)
        if !UTF8Name(names.0.value).isEqual(names.1.value) {
            var change = owner.change(
                .caseRenamed, from: names.0, to: names.1,
                .text(old: names.0.value, new: names.1.value))
            change.decision =
                after.item.renamedFrom.first { $0.value == names.0.value }.map { .renamed($0) }
            add(change)
        }
        guard !UTF8Name(before.raw).isEqual(after.raw) else { return }
        add(
            owner.change(
                .rawValueChanged, from: names.0, to: names.1,
                .text(old: before.raw, new: after.raw)))
    }

    /// Adds the cases that are gone, with those that replace them.
    private mutating func removeCases(
        _ before: EnumDeclaration, _ after: EnumDeclaration, _ matching: NameMatching,
        _ owner: MemberOwner
    ) {
        let gone = before.cases.indices.filter { !matching.taken.contains($0) }
        let added = after.cases.indices.filter { matching.earlier[$0] == nil }
        let entries = Dictionary(
            after.removed.map { ($0.name.value, $0) }, uniquingKeysWith: { first, _ in first })
        let undecided = gone.filter { entries[before.cases[$0].name.value] == nil }
        for index in gone {
            let name = before.cases[index].name
            var change = owner.change(.caseRemoved, from: name, to: nil)
            if let entry = entries[name.value] {
                change.detail = .text(old: name.value, new: entry.replacement.value)
                change.decision = .replaced(entry)
                add(change)
                continue
            }
            let list = after.removed.map { "\($0.name.value): \($0.replacement.value)" }
            func removal(_ other: String) -> String {
                "'removed: { \((list + ["\(name.value): \(other)"]).joined(separator: ", ")) }' "
                    + "under \(owner.label)"
            }
            if undecided.count == 1, added.count == 1, let index = added.first {
                let twin = after.cases[index].name
                let renamed =
                    "{ \(twin.value): \(after.rawValues[index]), renamedFrom: \(name.value) }"
                addUndecided(
                    change,
                    "the case '\(name.value)' of \(owner.label) is gone and the case "
                        + "'\(twin.value)' is new", at: twin.range,
                    help: "write '\(renamed)' for the case '\(twin.value)' if it means the same, "
                        + "or \(removal(twin.value)) with the case that replaces "
                        + "it in stored records")
            } else {
                let other = after.cases.first?.name.value ?? "…"
                addUndecided(
                    change, "the case '\(name.value)' of \(owner.label) is no longer declared",
                    help: "write \(removal(other)) with the case that replaces it in stored "
                        + "records")
            }
        }
    }

    private mutating func compareUnknown(
        _ before: Located<String>?, _ after: Located<String>?, _ owner: MemberOwner
    ) {
        switch (before, after) {
        case (nil, nil): break
        case (nil, let after?): add(owner.change(.unknownCaseAdded, from: nil, to: after))
        case (let before?, nil):
            var change = owner.change(.unknownCaseRemoved, from: before, to: nil)
            change.dependsOnData = true
            warn(
                change,
                "\(owner.label) no longer has an unknown case, and the migration fails if a "
                    + "stored value is none of its cases",
                help: "keep 'unknown: \(before.value)'")
            add(change)
        case (let before?, let after?):
            guard !UTF8Name(before.value).isEqual(after.value) else { return }
            add(
                owner.change(
                    .caseRenamed, from: before, to: after,
                    .text(old: before.value, new: after.value)))
        }
    }
}

extension EnumDeclaration {
    /// The raw values of the cases in canonical text.
    fileprivate var rawValues: [String] {
        cases.map { CanonicalLiteral.text($0.rawValue?.value ?? $0.name.value, as: rawType.value) }
    }
}
