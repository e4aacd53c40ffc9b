internal import RepositorySchema
internal import StoredSchema

/// The comparison of the keys of a field other than its name and type.
extension SchemaComparer {
    mutating func compareKeys(
        _ before: FieldDeclaration, _ after: FieldDeclaration, _ owner: MemberOwner
    ) {
        let isEntity = owner.kind == .entity
        let (old, new) = (FieldNormalizer(scope: old), FieldNormalizer(scope: new))
        let parts = (
            isEntity ? old.column(before) : old.member(before, .fields),
            isEntity ? new.column(after) : new.member(after, .fields)
        )
        func differs(_ key: String) -> Bool {
            switch (parts.0[key], parts.1[key]) {
            case (nil, nil): false
            case (let before?, let after?): UTF8Name(before) != UTF8Name(after)
            case (nil, _), (_, nil): true
            }
        }
        if differs("default") { compareDefaults(before, after, owner) }
        let rules = FieldRulesComparison(parts.0, parts.1, after.type.value)
        if let code = rules.code {
            add(owner.change(code, before, after, .text(old: rules.old, new: rules.new)))
        }
        let keys: [(key: String, code: ChangeCode)] = [
            ("storedAs", .columnTypeChanged), ("encrypted", .encryptionChanged),
            ("ignoringCase", .foldingChanged),
            ("version", .versionFieldChanged), ("onCreate", .creationDateChanged),
            ("onUpdate", .updateDateChanged), ("sensitive", .sensitiveChanged),
            ("computed", .computedChanged), ("readAs", .computedChanged),
        ]
        for (key, code) in keys where differs(key) {
            var change = owner.change(
                code, before, after, .text(old: parts.0[key], new: parts.1[key]))
            if code == .foldingChanged {
                change.isUnstored = !isFolded(before, after, owner)
                change.isHashed = after.isEncrypted && !change.isUnstored
            }
            add(change)
        }
    }

    /// Adds the change of a default.
    private mutating func compareDefaults(
        _ before: FieldDeclaration, _ after: FieldDeclaration, _ owner: MemberOwner
    ) {
        let (old, new) = (before.defaultValue?.value, after.defaultValue?.value)
        // The initializer offers the time as before, and no stored data depends on it.
        if old == .now, new == nil, after.onCreateNow != nil { return }
        var change = owner.change(
            .defaultChanged, before, after, .defaultValue(old: old, new: new))
        let dynamic: [DefaultValue?] = [nil, .now]
        change.isUnstored = dynamic.contains(old) && dynamic.contains(new)
        add(change)
    }

    /// Whether an index contains the texts of a field without case, before or after the change.
    private func isFolded(
        _ before: FieldDeclaration, _ after: FieldDeclaration, _ owner: MemberOwner
    ) -> Bool {
        // Indexes may contain members of values of any entity.
        guard owner.kind == .entity else { return true }
        return [(old, owner.earlier, before), (new, owner.header, after)].contains { item in
            let (scope, header, field) = item
            guard case .entity(let entity) = scope.declarations[header.name.value] else {
                return true
            }
            let property = scope.property(of: field)
            return EntityDescriber(entity, scope: scope).table.indexes.contains { index in
                index.foldedKeys?.contains { UTF8Order.areEqual($0, property) } ?? false
            }
        }
    }
}

/// The rules for the values of a field in a version and now.
private struct FieldRulesComparison {
    /// The rules of the version as text; nil for none.
    let old: String?
    /// The present rules as text; nil for none.
    let new: String?
    /// The kind of change; nil if the rules are the same.
    let code: ChangeCode?

    private static let keys = ["minimum", "maximum", "minLength", "maxLength", "pattern"]

    init(_ before: NormalizedPart, _ after: NormalizedPart, _ type: TypeExpression) {
        func text(_ part: NormalizedPart) -> String? {
            let rules = Self.keys.compactMap { key in part[key].map { "\(key): \($0)" } }
            return rules.isEmpty ? nil : rules.joined(separator: ", ")
        }
        old = text(before)
        new = text(after)
        let changed = Self.keys.filter { key in
            UTF8Name(before[key] ?? "") != UTF8Name(after[key] ?? "")
        }
        if changed.isEmpty {
            code = nil
        } else {
            let looser = changed.filter { key in
                Self.isLooser(key, before[key], after[key], type.unwrapped)
            }
            // The store does not know whether a pattern accepts more than another one.
            let stricter = changed.filter { key in
                key == "pattern" || Self.isLooser(key, after[key], before[key], type.unwrapped)
            }
            if looser.count == changed.count {
                code = .rulesLoosened
            } else {
                code = stricter.count == changed.count ? .rulesTightened : .rulesChanged
            }
        }
    }

    /// Returns whether a rule accepts all values that it accepted.
    private static func isLooser(
        _ key: String, _ before: String?, _ after: String?, _ type: TypeExpression
    ) -> Bool {
        guard let after else { return true }
        guard let before, key != "pattern" else { return false }
        let isLower = key == "minimum" || key == "minLength"
        let (small, large) = isLower ? (after, before) : (before, after)
        if key.hasSuffix("Length") || type != .base(.date) {
            if let small = Int64(small), let large = Int64(large) { return small <= large }
            guard let small = Double(small), let large = Double(large) else { return false }
            return small < large
        }
        // Dates in their canonical text sort like the moments.
        return small.utf8.lexicographicallyPrecedes(large.utf8)
    }
}
