/// The order of a query as keys: bytes that are in order where the records are, so that what a record is sorted by is taken
/// from it once.
struct RowOrder: Sendable {
    private struct Part: Sendable {
        let path: FieldPath
        let type: StoredType
        let descending: Bool
    }

    private let parts: [Part]

    /// The order of sort keys, and then of ids.
    init(_ sortKeys: [SortKey], _ table: EntityTable) {
        func part(_ path: FieldPath, descending: Bool) -> Part {
            let fields = table.layout.fields
            // The type tells the order of the components of an id, which stands in a field of its own.
            let isField = path.names.isEmpty && fields.indices.contains(path.field)
            return Part(
                path: path, type: isField ? fields[path.field].type : .text, descending: descending)
        }
        parts =
            sortKeys.map { part($0.path, descending: $0.direction == .descending) }
            + table.key.map { part(FieldPath($0), descending: false) }
    }

    /// The paths whose values the keys are made of.
    var paths: [FieldPath] { parts.map(\.path) }

    /// The place of a record.
    func key(of record: [StoredValue]) -> IndexKey {
        var writer = IndexKeyWriter()
        for part in parts {
            writer.append(part.path.value(in: record), part.type, descending: part.descending)
        }
        return IndexKey(writer.bytes)
    }

    /// The place given as the values of the sort keys and the components of the id.
    func key(at position: [StoredValue]) -> IndexKey {
        var writer = IndexKeyWriter()
        for (part, value) in zip(parts, position) {
            writer.append(value, part.type, descending: part.descending)
        }
        return IndexKey(writer.bytes)
    }
}
