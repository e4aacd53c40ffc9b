package import RepositorySchema

/// One use of a key of the schema language in a schema file. Tests measure with it which keys the
/// examples cover.
package struct KeyUse: Sendable, Hashable {
    /// The owner of the key table and the key: `an index: unique`.
    package var name: String
    /// The range from the key to the end of its value.
    package var range: SourceRange

    /// The names of all keys of the language, from the tables that the parser uses.
    package static var allNames: Set<String> {
        var names: Set<String> = []
        var tables = Kind.allCases.map(\.table) + [.settings]
        while let table = tables.popLast() {
            for key in table.keys where names.insert(name(of: key, in: table)).inserted {
                tables += key.shape.tables
            }
        }
        return names
    }

    /// The uses of keys in a file.
    package static func uses(in source: SchemaSource, isSettings: Bool) -> [KeyUse] {
        var uses: [KeyUse] = []
        for root in YAMLDocuments(bytes: source.bytes, path: source.displayPath).roots {
            if isSettings {
                collect(root, .keys(.settings), &uses)
            } else if let kind = root.entries?.first.flatMap({ Kind(rawValue: $0.key.value) }) {
                collect(root, .keys(kind.table), &uses)
            }
        }
        return uses
    }

    private static func name(of key: Key, in table: KeyTable) -> String {
        "\(table.owner): \(key.name)"
    }

    /// Appends the keys of a node and of the nodes inside it, following the shape.
    private static func collect(_ node: YAMLNode, _ shape: Shape, _ uses: inout [KeyUse]) {
        switch shape {
        case .keys(let table):
            for entry in node.entries ?? [] {
                guard let key = table[entry.key.value] else { continue }
                var range = entry.key.range
                range.end = max(range.end, entry.value.range.end)
                uses.append(KeyUse(name: name(of: key, in: table), range: range))
                collect(entry.value, key.shape, &uses)
            }
        case .named(let inner, _, _):
            for entry in node.entries ?? [] { collect(entry.value, inner, &uses) }
        case .pair(let inner, _, let table):
            guard let (names, keys) = node.pair(keys: table.keys.map(\.name)) else { return }
            for entry in names { collect(entry.value, inner, &uses) }
            collect(YAMLNode(content: .mapping(keys), range: node.range), .keys(table), &uses)
        case .list(let inner):
            for element in node.elements ?? [] { collect(element, inner, &uses) }
        case .oneOrMany(let inner):
            for element in node.elements ?? [node] { collect(element, inner, &uses) }
        case .forms(_, let list, let mapping, _):
            if let list, node.elements != nil { collect(node, list, &uses) }
            if let mapping, node.entries != nil { collect(node, mapping, &uses) }
        case .text, .optionalText, .memberName, .typeName, .identifier, .sortKey, .indexKey, .path,
            .mark,
            .flag, .flagOrText, .integer, .choice, .type, .literal:
            break
        }
    }
}

extension Shape {
    /// The key tables nested in the shape.
    fileprivate var tables: [KeyTable] {
        switch self {
        case .keys(let table): [table]
        case .named(let inner, _, _), .list(let inner), .oneOrMany(let inner): inner.tables
        case .pair(let inner, _, let table): inner.tables + [table]
        case .forms(_, let list, let mapping, _): (list?.tables ?? []) + (mapping?.tables ?? [])
        case .text, .optionalText, .memberName, .typeName, .identifier, .sortKey, .indexKey, .path,
            .mark,
            .flag, .flagOrText, .integer, .choice, .type, .literal:
            []
        }
    }
}
