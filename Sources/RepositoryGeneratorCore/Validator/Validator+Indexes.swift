internal import ConditionLanguage
internal import RepositorySchema

/// Rules for indexes.
///
/// Lists, maps, values and unions cannot be indexed, but fields inside values can. An index name
/// must be unique in the set.
extension Validator {
    /// Checks `index` and `unique` of a field.
    ///
    /// A unique field has an index already, so `index` in addition to `unique` is reported.
    mutating func checkSingleIndex(of field: FieldDeclaration) {
        for (key, flag) in [("index", field.index), ("unique", field.unique)] {
            guard let flag, flag.value, let reason = reasonAgainstIndex(field) else { continue }
            add("'\(key)' cannot be used with \(reason)", at: flag.range, help: "remove it")
        }
        guard let index = field.index, index.value, field.unique?.value == true else { return }
        add("'unique' makes an index already", at: index.range, help: "remove 'index'")
    }

    /// Checks the entries of `indexes`. Those of mixins are only checked for unknown fields here;
    /// the rest is checked at the mixin.
    mutating func checkIndexes(of entity: EntityDeclaration) {
        guard !entity.indexes.isEmpty else { return }
        let fields = SchemaScope.byName(scope.fields(of: entity))
        for index in entity.indexes {
            for key in index.keys where fields[key.outerField.value] == nil {
                unknownField(key.outerField, in: entity, from: index.origin)
            }
        }
        checkIndexes(
            entity.indexes.filter { $0.origin == nil }, over: fields,
            ConditionContext(entity, scope: scope))
    }

    /// Checks the keys of indexes for duplicates and for types that cannot be indexed. Unknown
    /// fields are skipped: in a mixin, they may be fields of the including entities.
    ///
    /// - Parameters:
    ///   - fields: The known fields by name.
    ///   - context: The same fields, to find those inside values.
    mutating func checkIndexes(
        _ indexes: [IndexDeclaration], over fields: [String: FieldDeclaration],
        _ context: ConditionContext
    ) {
        for index in indexes {
            var seen: Set<String> = []
            for key in index.keys {
                if !seen.insert(key.field.value).inserted {
                    add(
                        "'\(key.field.value)' stands twice in the index", at: key.field.range,
                        help: "remove one of them")
                }
                if key.isInsideValue, fields[key.outerField.value] != nil {
                    checkInnerKey(key.field, context)
                } else if let field = fields[key.field.value],
                    let reason = reasonAgainstIndex(field)
                {
                    add("\(reason) cannot be indexed", at: key.field.range, help: "remove it")
                } else if fields[key.field.value]?.isEncrypted == true {
                    checkEncrypted(key, in: index)
                }
            }
        }
    }

    /// Checks a key inside a value, such as `shelf.room`. Databases store values as JSON, so that
    /// the type must have the same representation there, and the key must be stored by its present
    /// name.
    ///
    /// ```yaml
    /// indexes: [shelf.weight]   # reported if 'weight' is a Double: '1.0' and '1' are one number
    /// ```
    private mutating func checkInnerKey(_ key: Located<String>, _ context: ConditionContext) {
        let path = key.value.split(separator: ".").map { (name: String($0), range: 0..<0) }
        let field: ConditionField
        do throws(ConditionProblem) {
            guard let found = try context.field(path) else { return }
            field = found
        } catch {
            add(error.message, at: key.range, help: error.help)
            return
        }
        guard field.depth == 0, field.isInsideValue, let last = field.path.last else {
            add(
                "'\(key.value)' is a field of another record: an index cannot follow a reference",
                at: key.range, help: "index the reference itself, and the field at its own entity")
            return
        }
        if let reason = field.path.contains(where: \.isEncrypted)
            ? "a part of an encrypted field" : reasonAgainstIndex(last)
        {
            add("\(reason) cannot be indexed", at: key.range, help: "remove it")
        } else if let reason = SQLiteConditions(scope: scope).reason(againstPath: field) {
            add(
                "'\(key.value)' cannot be indexed inside a value: \(reason)", at: key.range,
                help: "declare it as a field of the entity itself, and index that")
        }
    }

    /// Checks that index names are unique in the set. The indexes of all tables share one namespace
    /// in databases; in SQLite they share it with the tables.
    ///
    /// Names are compared without case.
    ///
    /// ```yaml
    /// indexes:
    ///   - { fields: [title], name: by_it }
    ///   - { fields: [pages], name: BY_IT }   # reported
    /// ```
    mutating func checkIndexNames() {
        var seen: [String: SourceRange] = [:]
        for entity in scope.entities {
            seen[scope.table(of: entity).value.lowercased()] = scope.table(of: entity).range
        }
        for entity in scope.entities {
            for (name, help) in indexNames(of: entity) {
                checkSQLName(name, kind: "index")
                if let first = seen[name.value.lowercased()] {
                    add(
                        "two indexes or tables are called '\(name.value)', ignoring case",
                        at: name.range, help: help,
                        notes: [Diagnostic.Note("the other one stands here", at: first)])
                } else {
                    seen[name.value.lowercased()] = name.range
                }
            }
        }
    }

    /// Returns the names of an entity's indexes, each with the suggestion for a name that is
    /// already taken.
    private func indexNames(
        of entity: EntityDeclaration
    ) -> [(name: Located<String>, help: String)] {
        let table = scope.table(of: entity).value
        let nameIt = "remove it, or name it: '{ fields: […], name: … }'"
        let single = scope.fields(of: entity).compactMap { field -> (Located<String>, String)? in
            guard reasonAgainstIndex(field) == nil,
                let flag = [field.index, field.unique].compactMap({ $0 }).first(where: \.value)
            else { return nil }
            let name = Naming.indexName(table: table, fields: [field.name.value])
            return (Located(name, at: field.origin?.range ?? flag.range), nameIt)
        }
        let declared = entity.indexes.map { index -> (Located<String>, String) in
            let place = index.origin?.range
            if let name = index.name {
                let help = index.origin.map {
                    "remove the name in the mixin '\($0.value)': each table then has one of its own"
                }
                return (Located(name.value, at: place ?? name.range), help ?? "rename it")
            }
            let name = Naming.indexName(table: table, fields: index.keys.map(\.field.value))
            return (Located(name, at: place ?? index.range), nameIt)
        }
        return single + declared
    }

    /// Returns a description of a field that cannot be indexed, or nil if it can.
    func reasonAgainstIndex(_ field: FieldDeclaration) -> String? {
        reasonAgainstSorting(field)
    }

    /// Checks an encrypted field in an entry of `indexes`. The index contains a hash of the value, which
    /// finds equal values and has no order.
    ///
    /// ```yaml
    /// indexes:
    ///   - { fields: email, unique: true }
    ///   - { fields: [name, email] }   # reported if 'email' is encrypted
    ///   - { fields: [-email] }        # reported
    /// ```
    private mutating func checkEncrypted(_ key: SortKey, in index: IndexDeclaration) {
        if index.keys.count > 1 {
            add(
                "'\(key.field.value)' is encrypted, and an index over it has no other field",
                at: key.field.range, help: "give it an index of its own")
        } else if key.descending {
            add(
                "'\(key.field.value)' is encrypted, and an index over it has no order",
                at: key.field.range, help: "remove the '-'")
        }
    }

    /// Returns a description of a field that cannot be indexed or sorted by, or nil if it can.
    ///
    /// Lists, maps, values and unions cannot be indexed.
    func reasonAgainstSorting(_ field: FieldDeclaration) -> String? {
        let type = field.type.value
        switch type.unwrapped {
        case .list: return "a list"
        case .map: return "a map"
        case .base, .named, .optional: break
        }
        if field.isExternal { return "external data" }
        switch scope.kind(of: type) {
        case .value(let value): return "the value '\(value.header.name.value)'"
        case .union(let union): return "the union '\(union.header.name.value)'"
        case .base, .entity, .enumeration, .scalar, .unknown: return nil
        }
    }
}
