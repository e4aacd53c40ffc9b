internal import RepositoryRuntime
internal import StoredSchema

/// What a function over several tables means: it reads arrays of old records and appends to arrays
/// of new ones.
struct ModelTables {
    private let old: [StoredTable]
    private let names: [String]
    private let new: [StoredTable]
    private let name: String
    private let functions: MigrationFunctions

    /// Describes a function.
    ///
    /// - Parameters:
    ///   - old: the old tables as the function sees them.
    ///   - names: the names of the old tables, some of which old data may lack.
    ///   - new: the new tables.
    ///   - name: the name of the function.
    ///   - functions: the functions of the program.
    init(
        _ old: [StoredTable], _ names: [String], _ new: [StoredTable], _ name: String,
        _ functions: MigrationFunctions
    ) {
        self.old = old
        self.names = names
        self.new = new
        self.name = name
        self.functions = functions
    }

    /// Calls the function twice, the second time with the old records in reverse order, and
    /// compares the results.
    ///
    /// - Throws: ``ModelProblem``.
    func records(from old: [ModelRecord]) throws -> [ModelRecord] {
        let first = try run(old)
        let second = try run(old.reversed())
        for table in new {
            let texts = [first, second].map { rows in
                (rows[table.name] ?? []).map(\.ordered).sorted().joined(separator: "\n")
            }
            if texts[0] != texts[1] {
                throw ModelProblem.dependsOnOrder(
                    function: name, table: table.name, first: texts[0], second: texts[1])
            }
        }
        return first.flatMap { table, rows in
            let description = new.first { $0.name == table }
            return rows.map {
                ModelRecord(
                    description ?? StoredTable(name: table, fields: [], key: []), $0, functions,
                    ModelIDs())
            }
        }
    }

    /// Returns the records that the function writes, by table.
    private func run(_ records: [ModelRecord]) throws -> [String: [[String: StoredValue]]] {
        guard let function = functions.tables[name] else { throw ModelProblem.noFunction(name) }
        let written = WrittenRecords()
        var sources: [String: MigrationOldTable] = [:]
        for name in names {
            let rows = records.filter { $0.table == name }.map(\.values)
            let table =
                old.first { $0.name == name } ?? StoredTable(name: name, fields: [], key: [])
            let fields = table.fields.map(\.name)
            sources[name] = MigrationOldTable(
                table, ModelSource(rows: rows.map { row in fields.map { row[$0] ?? .null } }),
                program: nil, positions: Array(fields.indices), MemorySpace())
        }
        var targets: [String: (MigrationRow) throws -> Void] = [:]
        for table in new {
            targets[table.name] = { written.rows[table.name, default: []].append($0.object) }
        }
        do {
            try MigrationTables(sources: sources, targets: targets).run(function, named: name)
        } catch let failure as MigrationFunctionFailure {
            throw ModelProblem.tablesThrew(function: name, failure.underlyingError)
        } catch {
            throw ModelProblem.tablesThrew(function: name, error)
        }
        return written.rows
    }
}

/// The records that a function writes.
private final class WrittenRecords {
    var rows: [String: [[String: StoredValue]]] = [:]
}

/// An array of old records.
private struct ModelSource: MigrationSource {
    let rows: [[StoredValue]]

    func scan() -> () throws -> (place: [StoredValue], values: [StoredValue])? {
        var iterator = rows.makeIterator()
        return { iterator.next().map { ([], $0) } }
    }

    func values(at place: [StoredValue]) -> [StoredValue]? { nil }

    func find(_ fields: [Int], _ values: [StoredValue]) -> (() throws -> [StoredValue]?)? {
        var iterator = rows.filter { row in
            zip(fields, values).allSatisfy { row[$0] == $1 }
        }.makeIterator()
        return { iterator.next() }
    }
}
