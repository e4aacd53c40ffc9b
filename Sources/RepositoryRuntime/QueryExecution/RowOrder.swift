/// The order of a query as binary sort keys. Comparing the bytes of two keys orders the records, so
/// that the sort values of a record are extracted only once.
struct RowOrder: Sendable {
    /// One sort key: a path, the type of its values, and the direction.
    private struct Part: Sendable {
        let path: FieldPath
        let type: StoredType
        let descending: Bool
    }

    /// The sort keys, followed by the components of the id.
    private let parts: [Part]

    /// Creates the order of the sort keys, followed by the id.
    init(_ sortKeys: [SortKey], _ table: EntityTable) {
        /// Creates a part for a path.
        func part(_ path: FieldPath, descending: Bool) -> Part {
            let fields = table.layout.fields
            // The type orders the components of a composite reference. Values at nested paths need
            // no type.
            let isField = path.names.isEmpty && fields.indices.contains(path.field)
            return Part(
                path: path, type: isField ? fields[path.field].type : .text, descending: descending)
        }
        parts =
            sortKeys.map { part($0.path, descending: $0.direction == .descending) }
            + table.key.map { part(FieldPath($0), descending: false) }
    }

    /// The paths of the values that a key consists of.
    var paths: [FieldPath] { parts.map(\.path) }

    /// Returns the key of a record.
    func key(of record: [StoredValue]) -> IndexKey {
        var writer = IndexKeyWriter()
        for part in parts {
            writer.append(part.path.value(in: record), part.type, descending: part.descending)
        }
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
