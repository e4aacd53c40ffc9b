internal import RepositoryRuntime

/// The order in which tables are copied, so that no record refers to one that is not there yet.
struct CopyOrder {
    /// Tables that are written in one transaction, because their records refer to each other in a
    /// circle that no field can leave open; otherwise one table.
    struct Group {
        var entities: [any Entity.Type]
        var isOneTransaction: Bool
    }

    private(set) var groups: [Group] = []
    /// The optional fields, by table, that refer to the table itself or to a later one. They are
    /// written as null first.
    private(set) var openFields: [String: [Int]] = [:]

    /// Determines the order for a schema, whose tables follow those that they refer to as far as
    /// that is possible.
    init(_ schema: StoreSchema) {
        let entities = schema.entities.filter { !SetComparison.table(of: $0).isReadOnly }
        let tables = entities.map { SetComparison.table(of: $0) }
        var place: [String: Int] = [:]
        for (index, table) in tables.enumerated() { place[table.name] = index }
        // The last table that each one has to be written together with.
        var reach = Array(tables.indices)
        for (index, table) in tables.enumerated() {
            for (field, reference) in table.fields.enumerated() {
                guard let target = reference.reference, target.isEnforced,
                    let other = place[target.table], other >= index
                else { continue }
                if table.layout.fields[field].isOptional {
                    openFields[table.name, default: []].append(field)
                } else {
                    reach[index] = max(reach[index], other)
                    closed.insert(index)
                }
            }
        }
        var index = 0
        while index < tables.count {
            var end = reach[index]
            var next = index
            while next <= end {
                end = max(end, reach[next])
                next += 1
            }
            groups.append(
                Group(
                    entities: Array(entities[index...end]),
                    isOneTransaction: end > index || closed.contains(index)))
            index = end + 1
        }
    }

    /// The tables with a required reference to themselves or to a later table.
    private var closed: Set<Int> = []
}
