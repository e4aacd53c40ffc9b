internal import Foundation
internal import Synchronization

extension DocumentStore {
    private static var schemaNote: String { "schema" }
    private static var formatNote: String { "format" }

    /// Compares what is stored with a schema, renames collections, and writes the schema down.
    public func open(_ schema: StoreSchema) async throws {
        try StoreTables.check(schema, for: name)
        try await writing.run { [self] in
            try driver.withLock {
                try state.withLock { state in
                    try upgrade(to: schema, state)
                    state.tables.add(
                        schema,
                        from: DocumentSource(driver: driver, coder: coder, staged: state.staged))
                }
            }
        }
    }

    private func upgrade(to schema: StoreSchema, _ state: State) throws {
        let description = try driver.note(Self.schemaNote)
        let stored = try description.map { try StoredSchema(json: $0, store: name) }
        guard let stored else { return try describe(schema, after: nil) }
        try checkFormat()
        let steps = try SchemaComparison.compare(
            stored: stored, declared: schema, form: .documents
        ).steps(for: name)
        if stored.fingerprint == StoredSchema(schema).fingerprint { return }
        var earlierNames: [String: String] = [:]
        for case .renameTable(let old, let new) in steps { earlierNames[new] = old }
        try checkNewIndexes(steps, schema, earlierNames)
        // A program that dies here has renamed some collections: the next one finds them renamed and goes on.
        for (new, old) in earlierNames.sorted(by: { $0.key < $1.key }) {
            try driver.rename(collection: old, to: new)
        }
        try describe(schema, after: stored)
    }

    private func describe(_ schema: StoreSchema, after stored: StoredSchema?) throws {
        let format = Data(coder.transformer.formatExtension.utf8)
        try driver.setNote(Self.formatNote, format)
        try driver.setNote(Self.schemaNote, StoredSchema(schema, after: stored).json())
    }

    /// Records in another format would lie beside these, unseen.
    private func checkFormat() throws {
        guard let note = try driver.note(Self.formatNote) else { return }
        let format = String(decoding: note, as: UTF8.self)
        if format == coder.transformer.formatExtension { return }
        throw CRUDRepositoryError.schemaMismatch(
            store: name,
            differences: [
                "its records are stored as '\(format)', not as '\(coder.transformer.formatExtension)'"
            ])
    }

    /// Whether stored records keep a unique index that is new, looked at before anything is changed.
    private func checkNewIndexes(
        _ steps: [SchemaStep], _ schema: StoreSchema, _ earlierNames: [String: String]
    ) throws {
        var tables: Set<String> = []
        for case .createIndex(let table, _) in steps { tables.insert(table) }
        if tables.isEmpty { return }
        let looking = StoreTables()
        looking.add(
            schema,
            from: DocumentSource(
                driver: driver, coder: coder, staged: StagedChanges(), earlierNames: earlierNames))
        let broken = try tables.sorted().flatMap {
            try looking.table(named: $0)?.brokenUniqueIndexes() ?? []
        }
        if broken.isEmpty { return }
        throw CRUDRepositoryError.schemaMismatch(store: name, differences: broken)
    }

    /// Removes all records of the schema, and its description.
    public func reset() async throws {
        try await writing.run { [self] in
            try driver.withLock {
                try state.withLock { state in
                    for table in state.tables.all {
                        try driver.remove(collection: table.description.name)
                    }
                    try driver.setNote(Self.schemaNote, nil)
                    try driver.setNote(Self.formatNote, nil)
                    state.tables.removeAll()
                }
            }
        }
    }
}
