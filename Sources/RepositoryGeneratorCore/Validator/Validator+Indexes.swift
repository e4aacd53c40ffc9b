internal import RepositorySchema

extension Validator {
    /// Checks `index` and `unique` of a field.
    mutating func checkSingleIndex(of field: FieldDeclaration) {
        for (key, flag) in [("index", field.index), ("unique", field.unique)] {
            guard let flag, flag.value, let reason = reasonAgainstIndex(field) else { continue }
            add("'\(key)' cannot be used with \(reason)", at: flag.range, help: "remove it")
        }
        guard let index = field.index, index.value, field.unique?.value == true else { return }
        add("'unique' makes an index already", at: index.range, help: "remove 'index'")
    }

    /// Checks the entries of `indexes`.
    mutating func checkIndexes(of entity: EntityDeclaration) {
        let fields = Dictionary(
            scope.fields(of: entity).map { ($0.name.value, $0) },
            uniquingKeysWith: { first, _ in first })
        for index in entity.indexes {
            var seen: Set<String> = []
            for key in index.keys {
                guard let field = fields[key.field.value] else {
                    unknownField(key.field, in: entity)
                    continue
                }
                if !seen.insert(key.field.value).inserted {
                    add(
                        "'\(key.field.value)' stands twice in the index", at: key.field.range,
                        help: "remove one of them")
                }
                if let reason = reasonAgainstIndex(field) {
                    add("\(reason) cannot be indexed", at: key.field.range, help: "remove it")
                }
            }
        }
    }

    /// Checks that no two indexes of the set have one name: databases keep them in one place for all
    /// tables, and SQLite in that of the tables.
    mutating func checkIndexNames() {
        var seen: [String: SourceRange] = [:]
        for entity in scope.entities {
            seen[scope.table(of: entity).value.lowercased()] = scope.table(of: entity).range
        }
        for entity in scope.entities {
            for (name, isDerived) in indexNames(of: entity) {
                checkSQLName(name, kind: "index")
                if let first = seen[name.value.lowercased()] {
                    add(
                        "two indexes or tables are called '\(name.value)', ignoring case",
                        at: name.range,
                        help: isDerived
                            ? "remove it, or name it: '{ fields: […], name: … }'" : "rename it",
                        notes: [Diagnostic.Note("the other one stands here", at: first)])
                } else {
                    seen[name.value.lowercased()] = name.range
                }
            }
        }
    }

    private func indexNames(
        of entity: EntityDeclaration
    ) -> [(name: Located<String>, isDerived: Bool)] {
        let table = scope.table(of: entity).value
        let single = scope.fields(of: entity).compactMap { field -> (Located<String>, Bool)? in
            guard reasonAgainstIndex(field) == nil,
                let flag = [field.index, field.unique].compactMap({ $0 }).first(where: \.value)
            else { return nil }
            let name = Naming.indexName(table: table, fields: [field.name.value])
            return (Located(name, at: flag.range), true)
        }
        let declared = entity.indexes.map { index -> (Located<String>, Bool) in
            if let name = index.name { return (name, false) }
            let name = Naming.indexName(table: table, fields: index.keys.map(\.field.value))
            return (Located(name, at: index.range), true)
        }
        return single + declared
    }

    private func reasonAgainstIndex(_ field: FieldDeclaration) -> String? {
        let type = field.type.value
        switch type.unwrapped {
        case .list: return "a list"
        case .map: return "a map"
        case .base, .named, .optional: break
        }
        if case .value(let value) = scope.kind(of: type) {
            return "the value '\(value.header.name.value)'"
        }
        return nil
    }
}
