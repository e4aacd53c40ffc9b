/// The order of a query as binary sort keys. Comparing the bytes of two keys orders the records, so
/// that the sort values of a record are extracted only once.
struct RowOrder: Sendable {
    /// One sort key: a path, the type of its values, and the direction.
    private struct Part: Sendable {
        let key: SortKey
        let type: StoredType
        let descending: Bool
    }

    /// The sort keys, followed by the components of the id.
    private let parts: [Part]

    /// Creates the order of the sort keys, followed by the id.
    init(_ sortKeys: [SortKey], _ table: EntityTable) {
        /// Creates a part for a sort key.
        func part(_ key: SortKey) -> Part {
            let (fields, path) = (table.layout.fields, key.path)
            // The type orders the components of a composite reference. Values at nested paths need
            // no type.
            let isField = path.names.isEmpty && fields.indices.contains(path.field)
            return Part(
                key: key, type: isField ? fields[path.field].type : .text,
                descending: key.direction == .descending)
        }
        parts =
            sortKeys.map(part)
            + table.key.map { part(SortKey(path: FieldPath($0), direction: .ascending)) }
    }

    /// The paths of the values that a key consists of.
    var paths: [FieldPath] { parts.flatMap(\.key.paths) }

    /// Returns the key of a record.
    func key(of record: [StoredValue]) -> IndexKey {
        var writer = IndexKeyWriter()
        for part in parts {
            writer.append(part.key.value(in: record), part.type, descending: part.descending)
        }
        return IndexKey(writer.bytes)
    }

    /// Returns the key of a record; nil if it is not before another key.
    ///
    /// Most records of a large table rank behind the wanted ones because of their first sort value:
    /// then nothing more is written, and no memory is allocated.
    ///
    /// - Parameters:
    ///   - record: the field values.
    ///   - cutoff: the other key; nil if every key is wanted.
    ///   - writer: writes the key, in storage that is used again.
    func key(
        of record: [StoredValue], before cutoff: IndexKey?, using writer: inout IndexKeyWriter
    ) -> IndexKey? {
        writer.removeAll()
        var isTied = cutoff != nil
        for part in parts {
            writer.append(part.key.value(in: record), part.type, descending: part.descending)
            guard isTied, let cutoff else { continue }
            switch writer.compare(withStartOf: cutoff) {
            case ..<0: isTied = false
            case 0: continue
            default: return nil
            }
        }
        // Complete keys that agree so far are equal.
        if isTied { return nil }
        return IndexKey(writer.bytes)
    }

    /// Returns the key of a position, given as the values of the sort keys and the components of
    /// the id.
    func key(at position: [StoredValue]) -> IndexKey {
        var writer = IndexKeyWriter()
        for (part, value) in zip(parts, position) {
            writer.append(value, part.type, descending: part.descending)
        }
        return IndexKey(writer.bytes)
    }
}
