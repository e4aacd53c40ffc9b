internal import RepositorySchema

/// A YAML value without its place, for the comparison of documents.
indirect enum YAMLValue: Equatable {
    case scalar(String, isPlain: Bool)
    case sequence([YAMLValue])
    case mapping([Entry])

    /// An entry of a mapping.
    struct Entry: Equatable {
        var key: String
        var value: YAMLValue
    }

    init(_ node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar): self = .scalar(scalar.text, isPlain: scalar.isPlain)
        case .sequence(let elements): self = .sequence(elements.map(YAMLValue.init))
        case .mapping(let entries):
            self = .mapping(
                entries.map { Entry(key: $0.key.value, value: YAMLValue($0.value)) })
        }
    }

    /// Appends the entries of an addition to the value of its key, as they are when they are parsed
    /// alone.
    mutating func add(_ addition: SchemaAddition) {
        let alone = YAMLDocuments(bytes: Array(addition.text.utf8), path: "")
        guard case .mapping(var entries) = self, let root = alone.roots.first,
            case .mapping(let added) = YAMLValue(root), let value = added.first?.value
        else { return }
        if let index = entries.firstIndex(where: { $0.key == addition.key }) {
            entries[index].value = entries[index].value.followed(by: value)
        } else {
            entries.append(Entry(key: addition.key, value: value))
        }
        self = .mapping(entries)
    }

    /// Returns the value with the entries of another one.
    private func followed(by other: YAMLValue) -> YAMLValue {
        switch (self, other) {
        case (.mapping(let own), .mapping(let others)): .mapping(own + others)
        case (.sequence(let own), .sequence(let others)): .sequence(own + others)
        default: other
        }
    }
}
