internal import Foundation
internal import StoredSchema

/// The conversion of the documents of a migration, before anything changes.
///
/// Documents are read, converted and passed to the output in small groups, so that the memory does
/// not depend on their number, except that of an output in memory.
struct DocumentMigration {
    private let opening: SchemaOpening
    private let schema: StoreSchema
    private let driver: any DocumentDriver
    private let coder: RecordCoder
    /// Receives the new documents.
    private let output: any MigrationOutput
    /// Counts the records, and ends the conversion if the task was cancelled.
    private let reporter: MigrationReporter
    /// The stored names of the tables that are renamed, by their new names.
    private let earlierNames: [String: String]
    /// The tables that have new documents.
    private var changed: Set<String> = []
    /// Those of them that keep documents: whose keys do not change, so that only changed documents
    /// are written. They may be renamed.
    private var amended: Set<String> = []
    /// The collections of which every stored document is removed or replaced.
    private(set) var emptied: Set<String> = []
    /// The new ids of records; nil if no ids change.
    private let ids: IDMigration?
    /// What the migration needs later.
    private let space: any MigrationSpace
    /// Receives the documents that cannot be converted; nil if they are an error.
    private let setAside: SetAsideFile?

    /// Prepares the conversion.
    init(
        _ opening: SchemaOpening, _ schema: StoreSchema, _ driver: any DocumentDriver,
        _ coder: RecordCoder, to output: any MigrationOutput, in space: any MigrationSpace,
        _ reporter: MigrationReporter, _ setAside: SetAsideFile?
    ) throws {
        self.space = space
        self.setAside = setAside
        self.opening = opening
        self.reporter = reporter
        self.schema = schema
        self.driver = driver
        self.coder = coder
        self.output = output
        var names: [String: String] = [:]
        for (old, new) in opening.renamedTables { names[new] = old }
        earlierNames = names
        ids = try IDMigration(opening, in: space, setsAside: setAside != nil)
    }

    /// Converts the records of all tables and checks the result.
    ///
    /// - Throws: `schemaMismatch` if records cannot be converted or do not satisfy new indexes and
    ///   references; `unsupported` if the schema does not name its entities.
    mutating func run() throws {
        for forgotten in opening.forgottenDeletions { try requireNoneDeleted(forgotten) }
        try ids?.run(store: driver.name, DocumentRecords(driver, coder, setAside))
        for (name, migration) in opening.migrations.sorted(by: { $0.key < $1.key }) {
            guard let entity = entity(name), let table = schema.table(name) else {
                throw CRUDRepositoryError.unsupported(
                    "converting the records of '\(name)' for a schema that does not name its entities",
                    by: driver.name)
            }
            changed.insert(name)
            if migration.keepsKeys(of: table) {
                amended.insert(name)
            } else {
                emptied.insert(migration.stored.name)
            }
            try convert(migration, entity)
        }
        for (name, fields) in opening.rewrites.sorted(by: { $0.key < $1.key }) {
            guard let entity = entity(name) else { continue }
            let stored = earlierNames[name] ?? name
            changed.insert(name)
            if takesName(name, stored) { emptied.insert(stored) } else { amended.insert(name) }
            try rewrite(stored, fields, entity)
        }
        try runFunctions()
        try moveOccupants()
        try moveCounters()
        try check()
    }

    /// Checks that no record is deleted of a table whose deleted records would come back. A record
    /// that cannot be read is none.
    private func requireNoneDeleted(_ forgotten: ForgottenDeletion) throws {
        let layout = try StoredRowLayout(
            forgotten.stored, names: forgotten.names, missing: forgotten.missing)
        var count = 0
        try driver.visitDocuments(of: forgotten.table) { _, data in
            do {
                let values = try coder.valuesWaiting(data, layout)
                if values[forgotten.index] != .null { count += 1 }
            } catch is RecordDecodingError {
                return
            }
        }
        try forgotten.require(noneOf: count, in: driver.name)
    }

    /// Returns whether a renamed table gets the name of another stored one, or another table gets
    /// its name.
    private func takesName(_ new: String, _ old: String) -> Bool {
        !String.isSameIdentifier(new, old)
            && (earlierNames.values.contains(new) || earlierNames[old] != nil)
    }

    /// Runs the functions that migrate several tables together.
    private mutating func runFunctions() throws {
        if opening.tableFunctions.isEmpty { return }
        changed.formUnion(opening.producedTables)
        emptied.formUnion(opening.replacedTables)
        let storage = DocumentTablesMigration(driver, coder, output, space, setAside)
        var run = TablesMigrationRun(schema, storage, reporter, settingAside: setAside != nil)
        try run.run(opening.tableFunctions)
    }

    /// Returns the Swift type of a table.
    private func entity(_ name: String) -> (any Entity.Type)? {
        zip(schema.tables, schema.entities).first { $0.0.name == name }?.1
    }

    /// Converts the documents of a table, and passes the changed ones to the output.
    private func convert<E: Entity>(_ migration: TableMigration, _ type: E.Type) throws {
        let name = E.Mapper.table.name
        var conversion = try DocumentConversion<E>(
            migration, coder, driver, output, isAmended: amended.contains(name), ids,
            setAside)
        try reporter.begin(name)
        let isConverted =
            try ids?.forEachConverted(name) {
                try reporter.next()
                try conversion.convert($0)
            } ?? false
        if !isConverted {
            try driver.visitDocuments(
                of: migration.stored.name, where: migration.stored.isID
            ) { key, data in
                try reporter.next()
                try conversion.convert(key, data)
            }
        }
        try conversion.finish()
        reporter.flush()
    }

    /// Passes the documents of a table to the output whose encoding in the current schema differs
    /// from the stored bytes. Documents that cannot be read stay as they are.
    private func rewrite<E: Entity>(
        _ stored: String, _ fields: EarlierFields, _ type: E.Type
    ) throws {
        let name = E.Mapper.table.name
        let reading = EarlierReading(fields, E.Mapper.layout)
        var buffer = NewDocumentBuffer(output, name)
        try reporter.begin(name)
        try driver.visitDocuments(of: stored) { key, data in
            try reporter.next()
            let new = try rewritten(key, data, type, reading)
            if amended.contains(name), new == nil || new == data { return }
            _ = try buffer.add(NewDocument(key: key, data: new ?? data), of: key)
        }
        _ = try buffer.flush()
        reporter.flush()
    }

    /// Returns the encoding of a document in the current schema; nil if it cannot be read or is not
    /// a record.
    private func rewritten<E: Entity>(
        _ key: String, _ data: Data, _ type: E.Type, _ reading: EarlierReading
    ) throws -> Data? {
        guard let id = E.ID(documentKey: key) else { return nil }
        do {
            let record = try coder.decodeWaiting(data, type, id: id, as: reading)
            return try coder.encodeWaiting(record)
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            return nil
        }
    }

    /// Passes to the output what cannot be done by removing and renaming collections afterwards:
    /// tables that get the name of another stored one.
    private mutating func moveOccupants() throws {
        let declared = Set(schema.tables.map(\.name))
        for name in opening.removedTables where declared.contains(name) { emptied.insert(name) }
        for (new, old) in earlierNames.sorted(by: { $0.key < $1.key })
        where !changed.contains(new) && takesName(new, old) {
            changed.insert(new)
            emptied.insert(old)
            var buffer = NewDocumentBuffer(output, new)
            try driver.visitDocuments(of: old) { key, data in
                _ = try buffer.add(NewDocument(key: key, data: data), of: key)
            }
            _ = try buffer.flush()
        }
    }

    /// Passes the counters of given ids of renamed tables to the output, under the new names. One
    /// that cannot be read stays behind: the next id is then greater than those of all records.
    private mutating func moveCounters() throws {
        let table = IDCounterMapper.table.name
        let moved = try opening.movedCounters { name in
            let id = IDCounter.ID(name)
            guard let data = try driver.get(id.description, in: table) else { return nil }
            do {
                return try coder.decodeWaiting(data, IDCounter.self, id: id).last
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                return nil
            }
        }
        if moved.isEmpty { return }
        for (name, last) in moved {
            let id = IDCounter.ID(name)
            if let last {
                let data = try coder.encodeWaiting(IDCounter(id: id, last: last))
                _ = try output.add([NewDocument(key: id.description, data: data)], to: table)
            } else {
                try output.drop([id.description], from: table)
            }
        }
        changed.insert(table)
        amended.insert(table)
    }

    /// The collections that have only new documents, or none.
    private var replaced: Set<String> {
        emptied.union(changed.subtracting(amended)).union(
            earlierNames.values.filter { earlierNames[$0] == nil })
    }

    /// The stored names of the tables that keep documents and are renamed, by their new names.
    var renamed: [String: String] { earlierNames.filter { !emptied.contains($0.value) } }

    /// Checks the unique indexes and the references that the migration may have broken, and
    /// resolves what records that were set aside leave behind.
    private mutating func check() throws {
        var indexed = Set(
            schema.tables.filter { table in
                guard let migration = opening.migrations[table.name] else { return false }
                return table.indexes.contains { index in
                    let fields = index.keys.map(\.field) + (index.condition?.fields ?? [])
                    return index.isUnique && fields.contains { migration.changes(table, field: $0) }
                }
            }.map(\.name))
        for case .createIndex(let table, _) in opening.steps { indexed.insert(table) }
        let referring = schema.tables.filter { table in
            opening.unverifiedTables.contains(table.name)
                || table.fields.indices.contains { mayDangle(table, $0) }
        }
        let produced = opening.producedTables
        if indexed.isEmpty, produced.isEmpty, referring.isEmpty { return }
        let tables = StoreTables()
        let migrated = MigratedDocuments(
            base: driver, output: output, earlierNames: earlierNames,
            // Any record can be set aside.
            changed: setAside == nil ? changed : Set(schema.tables.map(\.name)),
            replaced: replaced)
        try tables.add(
            schema,
            from: DocumentSource(driver: migrated, coder: coder, staged: StagedChanges()))
        // What functions over several entities write fails as a whole.
        var differences = try brokenIndexes(
            of: setAside == nil ? indexed.union(produced) : produced, tables)
        if setAside == nil { differences += try danglingReferences(of: referring, tables) }
        if !differences.isEmpty {
            throw CRUDRepositoryError.schemaMismatch(store: driver.name, differences: differences)
        }
        guard let setAside else { return }
        var resolution = DocumentResolution(schema, tables, migrated, coder, space, setAside)
        try resolution.removeDuplicates(in: indexed.subtracting(produced))
        let others = schema.tables.filter { table in
            table.keptReferences.contains { resolution.touched.contains($0.reference.table) }
        }
        try resolution.resolveReferences(of: Set((referring + others).map(\.name)))
        for name in resolution.touched where changed.insert(name).inserted { amended.insert(name) }
    }

    /// Returns the unique indexes of whose values records share some, as clauses.
    private func brokenIndexes(of names: Set<String>, _ tables: StoreTables) throws -> [String] {
        try names.sorted().flatMap { try tables.table(named: $0)?.brokenUniqueIndexes() ?? [] }
    }

    /// Returns the references to records that are not there, as clauses.
    private func danglingReferences(
        of referring: [EntityTable], _ tables: StoreTables
    ) throws -> [String] {
        var differences: [String] = []
        for table in referring {
            guard let own = tables.table(named: table.name) else { continue }
            for (index, reference) in table.keptReferences {
                guard let target = tables.table(named: reference.table) else { continue }
                let (count, ids) = try own.danglingReferences(index, to: target)
                if count == 0 { continue }
                differences.append(
                    MigrationFailures.words(
                        "the field '\(table.layout.fields[index].name)' of '\(table.name)' refers to records of '\(reference.table)' that are not there",
                        count, ids))
            }
        }
        return differences
    }

    /// Returns whether the migration may have changed references, or removed records to which they
    /// refer.
    private func mayDangle(_ table: EntityTable, _ field: Int) -> Bool {
        guard let reference = table.fields[field].reference else { return false }
        if opening.migrations[table.name]?.changes(table, field: field) == true { return true }
        if opening.producedTables.contains(table.name) { return true }
        let target = reference.table
        guard changed.contains(target) || emptied.contains(target) else { return false }
        return !amended.contains(target) || output.dropsDocuments(of: target)
    }

    /// Returns what remains to be done once the new documents are committed.
    ///
    /// - Parameters:
    ///   - result: the description after the migration.
    ///   - token: the number of the upgrade.
    func rest(_ result: StoreDescription, _ token: Int) -> UnfinishedUpgrade {
        var rest = UnfinishedUpgrade(set: schema.name, token: token, result: [result])
        rest.removed = opening.removedTables.filter { !emptied.contains($0) }
        rest.removed += opening.replacedTables.filter { schema.table($0) == nil }
        for (new, old) in earlierNames.sorted(by: { $0.key < $1.key }) {
            if emptied.contains(old) {
                // Its documents are in the new collection already.
                if schema.table(old) == nil { rest.removed.append(old) }
                rest.reindexed += [old, new]
            } else {
                rest.renamed.append(.init(from: old, to: new))
            }
        }
        rest.reindexed = Set(rest.reindexed).union(changed).union(emptied).sorted()
        rest.removedExternalData = (opening.removedTables + opening.replacedTables).filter {
            name in !opening.producedTables.contains(name)
        }
        rest.renamedExternalData = opening.renamedExternalData.map {
            UnfinishedUpgrade.Renaming(from: $0.from, to: $0.to)
        }
        return rest
    }

    /// Returns what remains to be done with documents that lie beside the stored ones, once the
    /// description says so.
    ///
    /// - Parameters:
    ///   - result: the description after the migration.
    ///   - token: the number of the upgrade.
    ///   - placed: the tables for which documents lie beside the stored ones.
    func restBeside(
        _ result: StoreDescription, _ token: Int, _ placed: Set<String>
    ) -> UnfinishedUpgrade {
        var rest = rest(result, token)
        rest.placed = placed.sorted()
        rest.cleared = emptied.subtracting(rest.removed).sorted()
        return rest
    }
}

extension TableMigration {
    /// Returns whether the migration may change the values of a declared field.
    fileprivate func changes(_ table: EntityTable, field: Int) -> Bool {
        program.rewrittenFields.contains(table.layout.fields[field].name)
    }

    /// Returns whether the documents of the table keep their keys, when it is stored under its
    /// declared name.
    fileprivate func keepsKeys(of table: EntityTable) -> Bool {
        guard String.isSameIdentifier(stored.name, table.name), stored.key.count == table.key.count
        else { return false }
        for version in changes {
            for case .records(let name, _, _) in version.changes
            where String.isSameIdentifier(name, table.name) {
                return false
            }
        }
        return zip(stored.key, table.key).allSatisfy { old, index in
            let name = table.layout.fields[index].name
            let position = changed.fields.firstIndex { String.isSameIdentifier($0.name, name) }
            guard let position, let origin = origins[position],
                String.isSameIdentifier(origin, old), !program.rewrittenFields.contains(name)
            else { return false }
            return changed.fields[position].type == stored.field(old)?.type
                && changed.fields[position].cases == stored.field(old)?.cases
        }
    }
}
