internal import RepositoryRuntime
internal import StoredSchema

/// A place of an old version with references, whose targets get other ids in a later version.
struct FollowedReference {
    /// The name of the old table.
    let table: String
    /// The name of the old field.
    let field: String
    /// The steps inside the field.
    let steps: [String]
    /// The name of the old table to which the references refer.
    let target: String
    /// Whether the references can be null.
    let isOptional: Bool

    /// Finds the references. Members of embedded values that are renamed are left out.
    ///
    /// - Parameters:
    ///   - changes: the changes of the later versions.
    ///   - tables: the old tables.
    static func all(in changes: [DataChange], among tables: [StoredTable]) -> [FollowedReference] {
        var names = Dictionary(tables.map { ($0.name, $0.name) }, uniquingKeysWith: { $1 })
        var fields: [String: [String: String]] = [:]
        for table in tables {
            fields[table.name] = Dictionary(
                table.fields.map { ($0.name, $0.name) }, uniquingKeysWith: { $1 })
        }
        var found: [FollowedReference] = []
        for change in changes {
            switch change {
            case .renameTable(let old, let new):
                if let name = names.removeValue(forKey: old) { names[new] = name }
            case .rename(let path, let new) where path.steps.count == 1:
                guard let table = names[path.table] else { continue }
                let field = fields[table]?.removeValue(forKey: path.steps[0])
                fields[table]?[new] = field
            case .followID(let path, _, let isOptional, let target):
                guard let table = names[path.table], let target = names[target],
                    let field = path.field.flatMap({ fields[table]?[$0] })
                else { continue }
                let steps = Array(path.steps.dropFirst())
                found.append(
                    FollowedReference(
                        table: table, field: field, steps: steps, target: target,
                        isOptional: isOptional))
            default: break
            }
        }
        return found
    }
}

extension StoredValue {
    /// Returns the value with other references at the end of a path. Null stays null, and so does a
    /// reference for which there is no target.
    func replacing(_ steps: ArraySlice<String>, _ reference: () -> StoredValue?) -> StoredValue {
        if self == .null { return self }
        guard let step = steps.first else { return reference() ?? self }
        let rest = steps.dropFirst()
        switch (step, self) {
        case (DataPath.elements, .list(let elements)):
            return .list(elements.map { $0.replacing(rest, reference) })
        case (DataPath.mapValues, .object(let members)):
            return .object(members.mapValues { $0.replacing(rest, reference) })
        case (_, .object(var members)):
            members[step] = members[step]?.replacing(rest, reference)
            return .object(members)
        default: return self
        }
    }
}
