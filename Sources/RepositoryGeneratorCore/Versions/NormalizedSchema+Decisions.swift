internal import RepositorySchema

extension NormalizedSchema {
    /// Returns the schema with only those decisions that describe the change since a version.
    ///
    /// A decision of an older change may stay in the schema; it is not part of later versions. Used
    /// are
    ///
    /// - `renamedFrom`: names that the version has, if it does not have the present name yet;
    /// - `removed`: names that the version has;
    /// - `reuse`: names that the version does not have;
    /// - `fill`: of a field that is new, or was optional;
    /// - `convert`: of a field or id whose type or scale was another one;
    /// - `migrate`: always.
    ///
    /// A decision for another number is not used.
    ///
    /// - Parameters:
    ///   - old: The version before; nil for the first version, which keeps all `renamedFrom` and no
    ///     other decisions.
    ///   - number: The number of the version.
    package func keepingDecisions(since old: NormalizedSchema?, number: Int) -> NormalizedSchema {
        var result = self
        guard let old else {
            result.changeDecisions { $0 = $0.namesOnly }
            return result
        }
        let used = UsedDecisions(of: self, since: old, number: number)
        result.decisions = used.ofSettings(decisions)
        result.declarations = declarations.map { used.keeping($0) }
        return result
    }

    /// Returns the schema without any decisions.
    package var withoutDecisions: NormalizedSchema {
        var result = self
        result.changeDecisions { $0 = NormalizedDecisions() }
        return result
    }

    private mutating func changeDecisions(_ change: (inout NormalizedDecisions) -> Void) {
        change(&decisions)
        for index in declarations.indices {
            change(&declarations[index].decisions)
            for part in declarations[index].parts.indices {
                change(&declarations[index].parts[part].decisions)
            }
        }
    }
}

extension NormalizedDecisions {
    /// The decisions without all but `renamedFrom`.
    fileprivate var namesOnly: NormalizedDecisions {
        var result = NormalizedDecisions()
        result.renamedFrom = renamedFrom
        return result
    }
}

/// Finds the decisions of a schema that the change since a version uses.
private struct UsedDecisions {
    private let earlier: EarlierDeclarations
    private let present: EarlierDeclarations
    /// The functions over several entities of the version before.
    private let earlierTables: [NormalizedDecision]
    private let number: Int

    init(of schema: NormalizedSchema, since old: NormalizedSchema, number: Int) {
        earlier = EarlierDeclarations(old)
        present = EarlierDeclarations(schema)
        earlierTables = old.decisions.migrateTogether
        self.number = number
    }

    /// Returns the used decisions of the settings.
    func ofSettings(_ decisions: NormalizedDecisions) -> NormalizedDecisions {
        func hasEntity(_ name: String) -> Bool {
            earlier.declaration(named: name)?.kind == "entity"
        }
        var result = decisions
        result.removed = decisions.removed.filter(hasEntity)
        result.reuse = decisions.reuse.filter { !hasEntity($0) }
        result.migrateTogether = decisions.migrateTogether.filter { $0.isFor(number) }
            .map { $0.repeating(earlierTables) }
        return result
    }

    /// Returns a declaration with the used decisions.
    func keeping(_ declaration: NormalizedDeclaration) -> NormalizedDeclaration {
        var result = declaration
        let names = usedNames(of: declaration)
        let old = before(declaration, names)
        let parts = EarlierParts(old)
        result.decisions.renamedFrom = names
        result.decisions.removed = declaration.decisions.removed.filter { parts.has($0) }
        result.decisions.replacedCases = declaration.decisions.replacedCases.filter {
            parts.hasCase($0.name)
        }
        // Nothing is reused in a type that is new itself.
        result.decisions.reuse = declaration.decisions.reuse.filter {
            old != nil && !parts.has($0)
        }
        result.decisions.migrate = declaration.decisions.migrate.flatMap {
            old != nil && $0.isFor(number)
                ? $0.repeating(old?.decisions.migrate.map { [$0] } ?? []) : nil
        }
        for index in result.parts.indices {
            let part = result.parts[index]
            result.parts[index].decisions = used(part, parts, isNewType: old == nil)
        }
        return result
    }

    /// Returns the earlier names of a declaration that the version has, if it does not have the
    /// declaration itself.
    private func usedNames(of declaration: NormalizedDeclaration) -> [String] {
        guard let table = declaration["table"] else {
            guard earlier.declaration(named: declaration.name) == nil else { return [] }
            return declaration.earlierNames.filter {
                earlier.declaration(named: $0)?.kind == declaration.kind
            }
        }
        guard earlier.entity(inTable: table) == nil else { return [] }
        return declaration.earlierNames.filter { earlier.entity(renamedFrom: $0) != nil }
    }

    /// Returns what a declaration was in the version; nil if it is new or was of another kind.
    private func before(
        _ declaration: NormalizedDeclaration, _ names: [String]
    ) -> NormalizedDeclaration? {
        let old =
            names.lazy.compactMap { earlier.entity(renamedFrom: $0) }.first
            ?? earlier.declaration(named: declaration.name)
            ?? declaration["table"].flatMap { earlier.entity(inTable: $0) }
        return old?.kind == declaration.kind ? old : nil
    }

    /// Returns the used decisions of a part.
    private func used(
        _ part: NormalizedPart, _ parts: EarlierParts, isNewType: Bool
    ) -> NormalizedDecisions {
        var result = NormalizedDecisions()
        switch part.section {
        case .indexes, .checks, .unionCases: return result
        case .enumCases:
            guard !parts.hasCase(part.name) else { return result }
            result.renamedFrom = part.earlierNames.filter { parts.hasCase($0) }
        case .id, .fields, .caseFields:
            result.renamedFrom = parts.usedNames(of: part)
            let old = parts.earlier(part, names: result.renamedFrom)
            // The records of a new type or case have all its fields.
            let isNew = isNewType || part.owner.map { !parts.hasCase($0) } ?? false
            let isMissing = !isNew && (old?.isOptional ?? true)
            result.fill = part.decisions.fill.flatMap { isMissing && $0.isFor(number) ? $0 : nil }
            let isConverted = old.map { hasOtherType(part, $0) } ?? false
            result.convert = part.decisions.convert.flatMap {
                isConverted && $0.isFor(number) ? $0 : nil
            }
        }
        return result
    }

    /// Returns whether a field had another type: by its name, by its scale, or because the declared
    /// type is stored as another base type.
    private func hasOtherType(_ part: NormalizedPart, _ old: NormalizedPart) -> Bool {
        if part.requiredType != old.requiredType || part["scale"] != old["scale"] { return true }
        let name = part.innermostType
        guard let type = present.declaration(named: name),
            let before = earlier.declaration(named: name)
        else { return false }
        return type.kind != before.kind || type["type"] != before["type"]
            || type["stored"] != before["stored"]
    }
}

extension NormalizedPart {
    /// The type of a field as YAML, without quotes.
    private var typeText: String {
        let text = self["type"] ?? ""
        return text.hasPrefix("\"") ? String(text.dropFirst().dropLast()) : text
    }

    /// Whether the field is optional.
    fileprivate var isOptional: Bool { typeText.hasSuffix("?") }

    /// The type without the `?` of an optional field.
    fileprivate var requiredType: String {
        isOptional ? String(typeText.dropLast()) : typeText
    }

    /// The name of the type inside lists, maps and optionals.
    fileprivate var innermostType: String {
        let name = typeText.split(separator: ":").last ?? ""
        return String(name.drop { "[ ".contains($0) }.prefix { !"]?".contains($0) })
    }
}
