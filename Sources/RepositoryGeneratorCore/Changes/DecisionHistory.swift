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

    /// Creates a history.
    ///
    /// - Parameters:
    ///   - versions: The versions, oldest first and without gaps.
    ///   - last: The number of the last one.
    init(_ versions: [SchemaSet], last: Int) {
        self.versions = versions.enumerated().map { (last - versions.count + 1 + $0, $1) }
    }

    /// Returns the newest version with a declaration of one of the names that fits.
    func newest(
        _ names: [String], where fits: (Declaration) -> Bool
    ) -> Int? {
        versions.last { version in
            let declarations = declarations(of: version)
            return names.contains { declarations[$0].map(fits) ?? false }
        }?.number
    }

    /// Returns the newest version whose settings fit.
    func newest(where fits: (SchemaSettings) -> Bool) -> Int? {
        versions.last { fits($0.set.settings) }?.number
    }

    /// Returns the version that removed a name which no later version declares again.
    ///
    /// - Parameters:
    ///   - name: The name of a field, such as `circle.radius` in a union.
    ///   - names: The names of the declaration.
    func removal(of name: String, in names: [String]) -> Int? {
        removal(of: name) { version in
            let found = declarations(of: version)
            return names.compactMap { found[$0] }.first.map { ($0.removedNames, $0.reusedNames) }
        }
    }

    /// Returns the version that removed an entity, whose name no later version declares again.
    func removal(ofEntity name: String) -> Int? {
        removal(of: name) { ($0.set.settings.removed, $0.set.settings.reuse) }
    }

    private func removal(
        of name: String,
        by lists: (Version) -> (removed: [Located<String>], reused: [Located<String>])?
    ) -> Int? {
        var result: Int?
        for version in versions {
            guard let (removed, reused) = lists(version) else { continue }
            if reused.contains(where: { $0.value == name }) { result = nil }
            if removed.contains(where: { $0.value == name }) { result = version.number }
        }
        return result
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

    /// The field with a name, and in a union with the name of its case before it.
    func field(at path: [String]) -> FieldDeclaration? {
        guard let name = path.last else { return nil }
        switch self {
        case .entity(let entity):
            if case .single(let id) = entity.identity, id.name.value == name { return id }
            return entity.fields.first { $0.name.value == name }
        case .value(let value): return value.fields.first { $0.name.value == name }
        case .union(let union):
            return union.cases.first { $0.name.value == path.first }?.fields
                .first { $0.name.value == name }
        case .enumeration, .scalar, .mixin: return nil
        }
    }
}
