internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// A program of an old version: its schema, with the versions that it knew.
struct OldProgram: Sendable {
    /// The number of its version.
    let number: Int
    /// The tables that can be declared from their descriptions, each after those that it requires a
    /// reference to, as far as possible.
    let tables: [OldTable]
    /// The tables that cannot be declared, with the reasons.
    let problems: [OldTableProblem]
    /// The schema.
    let schema: StoreSchema

    /// Creates the program of a version.
    ///
    /// - Parameters:
    ///   - number: the number of the version.
    ///   - tables: the tables of the version.
    ///   - history: the versions of the present program.
    ///   - name: the name of the set.
    ///   - distributed: tables with the distributions that the tables of their names have.
    /// - Throws: an error of the encoder.
    init(
        _ number: Int, tables: [StoredTable], _ history: SchemaHistory, name: String,
        distributedAs distributed: [EntityTable] = []
    ) throws {
        self.number = number
        var declared: [OldTable] = []
        var problems: [OldTableProblem] = []
        for table in Self.ordered(tables) {
            do {
                declared.append(
                    try OldTable(
                        table, among: tables,
                        distributedAs: distributed.first { $0.name == table.name }))
            } catch let problem as OldTableProblem {
                problems.append(problem)
            }
        }
        var known = history
        known.versions.removeAll { $0.number > number }
        known.unreleased = nil
        let text = String(decoding: try JSONEncoder().encode(known), as: UTF8.self)
        let schema = StoreSchema(name, declared.map { Self.entity($0.entity) }, history: [text])
        for table in declared where !table.isDeclaredAsStored(in: schema) {
            problems.append(
                OldTableProblem(
                    table: table.stored.name, "cannot be declared again from its description"))
        }
        self.problems = problems
        self.tables = declared
        self.schema = schema
    }

    private static func entity<N: PlaceholderNumber>(_ number: N.Type) -> any Entity.Type {
        PlaceholderEntity<N>.self
    }

    /// Returns tables in an order in which each follows those that it requires references to.
    private static func ordered(_ tables: [StoredTable]) -> [StoredTable] {
        var rest = tables
        var ordered: [StoredTable] = []
        while !rest.isEmpty {
            let waiting = Set(rest.map(\.name))
            let free = rest.firstIndex { table in
                !table.fields.contains { field in
                    guard let reference = field.reference, !field.isOptional else { return false }
                    return reference.table != table.name && waiting.contains(reference.table)
                }
            }
            // In a circle of required references, any table can be the first.
            ordered.append(rest.remove(at: free ?? 0))
        }
        return ordered
    }

    /// Writes records as the program would.
    ///
    /// - Parameters:
    ///   - records: the rows of each table, by its name.
    ///   - store: the store.
    /// - Throws: errors of the store.
    func write(_ records: [String: [[StoredValue]]], to store: any EntityStore) async throws {
        let context = RepositoryContext(store: store, schema: schema, fullScans: .allow)
        try await context.open()
        for table in tables {
            try await Self.write(
                records[table.stored.name] ?? [], context: context, number: table.entity)
        }
    }

    private static func write<N: PlaceholderNumber>(
        _ rows: [[StoredValue]], context: RepositoryContext, number: N.Type
    ) async throws {
        let repository = PlainRepository<PlaceholderEntity<N>>(context)
        _ = try await repository.createAll(rows.map { PlaceholderEntity(values: $0) })
    }
}
