internal import RepositorySchema

/// The decisions of the released versions.
///
/// A decision that a version has used may stay in the schema, but it does not count for a later
/// change. Versions are searched only for decisions that a change would need.
final class DecisionHistory {
    private typealias Version = (number: Int, set: SchemaSet)

    /// The versions with their numbers, oldest first.
    private let versions: [Version]
    /// The declarations of each version by name, as far as they were needed.
    private var declarations: [Int: [String: Declaration]] = [:]

    /// The fields of the declarations of each version, as far as they were needed.
    private var fields: [Int: [String: [String: FieldDeclaration]]] = [:]

    /// The names of declarations in each version by their names in the last one.
    private var names: [String: [[String]]] = [:]

    /// Creates a history.
    ///
    /// - Parameters:
    ///   - versions: The versions, oldest first and without gaps.
    ///   - last: The number of the last one.
    init(_ versions: [SchemaSet], last: Int) {
        self.versions = versions.enumerated().map { (last - versions.count + 1 + $0, $1) }
    }

    /// Returns the newest version in which a declaration fits.
    ///
    /// - Parameters:
    ///   - name: The name of the declaration in the last version. `renamedFrom` of the versions leads
    ///     to its earlier names.
    ///   - fits: Whether a declaration of a version fits.
    func newest(_ name: String, where fits: (Declaration) -> Bool) -> Int? {
        let names = names(of: name)
        return versions.indices.last { index in
            names[index].contains { declarations(of: versions[index])[$0].map(fits) ?? false }
        }.map { versions[$0].number }
    }

    /// Returns the newest version with a field that fits.
    ///
    /// - Parameters:
    ///   - fields: The names of the field, such as `circle.radius` in a union.
    ///   - owner: The name of its declaration in the last version.
    func newest(
        field fields: [String], of owner: String, where fits: (FieldDeclaration) -> Bool
    ) -> Int? {
        let names = names(of: owner)
        return versions.indices.last { index in
            names[index].contains { name in
                let known = self.fields(of: name, in: versions[index])
                return fields.contains { known[$0].map(fits) ?? false }
            }
        }.map { versions[$0].number }
    }

    /// Returns the newest version whose settings fit.
    func newest(where fits: (SchemaSettings) -> Bool) -> Int? {
        versions.last { fits($0.set.settings) }?.number
    }

    /// Returns the decision at an entity that migrates its records in a version; nil if there is
    /// none, or if it belongs to another version.
    ///
    /// - Parameters:
    ///   - entity: The entity in that version.
    ///   - before: The entity in the last version.
    ///   - number: The number of that version.
    func migration(
        of entity: EntityDeclaration, _ before: EntityDeclaration, next number: Int
    ) -> MigrateDecision? {
        guard let decision = entity.migrate else { return nil }
        // Without 'for', it is for the version that has it first.
        let counts =
            decision.version.map { $0.value == number }
            ?? (usedMigration(of: before.header.name.value) == nil)
        return counts ? decision : nil
    }

    /// Returns the newest version in which a function migrated the records of an entity.
    func usedMigration(of name: String) -> Int? {
        newest(name) { declaration in
            if case .entity(let entity) = declaration { return entity.migrate != nil }
            return false
        }
    }

    /// Returns the version that removed a name which no later version declares again.
    ///
    /// - Parameters:
    ///   - name: The name of a field, such as `circle.radius` in a union.
    ///   - owner: The name of its declaration in the last version.
    func removal(of name: String, in owner: String) -> Int? {
        let names = names(of: owner)
        return removal(of: name) { index in
            let found = declarations(of: versions[index])
            return names[index].lazy.compactMap { found[$0] }.first.map {
                ($0.removedNames, $0.reusedNames)
            }
        }
    }

    /// Returns the version that removed an entity, whose name no later version declares again.
    func removal(ofEntity name: String) -> Int? {
        removal(of: name) {
            (versions[$0].set.settings.removed, versions[$0].set.settings.reuse)
        }
    }

    private func removal(
        of name: String,
        by lists: (Int) -> (removed: [Located<String>], reused: [Located<String>])?
    ) -> Int? {
        var result: Int?
        for index in versions.indices {
            guard let (removed, reused) = lists(index) else { continue }
            if reused.contains(where: { $0.value == name }) { result = nil }
            if removed.contains(where: { $0.value == name }) { result = versions[index].number }
        }
        return result
    }

    /// Returns the names that a declaration had in each version.
    private func names(of name: String) -> [[String]] {
        if let found = names[name] { return found }
        var present = [name]
        var result: [[String]] = []
        for version in versions.reversed() {
            result.append(present)
            let declarations = declarations(of: version)
            let earlier = present.lazy.compactMap { declarations[$0]?.renamedFrom }.first ?? []
            if !earlier.isEmpty { present = earlier.map(\.value) }
        }
        result.reverse()
        names[name] = result
        return result
    }

    private func fields(of owner: String, in version: Version) -> [String: FieldDeclaration] {
        if let found = fields[version.number]?[owner] { return found }
        let found = declarations(of: version)[owner]?.namedFields ?? [:]
        fields[version.number, default: [:]][owner] = found
        return found
    }

    private func declarations(of version: Version) -> [String: Declaration] {
        if let found = declarations[version.number] { return found }
        let found = version.set.declarationsByName
        declarations[version.number] = found
        return found
    }
}

extension Declaration {
    /// `removed` of an entity, value or union.
    var removedNames: [Located<String>] {
        switch self {
        case .entity(let entity): entity.removed
        case .value(let value): value.removed
        case .union(let union): union.removed
        case .enumeration, .scalar, .mixin: []
        }
    }

    /// `reuse` of an entity, value or union.
    var reusedNames: [Located<String>] {
        switch self {
        case .entity(let entity): entity.reuse
        case .value(let value): value.reuse
        case .union(let union): union.reuse
        case .enumeration, .scalar, .mixin: []
        }
    }

    /// The fields by their names as `removed` has them: `circle.radius` in a union.
    fileprivate var namedFields: [String: FieldDeclaration] {
        let pairs: [(String, FieldDeclaration)]
        switch self {
        case .entity(let entity):
            let fields = entity.fields.map { ($0.name.value, $0) }
            if case .single(let id) = entity.identity {
                pairs = [(id.name.value, id)] + fields
            } else {
                pairs = fields
            }
        case .value(let value): pairs = value.fields.map { ($0.name.value, $0) }
        case .union(let union):
            pairs = union.cases.flatMap { item in
                item.fields.map { ("\(item.name.value).\($0.name.value)", $0) }
            }
        case .enumeration, .scalar, .mixin: pairs = []
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
