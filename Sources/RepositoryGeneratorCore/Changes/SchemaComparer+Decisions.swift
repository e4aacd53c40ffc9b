internal import ConditionLanguage
internal import RepositorySchema

/// Whether a decision counts for the next version.
enum DecisionUse<Decision> {
    /// There is no decision.
    case absent
    /// It counts.
    case usable(Decision)
    /// It belongs to another version: the error for a change that needs one.
    case misplaced(message: String, help: String)

    /// The decision, if it counts.
    var usable: Decision? {
        if case .usable(let decision) = self { return decision }
        return nil
    }

    /// The error, if it does not count.
    var problem: (message: String, help: String)? {
        if case .misplaced(let message, let help) = self { return (message, help) }
        return nil
    }
}

/// The decisions at fields and entities, and the versions that they belong to.
extension SchemaComparer {
    /// Returns the use of `fill` of a field.
    func fill(
        of field: FieldDeclaration, _ before: FieldDeclaration?, _ owner: MemberOwner
    ) -> DecisionUse<FillDecision> {
        guard let fill = field.fill else { return .absent }
        let text = fill.text(field, new)
        return use(fill, of: fill.version, "fill", text, field, before, owner) { found in
            found.fill.map { $0.text(field, self.new) == text } ?? false
        }
    }

    /// Returns the use of `convert` of a field.
    func conversion(
        of field: FieldDeclaration, _ before: FieldDeclaration?, _ owner: MemberOwner
    ) -> DecisionUse<ConvertDecision> {
        guard let convert = field.convert else { return .absent }
        let text = convert.text(field, new)
        return use(convert, of: convert.version, "convert", text, field, before, owner) { found in
            found.convert.map { $0.text(field, self.new) == text } ?? false
        }
    }

    /// Returns the version that has used a decision of a field; nil if none has.
    private func version(
        of owner: MemberOwner, _ field: FieldDeclaration, _ before: FieldDeclaration?,
        where fits: (FieldDeclaration) -> Bool
    ) -> Int? {
        let names = [field.name.value, before?.name.value ?? field.name.value].map(owner.listed)
        return history.newest(field: names, of: owner.earlier.name.value, where: fits)
    }

    private func use<Decision>(
        _ decision: Decision, of version: Located<Int>?, _ key: String, _ text: String,
        _ field: FieldDeclaration, _ before: FieldDeclaration?, _ owner: MemberOwner,
        isSame: (FieldDeclaration) -> Bool
    ) -> DecisionUse<Decision> {
        let next = number + 1
        let label = "the field '\(field.name.value)' of \(owner.label)"
        let recipe = "'\(key): { \(text), for: \(next) }'"
        if let version {
            guard version.value != next else { return .usable(decision) }
            return .misplaced(
                message: "\(label) changes in version \(next), and its '\(key)' is for version "
                    + "\(version.value)",
                help: "write \(recipe) if it is right for this change, too")
        }
        guard let used = self.version(of: owner, field, before, where: isSame) else {
            return .usable(decision)
        }
        return .misplaced(
            message: "\(label) changes again, and its '\(key)' belongs to version \(used)",
            help: "write \(recipe) if it is right for this change, too, or replace it")
    }

    /// Warns of decisions of a field that decide nothing and that no version has used.
    ///
    /// - Parameter codes: The changes of the field.
    mutating func checkUnusedDecisions(
        of field: FieldDeclaration, _ before: FieldDeclaration, _ owner: MemberOwner,
        _ codes: [ChangeCode]
    ) {
        if let fill = field.fill, !codes.contains(.becameRequired),
            isUnused(fill.version),
            version(of: owner, field, before, where: { $0.fill != nil }) == nil
        {
            warnUnused("fill", fill.range, field, owner)
        }
        if let convert = field.convert,
            !codes.contains(.typeChanged), !codes.contains(.idChanged), isUnused(convert.version),
            version(of: owner, field, before, where: { $0.convert != nil }) == nil
        {
            warnUnused("convert", convert.range, field, owner)
        }
    }

    /// Warns of the decisions in a new entity, of which there are no stored records.
    mutating func checkUnusedDecisions(of entity: EntityDeclaration) {
        let owner = MemberOwner(.entity, entity.header, entity.header)
        for field in new.fields(of: entity) {
            if let fill = field.fill { warnUnused("fill", fill.range, field, owner) }
            if let convert = field.convert { warnUnused("convert", convert.range, field, owner) }
        }
    }

    /// Whether a decision could only be for the next version.
    private func isUnused(_ version: Located<Int>?) -> Bool {
        version.map { $0.value > number } ?? true
    }

    private mutating func warnUnused(
        _ key: String, _ range: SourceRange, _ field: FieldDeclaration, _ owner: MemberOwner
    ) {
        diagnostics.append(
            Diagnostic(
                "'\(key)' of the field '\(field.name.value)' of \(owner.label) decides nothing: the "
                    + "change since version \(number) does not need it",
                at: range, help: "remove it", severity: .warning, rule: .unusedDecision))
    }

    /// Warns of names in `removed` that no version has.
    mutating func checkUnusedNames() {
        let gone = Set(declarations.gone.map(\.header.name.value))
        for entry in new.set.settings.removed
        where !gone.contains(entry.value)
            && history.newest(entry.value, where: { $0.kind == .entity }) == nil
        {
            warnUnknown(entry, "entity", among: gone)
        }
        for (before, after) in declarations.pairs {
            guard let before, !after.removedNames.isEmpty else { continue }
            let known = before.memberNames
            let name = before.header.name.value
            for entry in after.removedNames
            where !known.contains(entry.value)
                && history.newest(name, where: { $0.memberNames.contains(entry.value) }) == nil
            {
                warnUnknown(entry, "field", among: known)
            }
        }
    }

    private mutating func warnUnknown(
        _ entry: Located<String>, _ noun: String, among known: Set<String>
    ) {
        let nearest = NearestName.of(entry.value, among: known.sorted())
        diagnostics.append(
            Diagnostic(
                "no version has the \(noun) '\(entry.value)' that is removed", at: entry.range,
                help: nearest.map { "did you mean '\($0)'?" } ?? "remove the name",
                severity: .warning, rule: .unusedDecision))
    }
}

extension FillDecision {
    /// The decision in canonical text.
    fileprivate func text(_ field: FieldDeclaration, _ scope: SchemaScope) -> String {
        switch source {
        case .code: "code"
        case .value(let literal):
            "value: "
                + CanonicalLiteral(scope: scope).yaml(literal.value, as: field.type.value)
        }
    }
}

extension ConvertDecision {
    /// The decision in canonical text.
    fileprivate func text(_ field: FieldDeclaration, _ scope: SchemaScope) -> String {
        switch method {
        case .code: return "code"
        case .value(nil): return "value"
        case .value(let otherwise?):
            let text = CanonicalLiteral(scope: scope).yaml(otherwise.value, as: field.type.value)
            return "value, otherwise: \(text)"
        }
    }
}

extension Declaration {
    /// The names of its fields and cases as `removed` has them.
    fileprivate var memberNames: Set<String> {
        switch self {
        case .entity(let entity):
            var names = Set(entity.fields.map(\.name.value))
            if case .single(let id) = entity.identity { names.insert(id.name.value) }
            return names
        case .value(let value): return Set(value.fields.map(\.name.value))
        case .union(let union):
            return Set(
                union.cases.flatMap { item in
                    [item.name.value] + item.fields.map { "\(item.name.value).\($0.name.value)" }
                })
        case .enumeration, .scalar, .mixin: return []
        }
    }
}
