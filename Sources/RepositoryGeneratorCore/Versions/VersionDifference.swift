package import RepositorySchema

/// A difference between a schema and an earlier version of it.
package struct VersionDifference: Sendable {
    /// The difference as a sentence without a final period. It names the declaration and the field,
    /// index, check or case.
    package var message: String
    /// The place in the schema, or in the version file if the schema does not have the part.
    package var range: SourceRange
    /// The place in the version file, if the part is in both.
    package var earlier: SourceRange?
}

extension NormalizedSchema {
    /// Returns the differences from an earlier version, in the order of the declarations' names.
    /// The list is empty if both have the same text, apart from decisions. A declaration, a field or
    /// a case that `renamedFrom` connects with one of the version is compared with that one.
    ///
    /// Of the decisions, `migrate` is a difference if the version does not have it yet, because it
    /// changes data whose schema stays the same.
    ///
    /// The cost is linear in the size of both.
    ///
    /// - Parameters:
    ///   - old: The earlier version.
    ///   - number: The number that the schema would have as the next version. A `migrate` for that
    ///     number is a difference. Nil if the schema is no next version.
    package func differences(
        from old: NormalizedSchema, number: Int? = nil
    ) -> [VersionDifference] {
        let earlier = EarlierDeclarations(old)
        var names = Set(declarations.map { UTF8Name($0.name) })
        var found: [VersionDifference] = []
        for declaration in declarations {
            if let before = earlier.declaration(named: declaration.name) {
                found += declaration.differences(from: before, number: number)
                continue
            }
            let before = declaration.earlierNames.lazy
                .compactMap { earlier.entity(renamedFrom: $0) }
                .first { $0.kind == declaration.kind && !names.contains(UTF8Name($0.name)) }
            guard let before else {
                found.append(
                    VersionDifference(
                        message: "\(declaration.label) is new", range: declaration.range))
                continue
            }
            names.insert(UTF8Name(before.name))
            found.append(
                VersionDifference(
                    message: "\(declaration.label) was named '\(before.name)'",
                    range: declaration.range, earlier: before.range))
            found += declaration.differences(from: before, number: number)
        }
        for declaration in old.declarations where !names.contains(UTF8Name(declaration.name)) {
            found.append(
                VersionDifference(
                    message: "\(declaration.label) is no longer declared", range: declaration.range)
            )
        }
        for decision in decisions.migrateTogether
        where decision.isNew(amongDecisions: old.decisions.migrateTogether, number: number) {
            found.append(
                VersionDifference(
                    message: "'migrate' of the settings is new: \(decision.value)",
                    range: decision.range))
        }
        return found
    }
}

extension NormalizedDeclaration {
    /// The declaration in a message: `the entity 'Book'`.
    fileprivate var label: String { "the \(kind) '\(name)'" }

    fileprivate func differences(
        from old: NormalizedDeclaration, number: Int?
    ) -> [VersionDifference] {
        guard kind == old.kind else {
            return [
                VersionDifference(
                    message: "\(label) was \(old.kind.withArticle)", range: range,
                    earlier: old.range)
            ]
        }
        var found = KeyDifferences(label, range, old.range).between(old.keys, keys)
        if let migrate = decisions.migrate,
            migrate.isNew(
                amongDecisions: old.decisions.migrate.map { [$0] } ?? [], number: number)
        {
            found.append(
                VersionDifference(
                    message: "'migrate' of \(label) is new: \(migrate.value)",
                    range: migrate.range, earlier: old.range))
        }
        let earlier = Dictionary(
            old.parts.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
        let present = Set(parts.map(\.identity))
        let past = Set(earlier.keys)
        // The identities of the version that were compared or are still in use.
        var matched = present
        for part in parts where !part.isInsideCase(missingIn: past) {
            var before = earlier[part.identity]
            if before == nil {
                before =
                    part.earlierIdentities.lazy.filter { !matched.contains($0) }
                    .compactMap { earlier[$0] }.first
                found.append(
                    VersionDifference(
                        message: "\(part.label) of \(label) "
                            + (before.map { "was named '\($0.name)'" } ?? "is new"),
                        range: part.range, earlier: before?.range))
            }
            guard let before else { continue }
            matched.insert(before.identity)
            found += KeyDifferences("\(part.label) of \(label)", part.range, before.range)
                .between(before.keys, part.keys)
        }
        for part in old.parts
        where !matched.contains(part.identity) && !part.isInsideCase(missingIn: present) {
            found.append(
                VersionDifference(
                    message: "\(part.label) of \(label) is no longer declared", range: part.range))
        }
        return found + orderDifference(from: old, past.intersection(present))
    }

    /// Returns the difference between the orders of the parts that are in both; empty if it is the
    /// same order.
    private func orderDifference(
        from old: NormalizedDeclaration, _ kept: Set<PartIdentity>
    ) -> [VersionDifference] {
        let order = parts.filter { kept.contains($0.identity) }
        let before = old.parts.filter { kept.contains($0.identity) }
        guard let moved = zip(order, before).first(where: { $0.identity != $1.identity }) else {
            return []
        }
        let noun = moved.0.section == .fields || moved.0.section == .caseFields ? "fields" : "cases"
        return [
            VersionDifference(
                message: "the \(noun) of \(label) are in another order, from "
                    + "'\(moved.0.name)' on",
                range: moved.0.range, earlier: moved.1.range)
        ]
    }
}

/// Finds the keys that differ in one place.
private struct KeyDifferences {
    private let label: String
    private let range: SourceRange
    private let earlier: SourceRange

    init(_ label: String, _ range: SourceRange, _ earlier: SourceRange) {
        self.label = label
        self.range = range
        self.earlier = earlier
    }

    func between(_ old: [NormalizedKey], _ new: [NormalizedKey]) -> [VersionDifference] {
        var messages: [String] = []
        for key in new {
            guard let before = old.first(where: { $0.name == key.name }) else {
                messages.append("'\(key.name)' of \(label) is new: \(key.shown)")
                continue
            }
            if UTF8Name(before.value) != UTF8Name(key.value) {
                messages.append("'\(key.name)' of \(label) is \(key.shown), was \(before.shown)")
            }
        }
        for key in old where !new.contains(where: { $0.name == key.name }) {
            messages.append("'\(key.name)' of \(label) is gone, was \(key.shown)")
        }
        return messages.map { VersionDifference(message: $0, range: range, earlier: earlier) }
    }
}

/// What identifies a part within its declaration.
private struct PartIdentity: Hashable {
    let section: NormalizedPart.Section
    let owner: UTF8Name
    let name: UTF8Name
}

extension NormalizedPart {
    /// An entity has one id, whatever its name is.
    fileprivate var identity: PartIdentity {
        PartIdentity(
            section: section, owner: UTF8Name(owner ?? ""),
            name: UTF8Name(section == .id ? "" : name))
    }

    /// The identities that the part had under its earlier names.
    fileprivate var earlierIdentities: [PartIdentity] {
        earlierNames.map {
            PartIdentity(section: section, owner: UTF8Name(owner ?? ""), name: UTF8Name($0))
        }
    }

    /// The part in a message: `the field 'pages'`.
    fileprivate var label: String {
        switch section {
        case .id: "the id"
        case .fields: "the field '\(name)'"
        case .indexes: "the index '\(name)'"
        case .checks: "the check '\(name)'"
        case .enumCases, .unionCases: "the case '\(name)'"
        case .caseFields: "the field '\(name)' of the case '\(owner ?? "")'"
        }
    }

    /// Returns whether the part is a field of a case that the other declaration does not have. Then
    /// the case itself is the difference.
    fileprivate func isInsideCase(missingIn others: Set<PartIdentity>) -> Bool {
        guard section == .caseFields, let owner else { return false }
        return !others.contains(
            PartIdentity(section: .unionCases, owner: UTF8Name(""), name: UTF8Name(owner)))
    }
}

extension NormalizedDecision {
    /// Returns whether the decision changes data of a version: because it is for the next number,
    /// or because it is for no number and the version does not have it yet.
    fileprivate func isNew(amongDecisions old: [NormalizedDecision], number: Int?) -> Bool {
        if let version, let number { return version == number }
        return !old.contains { UTF8Name($0.value) == UTF8Name(value) }
    }
}

extension NormalizedKey {
    /// The value in a message, shortened if it is long.
    fileprivate var shown: String {
        value.unicodeScalars.count > 80 ? String(value.prefix(80)) + "…" : value
    }
}

extension String {
    /// The noun with its article: `an entity`.
    fileprivate var withArticle: String { ("aeiou".contains(prefix(1)) ? "an " : "a ") + self }
}
