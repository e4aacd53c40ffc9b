internal import RepositorySchema

/// Warnings about indexes.
extension Linter {
    /// Warns about an index whose fields are the first fields of another index, which therefore
    /// finds the same records in the same order.
    ///
    /// References need no special treatment: stores create an index for a reference only if no
    /// declared index starts with it.
    ///
    /// ```yaml
    /// indexes:
    ///   - { fields: [room, row] }         # warning: the next index covers it
    ///   - { fields: [room, row, code] }
    /// ```
    mutating func lookForCoveredIndexes(of entity: EntityDeclaration) {
        let indexes = KeyedIndex.all(of: entity, scope).filter { !$0.isPartial }
        // In the order of their keys, indexes are directly followed by the indexes that start with
        // the same keys.
        let groups = indexes.sorted().split { $0.keys != $1.keys }
        for (place, group) in groups.enumerated() {
            guard let first = group.first else { continue }
            let kept = group.first(where: \.isUnique) ?? first
            let next = place + 1 < groups.count ? groups[place + 1].first : nil
            let longer = next.flatMap { $0.keys.starts(with: first.keys) ? $0 : nil }
            for index in group where !index.isUnique {
                if let longer {
                    warn(
                        "the index is the beginning of another one, which covers it",
                        at: index.place, help: Self.helpForIndexes, .coveredIndex,
                        notes: [Diagnostic.Note("the longer one stands here", at: longer.place)])
                } else if index.position != kept.position {
                    warn(
                        "another index has the same fields", at: index.place,
                        help: Self.helpForIndexes, .coveredIndex,
                        notes: [Diagnostic.Note("the other one stands here", at: kept.place)])
                }
            }
        }
    }

    private static let helpForIndexes = "remove it: the other one finds the same records"
}

extension [KeyedIndex] {
    /// Splits the array into groups of adjacent elements.
    ///
    /// - Parameter isBorder: Returns whether a group ends between two adjacent elements.
    fileprivate func split(where isBorder: (KeyedIndex, KeyedIndex) -> Bool) -> [[KeyedIndex]] {
        var groups: [[KeyedIndex]] = []
        for index in self {
            if let last = groups.last?.last, !isBorder(last, index) {
                groups[groups.count - 1].append(index)
            } else {
                groups.append([index])
            }
        }
        return groups
    }
}

/// An index of an entity, declared by a field or in `indexes`.
private struct KeyedIndex: Comparable {
    /// A field of the index with its direction.
    struct Key: Hashable, Comparable {
        var field: String
        var descending: Bool

        /// Orders by name, then ascending before descending.
        static func < (left: Key, right: Key) -> Bool {
            if left.field != right.field { return left.field < right.field }
            return !left.descending && right.descending
        }
    }

    /// The fields with their directions.
    var keys: [Key]
    /// Whether the index is unique. A unique index is never redundant, because it enforces a
    /// constraint.
    var isUnique: Bool
    /// Whether the index has a condition.
    var isPartial = false
    /// The source range for a warning about the index.
    var place: SourceRange
    /// The position among the indexes of the entity.
    var position = 0

    /// Orders by keys, then by position.
    static func < (left: KeyedIndex, right: KeyedIndex) -> Bool {
        left.keys == right.keys
            ? left.position < right.position : left.keys.lexicographicallyPrecedes(right.keys)
    }

    /// Returns the indexes of an entity. Those of single fields come first.
    static func all(of entity: EntityDeclaration, _ scope: SchemaScope) -> [KeyedIndex] {
        let single = scope.fields(of: entity).compactMap { field -> KeyedIndex? in
            let flags = [field.unique, field.index].compactMap { $0 }
            guard let flag = flags.first(where: \.value) else { return nil }
            return KeyedIndex(
                keys: [Key(field: field.name.value, descending: false)],
                isUnique: field.unique?.value == true, place: field.origin?.range ?? flag.range)
        }
        let declared = entity.indexes.map { index in
            KeyedIndex(
                keys: index.keys.map { Key(field: $0.field.value, descending: $0.descending) },
                isUnique: index.unique, isPartial: index.condition != nil,
                place: index.origin?.range ?? index.range)
        }
        return (single + declared).enumerated().map { position, index in
            var index = index
            index.position = position
            return index
        }
    }
}
