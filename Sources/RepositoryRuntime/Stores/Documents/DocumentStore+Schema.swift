internal import Foundation
internal import Synchronization

extension DocumentStore {
    /// Several generated sets may share a store, each with tables of its own.
    private static func schemaNote(_ set: String) -> String { "schema of \(set)" }
    private static func formatNote(_ set: String) -> String { "format of \(set)" }

    /// Compares what is stored with a schema, renames collections, and writes the schema down.
    public func open(_ schema: StoreSchema) async throws {
        try StoreTables.check(schema, for: name)
        try await alone { [self] in
            try driver.recover()
            try openNow(schema)
        }
    }

    /// Opens a schema; the lock is held.
    func openNow(_ schema: StoreSchema) throws {
        try state.withLock { state in
            try upgrade(to: schema, state)
            state.sets.names.insert(schema.name)
            state.tables.add(
                schema,
                from: DocumentSource(driver: driver, coder: coder, staged: state.staged))
        }
    }

    private func upgrade(to schema: StoreSchema, _ state: State) throws {
        let description = try driver.note(Self.schemaNote(schema.name))
        let stored = try description.map { try StoredSchema(json: $0, store: name) }
        guard let stored else { return try describe(schema, after: nil) }
        try checkFormat(of: schema)
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
            try driver.remove(collection: DocumentIndexNames.collection(of: old))
        }
        try describe(schema, after: stored)
    }

    private func describe(_ schema: StoreSchema, after stored: StoredSchema?) throws {
        let format = Data(coder.transformer.formatExtension.utf8)
        try driver.setNote(Self.formatNote(schema.name), format)
        try driver.setNote(
            Self.schemaNote(schema.name), StoredSchema(schema, after: stored).json())
    }

    /// Records in another format would lie beside these, unseen.
    private func checkFormat(of schema: StoreSchema) throws {
        guard let note = try driver.note(Self.formatNote(schema.name)) else { return }
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
        try await alone { [self] in
            // A note of an unfinished batch would bring back what is removed here.
            try driver.recover()
            try state.withLock { state in
                for name in state.tables.names.sorted() {
                    try driver.remove(collection: name)
                    if state.tables.table(named: name)?.hasIndexes ?? false {
                        try driver.remove(
                            collection: DocumentIndexNames.collection(of: name))
                    }
                }
                // Last, so that a program that dies before is not taken for one that never was.
                for set in state.sets.names.sorted() {
                    try driver.setNote(Self.schemaNote(set), nil)
                    try driver.setNote(Self.formatNote(set), nil)
                }
                state.tables.removeAll()
                state.sets.names = []
                changes.send(.anything)
            }
        }
    }

    /// Makes the indexes anew: reads every record, and passes over those that cannot be read.
    public func rebuildIndexes() async throws {
        try await alone { [self] in
            try driver.recover()
            try state.withLock { state in
                for table in state.tables.all { try table.rebuildIndexes() }
            }
        }
    }
}
