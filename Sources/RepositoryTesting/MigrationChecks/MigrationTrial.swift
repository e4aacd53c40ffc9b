internal import RepositoryRuntime
internal import StoredSchema

/// The migration of the data of one version in one store.
struct MigrationTrial: Sendable {
    /// The present schema with its functions.
    let schema: StoreSchema
    /// The version of the data.
    let version: Int
    /// The seed, for failures.
    let seed: UInt64
    /// The name of the store, for failures.
    let store: String

    /// Migrates data and compares it with the expected records.
    ///
    /// - Parameters:
    ///   - harness: creates stores.
    ///   - place: the place of the data.
    ///   - records: the expected records.
    /// - Throws: ``MigrationCheckFailure``.
    func check(
        _ harness: StoreHarness, at place: StoreLocation, _ records: OldRecords
    ) async throws {
        let recorder = FunctionRecorder()
        let schema = schema.migrating(with: recorder.recorded(schema.functions))
        let (expected, calls) = (records.expected, records.calls)
        for isMigrated in [false, true] {
            let context = RepositoryContext(
                store: try await harness.make(place), schema: schema, fullScans: .allow)
            do {
                try await context.open()
            } catch {
                throw failure(
                    isMigrated
                        ? "The migrated data cannot be opened again: \(error)"
                        : "The data cannot be opened: \(error)")
            }
            for entity in schema.entities {
                try await compare(entity, context, expected, writesRules: records.produced)
            }
            try compare(recorder.take(), with: isMigrated ? [:] : calls)
        }
    }

    /// Compares the records of a table.
    private func compare<E: Entity>(
        _ type: E.Type, _ context: RepositoryContext, _ expected: [String: [[StoredValue]]],
        writesRules produced: [String: Set<String>]
    ) async throws {
        let table = E.Mapper.table
        if !table.isManaged { return }
        let repository = PlainRepository<E>(context).includingDeleted
        let entities: [E]
        do {
            entities = try await repository.fetch()
        } catch {
            throw failure("The records cannot be read: \(error)", table)
        }
        let rows = try entities.map { try StoredValueEncoder.values(of: $0, E.Mapper.self) }
        func id(_ row: [StoredValue]) -> [StoredValue] { table.key.map { row[$0] } }
        let found = Dictionary(rows.map { (id($0), $0) }, uniquingKeysWith: { $1 })
        let wanted = expected[table.name] ?? []
        for row in wanted {
            guard let other = found[id(row)] else {
                throw failure("The record is lost.", table, row, "\(row)", "no record")
            }
            for (index, field) in table.layout.fields.enumerated() where row[index] != other[index]
            {
                throw failure(
                    "The field '\(field.name)' differs.", table, row, "\(row[index])",
                    "\(other[index])")
            }
        }
        let known = Set(wanted.map(id))
        for row in rows where !known.contains(id(row)) {
            throw failure("The record should not exist.", table, row, "no record", "\(row)")
        }
        guard rows.count == wanted.count, try await repository.count() == wanted.count else {
            throw failure(
                "The number of records differs.", table, nil, "\(wanted.count)", "\(rows.count)")
        }
        try checkRules(table, rows, produced[table.name] ?? [])
        try await checkIndexes(repository, table, rows)
        for (entity, row) in zip(entities, rows) where try await !repository.exists(entity.id) {
            throw failure("The record is not found by its id.", table, row)
        }
    }

    /// Checks that what the migration wrote satisfies the rules of the present version.
    private func checkRules(
        _ table: EntityTable, _ rows: [[StoredValue]], _ produced: Set<String>
    ) throws {
        let fields = Set(
            table.layout.fields.indices.filter { produced.contains(table.layout.fields[$0].name) })
        for row in rows {
            if let problem = table.problem(of: row, fields: fields) {
                throw failure("The record breaks a rule: \(problem).", table, row)
            }
        }
    }

    /// Checks that every index finds the records that it contains.
    private func checkIndexes<E: Entity>(
        _ repository: PlainRepository<E>, _ table: EntityTable, _ rows: [[StoredValue]]
    ) async throws {
        for (number, index) in table.indexes.enumerated() {
            let contained = rows.filter { row in index.condition?.matches(row) ?? true }
            func key(_ row: [StoredValue]) -> [StoredValue] {
                index.keys.map { table.comparable($0, in: row) }
            }
            for (values, rows) in Dictionary(grouping: contained, by: key)
            where !values.contains(.null) {
                let raw = index.keys.map { $0.path.value(in: rows[0]) }
                let found: [E]
                do {
                    found = try await repository.find(index: number, raw)
                } catch {
                    throw failure("The index '\(index.name)' cannot be read: \(error)", table)
                }
                let ids = Set(try found.map { try StoredValueEncoder.components(of: $0.id) })
                for row in rows where !ids.contains(table.key.map { row[$0] }) {
                    throw failure(
                        "The index '\(index.name)' does not find the record.", table, row)
                }
                if found.count != rows.count {
                    throw failure(
                        "The index '\(index.name)' finds other records, too.", table, rows[0],
                        "\(rows.count)", "\(found.count)")
                }
            }
        }
    }

    /// Compares the calls of functions.
    private func compare(
        _ calls: [FunctionCall: Int], with expected: [FunctionCall: Int]
    ) throws {
        for (call, count) in expected.sorted(by: { $0.key.text < $1.key.text })
        where calls[call] != count {
            throw failure(
                "The function '\(call.name)' is not called once for each record: \(call.text)",
                expected: "\(count)", actual: "\(calls[call] ?? 0)")
        }
        let others = calls.keys.filter { expected[$0] == nil }.sorted { $0.text < $1.text }
        if let call = others.first {
            throw failure(
                "The function '\(call.name)' is called for another record, or once more: \(call.text)",
                expected: "0", actual: "\(calls[call] ?? 0)")
        }
    }

    /// Creates a failure.
    func failure(
        _ message: String, _ table: EntityTable? = nil, _ row: [StoredValue]? = nil,
        _ expected: String? = nil, _ actual: String? = nil
    ) -> MigrationCheckFailure {
        let id = table.flatMap { table in
            row.map { row in
                table.key.map { "\(row[$0].identifierText)" }.joined(separator: ",")
            }
        }
        return MigrationCheckFailure(
            version: version, store: store, table: table?.name, record: id, message: message,
            expected: expected, actual: actual, seed: seed)
    }

    private func failure(
        _ message: String, expected: String, actual: String
    ) -> MigrationCheckFailure {
        failure(message, nil, nil, expected, actual)
    }
}

extension FunctionCall {
    /// The function and the values of the record.
    fileprivate var text: String { "\(name)\(old.ordered)" }
}
