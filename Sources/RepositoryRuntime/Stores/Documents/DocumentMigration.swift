internal import Foundation
internal import StoredSchema

/// The new documents of a migration, built in memory before anything changes.
struct DocumentMigration {
    private let opening: SchemaOpening
    private let schema: StoreSchema
    private let driver: any DocumentDriver
    private let coder: RecordCoder
    /// The stored names of the tables that are renamed, by their new names.
    private let earlierNames: [String: String]
    /// The new documents of the collections that are replaced as a whole. Keys are compared by their
    /// bytes, as ids are.
    private(set) var documents: [String: [TextKey: Data]] = [:]
    /// The documents that the conversion left as they are, by collection. The batch does not write
    /// them.
    private var unchanged: [String: Set<TextKey>] = [:]
    /// The collections of which every document is removed or replaced by the batch.
    private var emptied: Set<String> = []
    /// The new ids of records; nil if no ids change.
    private let ids: IDMigration?

    /// Converts the records.
    ///
    /// - Throws: `schemaMismatch` if records cannot be converted or do not satisfy new indexes and
    ///   references; `unsupported` if the schema does not name its entities.
    init(
        _ opening: SchemaOpening, _ schema: StoreSchema, _ driver: any DocumentDriver,
        _ coder: RecordCoder
    ) throws {
        self.opening = opening
        self.schema = schema
        self.driver = driver
        self.coder = coder
        var names: [String: String] = [:]
        for case .renameTable(let old, let new) in opening.steps { names[new] = old }
        earlierNames = names
        ids = IDMigration(opening) { MigrationMemory() }
        try ids?.run(store: driver.name, DocumentRecords(driver, coder))
        for (name, migration) in opening.migrations.sorted(by: { $0.key < $1.key }) {
            guard let entity = entity(name) else {
                throw CRUDRepositoryError.unsupported(
                    "converting the records of '\(name)' for a schema that does not name its entities",
                    by: driver.name)
            }
            documents[name] = try converted(migration, entity)
            emptied.insert(migration.stored.name)
        }
        try moveOccupants()
        try check()
    }

    /// Whether the batch changes documents.
    var changesDocuments: Bool { !documents.isEmpty || !emptied.isEmpty }

    /// Returns the Swift type of a table.
    private func entity(_ name: String) -> (any Entity.Type)? {
        zip(schema.tables, schema.entities).first { $0.0.name == name }?.1
    }

    /// Returns the new documents of a table.
    private mutating func converted<E: Entity>(
        _ migration: TableMigration, _ type: E.Type
    ) throws -> [TextKey: Data] {
        let records = RecordMigration<E>(migration)
        let table = E.Mapper.table
        var failures = MigrationFailures()
        var documents: [TextKey: Data] = [:]
        var same: Set<TextKey> = []
        let (reader, ids, coder) = (DocumentRecords(driver, coder), ids, coder)
        func convert(_ record: MigrationRecord, _ failures: inout MigrationFailures) throws {
            do {
                guard let entity = try records.entity(record, ids?.ids) else { return }
                let bytes = try coder.encodeWaiting(entity)
                let new = TextKey(entity.id.description)
                if let last = reader.last, bytes == last.data, new == last.key { same.insert(new) }
                if documents.updateValue(bytes, forKey: new) != nil {
                    failures.add("records of '\(table.name)' get the same id", id: record.id)
                }
            } catch let failure as RecordMigrationFailure {
                failures.add(failure.reason, id: record.id)
            } catch let error as CRUDRepositoryError where error.code == .invalidItem {
                failures.add(
                    "a record of '\(table.name)' is refused: \(error.message)", id: record.id)
            }
        }
        if let ids {
            try ids.forEach(table.name, &failures, reader, convert)
        } else {
            try reader.read(migration, &failures, convert)
        }
        try failures.check(store: driver.name)
        if String.isSameIdentifier(migration.stored.name, table.name) {
            unchanged[table.name] = same
        }
        return documents
    }

    /// Adds to the batch what cannot be done by removing and renaming collections afterwards: tables
    /// that get the name of another stored one.
    private mutating func moveOccupants() throws {
        let declared = Set(schema.tables.map(\.name))
        for name in opening.removedTables where declared.contains(name) { emptied.insert(name) }
        let stored = Set(earlierNames.values)
        for (new, old) in earlierNames
        where documents[new] == nil && (stored.contains(new) || earlierNames[old] != nil) {
            var copies: [TextKey: Data] = [:]
            for key in try driver.keys(in: old) {
                copies[TextKey(key)] = try driver.get(key, in: old)
            }
            documents[new] = copies
            emptied.insert(old)
        }
    }

    /// Checks new unique indexes, and the references that may have no target.
    private func check() throws {
        var indexed = Set(opening.migrations.keys)
        for case .createIndex(let table, _) in opening.steps { indexed.insert(table) }
        let referring = schema.tables.filter { table in
            opening.unverifiedTables.contains(table.name)
                || table.fields.contains { field in
                    field.reference.map {
                        opening.migrations[$0.table] != nil || opening.migrations[table.name] != nil
                    } ?? false
                }
        }
        if indexed.isEmpty, referring.isEmpty { return }
        let tables = StoreTables()
        let migrated = MigratedDocuments(
            base: driver, earlierNames: earlierNames,
            replaced: emptied.union(documents.keys).union(
                earlierNames.values.filter { earlierNames[$0] == nil }),
            documents: documents)
        try tables.add(
            schema,
            from: DocumentSource(driver: migrated, coder: coder, staged: StagedChanges()))
        var differences = try indexed.sorted().flatMap {
            try tables.table(named: $0)?.brokenUniqueIndexes() ?? []
        }
        for table in referring {
            guard let own = tables.table(named: table.name) else { continue }
            for (index, field) in table.fields.enumerated() {
                guard let reference = field.reference, reference.isEnforced,
                    let target = tables.table(named: reference.table)
                else { continue }
                let (count, ids) = try own.danglingReferences(index, to: target)
                if count == 0 { continue }
                differences.append(
                    MigrationFailures.words(
                        "the field '\(table.layout.fields[index].name)' of '\(table.name)' refers to records of '\(reference.table)' that are not there",
                        count, ids))
            }
        }
        if differences.isEmpty { return }
        throw CRUDRepositoryError.schemaMismatch(store: driver.name, differences: differences)
    }

    /// Returns the changes of the documents, for one atomic batch. Unchanged documents are left out.
    func changes() throws -> [DocumentChange] {
        var changes: [DocumentChange] = []
        for collection in emptied.union(documents.keys).sorted() {
            let new = documents[collection] ?? [:]
            for key in try driver.keys(in: collection) where new[TextKey(key)] == nil {
                changes.append(DocumentChange(key, in: collection, data: nil))
            }
            let same = unchanged[collection] ?? []
            for (key, data) in new where !same.contains(key) {
                changes.append(DocumentChange(key.text, in: collection, data: data))
            }
        }
        return changes
    }

    /// Returns what remains to be done after the batch.
    func rest(_ result: StoreDescription) -> UnfinishedMigration {
        var rest = UnfinishedMigration(result: [result])
        rest.removed = opening.removedTables.filter { !emptied.contains($0) }
        for (new, old) in earlierNames.sorted(by: { $0.key < $1.key }) {
            if emptied.contains(old) {
                // Its documents are in the new collection already.
                if schema.table(old) == nil { rest.removed.append(old) }
            } else {
                rest.renamed.append(.init(from: old, to: new))
            }
            rest.reindexed += [old, new]
        }
        rest.reindexed = Set(rest.reindexed).union(documents.keys).union(emptied).sorted()
        return rest
    }
}
