internal import RepositorySchema
internal import StoredSchema

/// The members of an entity or an embedded value in two successive versions.
struct MemberSteps {
    /// The names of the entity, value or union in the two versions.
    let owner: (old: String, new: String)
    /// Whether the members are the fields of a case of a union.
    var isUnionCase = false
    /// The members in the earlier version.
    let old: [StoredMember]
    /// The members in the later version.
    let new: [StoredMember]
    /// The declarations in the later version by stored name.
    let declared: [String: FieldDeclaration]
    /// The declarations in the earlier version by stored name.
    let oldDeclared: [String: FieldDeclaration]

    /// Returns the member of the earlier version for each one of the later version; nil if it is
    /// new.
    ///
    /// - Parameter tables: the tables of an entity, whose fields also match by their columns.
    func matches(_ tables: (StoredTable, StoredTable)?) -> [StoredMember?] {
        if let (old, new) = tables {
            var matching = FieldMatching(old, new, form: .columns)
            matching.run()
            return matchingDeclarations(matching.matches.map { $0.map(\.asMember) })
        }
        let byName = Dictionary(
            old.map { (UTF8Name($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        var taken = Set(new.map { UTF8Name($0.name) })
        return new.map { member in
            if let same = byName[UTF8Name(member.name)] { return same }
            return member.renamedFrom.names.lazy
                .filter { byName[UTF8Name($0)] != nil && taken.insert(UTF8Name($0)).inserted }
                .compactMap { byName[UTF8Name($0)] }.first
        }
    }

    /// Matches the other fields by their declared names. A field has another stored name if it
    /// becomes a reference, or is no longer one: `author` and `authorID`.
    private func matchingDeclarations(_ matches: [StoredMember?]) -> [StoredMember?] {
        var free = Dictionary(
            old.compactMap { member in
                oldDeclared[member.name].map { (UTF8Name($0.name.value), member) }
            }, uniquingKeysWith: { first, _ in first })
        let taken = Set(matches.compactMap { $0.map { UTF8Name($0.name) } })
        free = free.filter { !taken.contains(UTF8Name($0.value.name)) }
        return zip(new, matches).map { member, match in
            match
                ?? declared[member.name].flatMap {
                    free.removeValue(forKey: UTF8Name($0.name.value))
                }
        }
    }
}

/// The declared fields inside an embedded value or union.
struct InnerFields {
    /// The name of the value or union; empty for any other type.
    let owner: String
    /// Whether the type is a union.
    let isUnion: Bool
    /// The fields of a value by stored name.
    let fields: [String: FieldDeclaration]
    /// The fields of the cases of a union.
    private let cases: [String: [String: FieldDeclaration]]

    /// Resolves a type.
    init(_ type: TypeExpression?, _ scope: SchemaScope) {
        func byName(_ fields: [FieldDeclaration]) -> [String: FieldDeclaration] {
            Dictionary(
                fields.map { (scope.property(of: $0), $0) }, uniquingKeysWith: { first, _ in first }
            )
        }
        switch type.map(scope.kind) {
        case .value(let value):
            owner = value.header.name.value
            isUnion = false
            fields = byName(value.fields)
            cases = [:]
        case .union(let union):
            owner = union.header.name.value
            isUnion = true
            fields = [:]
            cases = Dictionary(
                union.cases.map { ($0.name.value, byName($0.fields)) },
                uniquingKeysWith: { first, _ in first })
        default:
            owner = ""
            isUnion = false
            fields = [:]
            cases = [:]
        }
    }

    /// Returns the fields of a case by stored name.
    func fields(ofCase name: String) -> [String: FieldDeclaration] { cases[name] ?? [:] }
}

/// The raw values of enums that another raw value replaces in stored records.
struct RemovedCases {
    private let old: SchemaScope
    private let new: SchemaScope

    /// Prepares the comparison of enums in two versions.
    init(from old: SchemaScope, to new: SchemaScope) {
        self.old = old
        self.new = new
    }

    /// Returns the replacements for an enum, as texts of raw values: of removed cases, of cases
    /// with an earlier name, and of cases with another raw value.
    func replacements(from oldName: String, to newName: String) -> [String: String] {
        guard case .enumeration(let before) = old.declarations[oldName],
            case .enumeration(let after) = new.declarations[newName]
        else { return [:] }
        let raws = Dictionary(
            after.cases.map { ($0.name.value, Self.raw($0, after)) },
            uniquingKeysWith: { first, _ in first })
        var present: [String: String] = raws
        for item in after.cases {
            for earlier in item.renamedFrom where present[earlier.value] == nil {
                present[earlier.value] = raws[item.name.value]
            }
        }
        for removed in after.removed where present[removed.name.value] == nil {
            present[removed.name.value] = raws[removed.replacement.value]
        }
        let pairs = before.cases.compactMap { item -> (String, String)? in
            let raw = Self.raw(item, before)
            guard let replacement = present[item.name.value],
                !UTF8Order.areEqual(replacement, raw)
            else { return nil }
            return (raw, replacement)
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// The text of the raw value of a case, as ``StoredField/cases`` has it.
    private static func raw(_ item: EnumCaseDeclaration, _ enumeration: EnumDeclaration) -> String {
        let raw = item.rawValue?.value ?? item.name.value
        guard enumeration.rawType.value == .int else { return raw }
        return Int64(raw).map { String($0) } ?? raw
    }
}
