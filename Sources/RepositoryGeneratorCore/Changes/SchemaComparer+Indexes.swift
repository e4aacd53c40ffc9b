internal import RepositorySchema

/// The comparison of the indexes and checks of an entity.
extension SchemaComparer {
    /// Compares the indexes and checks. Indexes match by their fields, because a name may be
    /// derived from them; checks match by name.
    mutating func compareIndexes(
        _ before: EntityDeclaration, _ after: EntityDeclaration, _ owner: MemberOwner,
        _ fields: FieldPairs
    ) {
        guard let past = normal.old.declaration(.entity(before)),
            let present = normal.new.declaration(.entity(after))
        else { return }
        let renames = FieldRenaming(fields)
        func contents(_ part: NormalizedPart, _ renames: FieldRenaming?) -> String {
            let keys = part[NormalizedKey.indexFields] ?? ""
            let condition = part["where"] ?? ""
            return [
                renames?.fields(keys) ?? keys, part["unique"] ?? "",
                renames?.condition(condition) ?? condition,
            ].joined(separator: "\n")
        }
        let encrypted = (Self.encrypted(before, old), Self.encrypted(after, new))
        compareIndexes(
            past.parts.filter { $0.section == .indexes }
                .map { ($0, contents($0, renames), $0.hasKey(in: encrypted.0)) },
            present.parts.filter { $0.section == .indexes }
                .map { ($0, contents($0, nil), $0.hasKey(in: encrypted.1)) }, owner)
        compareChecks(
            past.parts.filter { $0.section == .checks },
            present.parts.filter { $0.section == .checks }, owner, renames)
    }

    /// Returns the names of the encrypted fields of an entity.
    private static func encrypted(_ entity: EntityDeclaration, _ scope: SchemaScope) -> Set<String>
    {
        Set(scope.fields(of: entity).filter(\.isEncrypted).map(\.name.value))
    }

    private typealias ComparedIndex = (part: NormalizedPart, contents: String, isHashed: Bool)

    private mutating func compareIndexes(
        _ before: [ComparedIndex], _ after: [ComparedIndex], _ owner: MemberOwner
    ) {
        var matching = NameMatching(count: after.count)
        // The name decides between several indexes of the same fields.
        matching.match(before.map { "\($0.part.name)\n\($0.contents)" }) {
            ["\(after[$0].part.name)\n\(after[$0].contents)"]
        }
        matching.match(before.map(\.contents)) { [after[$0].contents] }
        for (index, item) in zip(matching.earlier, after) {
            let name = item.part.located
            guard let index else {
                addIndex(item, to: owner)
                continue
            }
            let old = before[index].part.located
            guard !UTF8Name(old.value).isEqual(name.value) else { continue }
            var change = owner.change(
                .indexRenamed, from: old, to: name, .text(old: old.value, new: name.value))
            change.isHashed = item.isHashed
            add(change)
        }
        for (index, item) in before.enumerated() where !matching.taken.contains(index) {
            var change = owner.change(
                item.part.isUnique ? .uniqueIndexRemoved : .indexRemoved,
                from: item.part.located, to: nil, .text(old: item.part.summary, new: nil))
            change.isHashed = item.isHashed
            add(change)
        }
    }

    private mutating func addIndex(_ index: ComparedIndex, to owner: MemberOwner) {
        let part = index.part
        var change = owner.change(
            part.isUnique ? .uniqueIndexAdded : .indexAdded, from: nil, to: part.located,
            .text(old: nil, new: part.summary))
        change.isHashed = index.isHashed
        change.dependsOnData = part.isUnique && owner.isManaged && owner.migrate == nil
        warn(
            change,
            "the index '\(part.name)' of \(owner.label) is new and unique, and the migration fails "
                + "if stored records have equal values",
            help: "make sure that they have none, or write 'migrate: code' under \(owner.label)")
        add(change)
    }

    private mutating func compareChecks(
        _ before: [NormalizedPart], _ after: [NormalizedPart], _ owner: MemberOwner,
        _ renames: FieldRenaming
    ) {
        var matching = NameMatching(count: after.count)
        matching.match(before.map(\.name)) { [after[$0].name] }
        for (index, part) in zip(matching.earlier, after) {
            guard let index else {
                add(
                    owner.change(
                        .checkAdded, from: nil, to: part.located,
                        .text(old: nil, new: part["where"])))
                continue
            }
            let conditions = (before[index]["where"] ?? "", part["where"] ?? "")
            guard !UTF8Name(renames.condition(conditions.0)).isEqual(conditions.1) else { continue }
            add(
                owner.change(
                    .checkChanged, from: before[index].located, to: part.located,
                    .text(old: conditions.0, new: conditions.1)))
        }
        for (index, part) in before.enumerated() where !matching.taken.contains(index) {
            add(
                owner.change(
                    .checkRemoved, from: part.located, to: nil,
                    .text(old: part["where"], new: nil)))
        }
    }
}

/// Replaces the names of the fields of a version by the present ones.
private struct FieldRenaming {
    private let names: [String: String]

    init(_ fields: FieldPairs) {
        names = Dictionary(
            fields.pairs.compactMap { pair in
                guard let old = pair.old?.name.value, old != pair.new.name.value else {
                    return nil
                }
                return (old, pair.new.name.value)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the fields of an index, which are YAML: `[author, "-pages"]`.
    func fields(_ text: String) -> String { replacing(text, opaque: nil) }

    /// Returns a condition, which is YAML in double quotes. Texts inside the condition stay as they
    /// are.
    func condition(_ text: String) -> String { replacing(text, opaque: "\\\"") }

    /// Replaces the whole words that are fields.
    ///
    /// - Parameter opaque: What begins and ends a part without fields; nil if there is none.
    private func replacing(_ text: String, opaque: String?) -> String {
        guard !names.isEmpty else { return text }
        var result = ""
        var rest = Substring(text)
        var isOpaque = false
        var previous: Character = " "
        while let character = rest.first {
            if let opaque, rest.hasPrefix(opaque) {
                isOpaque.toggle()
                result += opaque
                rest.removeFirst(opaque.count)
            } else if character == "\\", isOpaque {
                // An escaped backslash, and what it escapes in the condition.
                let length = rest.hasPrefix("\\\\\\") ? 4 : rest.hasPrefix("\\\\") ? 3 : 2
                result += rest.prefix(length)
                rest.removeFirst(min(length, rest.count))
            } else if !isOpaque, character.isLetter || character == "_", previous != ".",
                previous != "$"
            {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                result += names[String(word)] ?? String(word)
                rest.removeFirst(word.count)
                previous = "a"
                continue
            } else {
                result.append(character)
                rest.removeFirst()
            }
            previous = character
        }
        return result
    }
}

extension NormalizedKey {
    /// The key of the fields of an index.
    fileprivate static let indexFields = "fields"
}

extension NormalizedPart {
    /// The name with its place.
    fileprivate var located: Located<String> { Located(name, at: range) }

    /// Whether an index is unique.
    fileprivate var isUnique: Bool { self["unique"] == "true" }

    /// Whether a field of an index is one of some.
    fileprivate func hasKey(in fields: Set<String>) -> Bool {
        (self[NormalizedKey.indexFields] ?? "").split { "[], -".contains($0) }
            .contains { fields.contains(String($0)) }
    }

    /// The fields of an index, and its condition.
    fileprivate var summary: String {
        let condition = self["where"].map { " where \($0)" } ?? ""
        return (self[NormalizedKey.indexFields] ?? "") + condition
    }
}
