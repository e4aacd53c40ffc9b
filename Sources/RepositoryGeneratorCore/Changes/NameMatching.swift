internal import RepositorySchema

/// Matches the items of a version with those of the schema after it. Each kind of name is tried for
/// all items before the next kind, so that an earlier name never takes an item that is still
/// declared. An item is matched at most once.
struct NameMatching {
    /// The index in the version for each present item; nil if it is new.
    private(set) var earlier: [Int?]
    /// The indices in the version that are matched.
    private(set) var taken: Set<Int> = []

    /// Creates a matching for a number of present items.
    init(count: Int) { earlier = Array(repeating: nil, count: count) }

    /// Matches the items without a match by one kind of name.
    ///
    /// - Parameters:
    ///   - old: The name of each item of the version; nil for none. If several share a name, the
    ///     first one counts.
    ///   - new: The names of the present item at an index, the most important one first.
    mutating func match(_ old: [String?], _ new: (Int) -> [String]) {
        var indices: [UTF8Name: Int] = [:]
        for (index, name) in old.enumerated() where !taken.contains(index) {
            guard let name, indices[UTF8Name(name)] == nil else { continue }
            indices[UTF8Name(name)] = index
        }
        guard !indices.isEmpty else { return }
        for index in earlier.indices where earlier[index] == nil {
            let found = new(index).lazy.compactMap { indices[UTF8Name($0)] }
                .first { !taken.contains($0) }
            guard let found else { continue }
            earlier[index] = found
            taken.insert(found)
        }
    }

    /// Whether the matched items are in another order.
    var isReordered: Bool {
        let order = earlier.compactMap(\.self)
        return zip(order, order.dropFirst()).contains { $0 > $1 }
    }
}

/// The declarations of a version and those of the schema after it, matched.
///
/// Entities match by table first, because that is where their records are; all kinds match by name,
/// and then by `renamedFrom`.
struct DeclarationPairs {
    /// The present declarations in their order, with those of the version that they were.
    let pairs: [(old: Declaration?, new: Declaration)]
    /// The declarations of the version that are gone, in their order.
    let gone: [Declaration]
    /// The present names of the declarations of the version.
    let names: [String: String]
    /// The types that fields of present entities have which the version has, too.
    let referred: Set<String>
    /// The kinds of the new declarations, by name.
    private let added: [String: SchemaChange.Kind]
    /// The kinds of the declarations that are gone, by name.
    private let missing: [String: SchemaChange.Kind]

    /// Matches the declarations of two scopes, apart from mixins.
    init(_ old: SchemaScope, _ new: SchemaScope) {
        let before = old.set.declarations.filter { $0.kind != nil }
        let after = new.set.declarations.filter { $0.kind != nil }
        // A name with the kind, because only declarations of one kind match.
        func key(_ declaration: Declaration, _ name: String) -> String {
            "\(declaration.kind?.rawValue ?? "") \(name)"
        }
        func table(_ declaration: Declaration, _ scope: SchemaScope) -> String? {
            guard case .entity(let entity) = declaration else { return nil }
            return scope.table(of: entity).value
        }
        let names = before.map { key($0, $0.header.name.value) }
        let tables = before.map { table($0, old) }
        var matching = NameMatching(count: after.count)
        // The name and the table.
        matching.match(zip(names, tables).map { name, table in table.map { "\(name) \($0)" } }) {
            let declaration = after[$0]
            let name = key(declaration, declaration.header.name.value)
            return table(declaration, new).map { ["\(name) \($0)"] } ?? []
        }
        matching.match(tables) { table(after[$0], new).map { [$0] } ?? [] }
        matching.match(names) { [key(after[$0], after[$0].header.name.value)] }
        matching.match(names) { index in
            after[index].renamedFrom.map { key(after[index], $0.value) }
        }
        matching.match(tables) { index in
            guard case .entity(let entity) = after[index] else { return [] }
            return TableTranslator.renames(of: entity, new)
        }
        pairs = zip(matching.earlier, after).map { ($0.map { before[$0] }, $1) }
        gone = before.indices.filter { !matching.taken.contains($0) }.map { before[$0] }
        self.names = Dictionary(
            pairs.compactMap { old, new in
                old.map { ($0.header.name.value, new.header.name.value) }
            }, uniquingKeysWith: { first, _ in first })
        referred = Set(
            pairs.flatMap { old, new -> [FieldDeclaration] in
                guard old != nil, case .entity(let entity) = new else { return [] }
                return entity.fields
            }.compactMap(\.type.value.innermostName))
        added = Self.kinds(pairs.filter { $0.old == nil }.map(\.new))
        missing = Self.kinds(gone)
    }

    private static func kinds(_ declarations: [Declaration]) -> [String: SchemaChange.Kind] {
        Dictionary(
            declarations.compactMap { item in item.kind.map { (item.header.name.value, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the recipe for a type that may have another name: that of the version is gone, and the
    /// present one is new, of the same kind. Nil for other types.
    func likelyRename(_ before: TypeExpression, _ after: TypeExpression) -> String? {
        guard let old = before.innermostName, let new = after.innermostName,
            let kind = missing[old], kind == added[new], kind != .scalar
        else { return nil }
        return "write 'renamedFrom: \(old)' under the \(kind.rawValue) '\(new)' if it is "
            + "'\(old)' under another name"
    }
}

/// The fields of a declaration in a version and now, matched.
struct FieldPairs {
    /// The present fields in their order, with those of the version that they were.
    private(set) var pairs: [(old: FieldDeclaration?, new: FieldDeclaration)]
    /// The fields of the version that are gone, in their order.
    private(set) var gone: [FieldDeclaration]
    /// Whether the fields that are in both are in another order.
    let isReordered: Bool

    /// Matches fields by name, by `renamedFrom`, and in entities by column.
    ///
    /// - Parameters:
    ///   - old: The fields of the version.
    ///   - new: The present fields.
    ///   - columns: The columns of the fields of entities; nil for other fields.
    init(
        _ old: [FieldDeclaration], _ new: [FieldDeclaration],
        columns: (old: (FieldDeclaration) -> String, new: (FieldDeclaration) -> String)?
    ) {
        let names = old.map { Optional($0.name.value) }
        var matching = NameMatching(count: new.count)
        matching.match(names) { [new[$0].name.value] }
        matching.match(names) { new[$0].renamedFrom.map(\.value) }
        if let columns {
            let before = old.map { Optional(columns.old($0)) }
            matching.match(before) { [columns.new(new[$0])] }
            matching.match(before) { index in
                new[index].renamedFrom.flatMap { [$0.value, Naming.snakeCase($0.value)] }
            }
        }
        pairs = zip(matching.earlier, new).map { ($0.map { old[$0] }, $1) }
        gone = old.indices.filter { !matching.taken.contains($0) }.map { old[$0] }
        isReordered = matching.isReordered
    }

    /// Matches the ids of an entity if neither is matched: it has one id, whatever its name is.
    mutating func matchIDs(_ old: FieldDeclaration, _ new: FieldDeclaration) {
        guard let past = gone.firstIndex(where: { $0.name.value == old.name.value }),
            let present = pairs.firstIndex(where: {
                $0.old == nil && $0.new.name.value == new.name.value
            })
        else { return }
        gone.remove(at: past)
        pairs[present].old = old
    }

    /// Removes new and gone fields of some names.
    mutating func leaveOut(_ names: (old: Set<String>, new: Set<String>)) {
        pairs.removeAll { $0.old == nil && names.new.contains($0.new.name.value) }
        gone.removeAll { names.old.contains($0.name.value) }
    }
}

extension Declaration {
    /// The kind of a declaration that versions contain; nil for a mixin.
    var kind: SchemaChange.Kind? {
        switch self {
        case .entity: .entity
        case .value: .value
        case .union: .union
        case .enumeration: .enumeration
        case .scalar: .scalar
        case .mixin: nil
        }
    }

    /// `renamedFrom`: earlier names of the declaration.
    var renamedFrom: [Located<String>] {
        switch self {
        case .entity(let entity): entity.renamedFrom
        case .value(let value): value.renamedFrom
        case .union(let union): union.renamedFrom
        case .enumeration(let enumeration): enumeration.renamedFrom
        case .scalar, .mixin: []
        }
    }
}
