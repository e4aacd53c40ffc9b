internal import RepositoryRuntime

/// The order in which tables are copied, so that no record refers to one that is not there yet.
///
/// The generator refuses circles of required references. A table follows the tables that it refers
/// to by them; optional references to the table itself or to a later one are written as null first.
struct CopyOrder {
    /// The entities, in their order.
    private(set) var entities: [any Entity.Type] = []
    /// The fields, by table, that are written as null first.
    private(set) var openFields: [String: [Int]] = [:]

    /// Determines the order for a schema.
    init(_ schema: StoreSchema) {
        var rest = schema.copiedEntities
        var placed: Set<String> = []
        while !rest.isEmpty {
            let waiting = Set(rest.map { $0.table.name })
            // A circle, which only a schema without a generator can have, is left to the target.
            let next =
                rest.firstIndex {
                    let table = $0.table
                    return Self.references(of: table).allSatisfy {
                        $0.isOptional || $0.target == table.name || !waiting.contains($0.target)
                    }
                } ?? 0
            let table = rest[next].table
            openFields[table.name] = Self.references(of: table)
                .filter { $0.isOptional && !placed.contains($0.target) }.map(\.field)
            placed.insert(table.name)
            entities.append(rest.remove(at: next))
        }
    }

    private static func references(
        of table: EntityTable
    ) -> [(field: Int, target: String, isOptional: Bool)] {
        table.fields.indices.compactMap { field in
            guard let reference = table.fields[field].reference, reference.isEnforced else {
                return nil
            }
            return (field, reference.table, table.layout.fields[field].isOptional)
        }
    }
}
