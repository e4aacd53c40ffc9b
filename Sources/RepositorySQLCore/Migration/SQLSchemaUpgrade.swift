package import RepositoryRuntime
package import StoredSchema

/// Applies the steps of an opening, inside the transaction that has compared again.
///
/// The order of the steps is here; how a database changes a table is in the methods that a store
/// implements.
package protocol SQLSchemaUpgrade {
    associatedtype UpgradeSession: SQLMigrationSession & ChunkSession

    /// The comparison with the stored description.
    var opening: SchemaOpening { get }
    /// The declared schema.
    var schema: StoreSchema { get }
    /// The tables of the schema, by name.
    var tables: [String: SQLTable] { get }
    /// The connection.
    var session: UpgradeSession { get }
    /// Counts the records.
    var reporter: MigrationReporter { get }
    /// Receives the records that cannot be migrated; nil if they are an error.
    var setAside: SQLSetAside? { get }

    /// Prepares the stored tables.
    func begin() throws
    /// Drops a table that a version removed, if it is there.
    func drop(_ table: String) throws
    /// Drops an index.
    func dropIndex(_ name: String, of table: SQLTable) throws
    /// Renames a column, and what the store keeps beside it.
    func renameColumn(_ table: String, from: String, to: String) throws
    /// Creates and changes tables and columns.
    ///
    /// - Returns: the tables that have no indexes afterwards.
    func change(_ steps: [SchemaStep]) throws -> Set<String>
    /// Completes the columns of tables whose records are converted, before their indexes are built.
    func completeColumns() throws
    /// Prepares an index, and returns the statement that creates it.
    func createStatement(of index: TableIndex, _ table: SQLTable) throws -> String
    /// Adds rules and references, and checks the references.
    ///
    /// - Parameter converted: the tables in which records may be gone.
    func finish(_ converted: Set<String>) throws
}

extension SQLSchemaUpgrade {
    /// The kind of store, for messages.
    private var store: String { session.storeName }

    /// The dialect of the database.
    package var dialect: UpgradeSession.Dialect { session.dialect }

    /// The steps for tables whose records are not converted.
    package var steps: [SchemaStep] { opening.steps.filter { opening.migrations[$0.table] == nil } }

    /// Computes new ids, then applies the steps: drops, renames, functions over several tables,
    /// additions, changes, conversions, folded columns, indexes, rules, references.
    ///
    /// - Throws: `schemaMismatch` if a new unique index or reference does not fit the records, or if
    ///   records cannot be converted.
    package func run() throws {
        for forgotten in opening.forgottenDeletions {
            let count = try session.texts(
                "SELECT count(*) FROM \(dialect.quoted(forgotten.table))"
                    + " WHERE \(dialect.quoted(forgotten.column)) IS NOT NULL")
            try forgotten.require(noneOf: count.first.flatMap { Int($0) } ?? 0, in: store)
        }
        try begin()
        let space = ScratchSpace.temporary()
        let ids = try IDMigration(opening, in: space, setsAside: setAside != nil)
        try ids?.run(store: store, SQLStoredRecords(opening.stored, session, setAside))
        let chunks = ChunkTables(Array(tables.values), session)
        try chunks.move(opening)
        for name in opening.removedTables { try drop(name) }
        let functions = SQLTablesConversion(
            opening, schema, tables, session, space, reporter, setAside)
        try functions.renameReplaced()
        try renameTables()
        try opening.moveCounters(session)
        let produced = Set(try functions.run().map(\.name))
        for case .dropIndex(let name, let index) in steps {
            if let table = tables[name] { try dropIndex(index, of: table) }
        }
        for (table, from, to) in opening.renamedColumns {
            try renameColumn(table, from: from, to: to)
        }
        let changed = try change(steps)
        let converted = try convert(ids)
        try completeColumns()
        let whole = produced.union(opening.migrations.keys).union(changed)
        for table in whole.sorted().compactMap({ tables[$0] }) {
            for index in table.entity.indexes { try create(index, table) }
        }
        for case .createIndex(let name, let index) in steps where !whole.contains(name) {
            guard let table = tables[name],
                let declared = table.entity.indexes.first(where: { $0.name == index })
            else { continue }
            try create(declared, table)
        }
        try finish(converted.union(produced))
        // Any table may have lost unreadable records to the file that receives them.
        try chunks.complete(rewritten: setAside == nil ? whole : Set(tables.keys))
    }

    /// Renames tables, all of them first to names that no other table has: one may get the name of
    /// another.
    private func renameTables() throws {
        func rename(_ old: String, _ new: String) throws {
            let (old, new) = (dialect.quoted(old), dialect.quoted(new))
            try session.change("ALTER TABLE \(old) RENAME TO \(new)")
        }
        func between(_ name: String) -> String { session.short("repository_rename_\(name)") }
        for (old, new) in opening.renamedTables { try rename(old, between(new)) }
        for (_, new) in opening.renamedTables { try rename(between(new), new) }
    }

    /// Converts the records of tables.
    ///
    /// - Returns: the tables of which the program converted each record.
    private func convert(_ ids: IDMigration?) throws -> Set<String> {
        var converted: Set<String> = []
        for (name, migration) in opening.migrations.sorted(by: { $0.key < $1.key }) {
            guard let table = tables[name] else { continue }
            let conversion = SQLTableConversion(
                migration, table, schema, stored: opening.stored, ids, session, reporter, setAside)
            if try conversion.run() { converted.insert(name) }
        }
        return converted
    }

    /// Creates an index over the stored records.
    ///
    /// - Throws: `schemaMismatch` if records share the values of a unique index.
    private func create(_ index: TableIndex, _ table: SQLTable) throws {
        let text = try createStatement(of: index, table)
        let created: Int? = try session.unlessViolated("repository_index") {
            try session.change(text)
        }
        if created != nil { return }
        guard let setAside else {
            let shared =
                opening.hasHistory ? try SQLMigratedRecords(table, session).sharing(index) : ""
            throw CRUDRepositoryError.schemaMismatch(
                store: store,
                differences: [
                    "the unique index '\(index.name)' of '\(table.name)' cannot be built: stored records share its values\(shared)"
                ])
        }
        try setAside.removeDuplicates(of: index, table)
        try session.change(text)
    }

    /// Resolves the references of the tables in which records may be gone, and of those whose
    /// references are new.
    ///
    /// - Returns: the tables whose references must be checked.
    package func resolveReferences(_ converted: Set<String>) throws -> Set<String> {
        let referring = tables.values.filter { table in
            table.references.contains { converted.contains($0.table) }
        }
        var checked = converted.union(opening.migrations.keys).union(opening.unverifiedTables)
            .union(referring.map(\.name))
        for case .addField(let name, _) in opening.steps { checked.insert(name) }
        try setAside?.resolveReferences(among: Array(tables.values), checking: checked)
        return checked
    }

    /// Returns the error for records that refer to others that are not there.
    ///
    /// - Parameter broken: the records, as text; nil if they are not known.
    package func danglingReferences(_ table: SQLTable, _ broken: String?) -> CRUDRepositoryError {
        let words = "records of '\(table.name)' refer to records that are not there"
        let named = opening.hasHistory ? broken.map { ": \($0)" } : nil
        return .schemaMismatch(store: store, differences: [words + (named ?? "")])
    }
}
