internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// The migration plan of a database: the steps that make it match a schema.
struct SQLiteSchemaPlan {
    /// The comparison with the stored description.
    let opening: SchemaOpening
    /// The stored description of the schema's tables, after the changes of versions.
    var stored: SchemaDescription { opening.compared }
    /// The description of the database after the migration.
    let description: StoreDescription
    /// The migration steps, in order.
    private(set) var steps: [SchemaStep]
    /// Whether the database already matches, so that there are no steps.
    let isDone: Bool
    /// All differences, as clauses without a final period. If there are any, nothing is written.
    let differences: [String]
    /// The declared names of the tables that are rebuilt, because `ALTER TABLE` does not support a
    /// change or because their records are converted or verified.
    let rebuilt: Set<String>
    /// The tables of another program that become tables of the schema.
    private(set) var takenOver: Set<String> = []

    /// Compares a database with a schema.
    ///
    /// All differences are collected:
    /// - names that SQLite treats as those of other tables,
    /// - differences to the stored description that no migration step resolves,
    /// - a text encoding other than UTF-8, which orders text differently,
    /// - tables of the description that are missing in the database,
    /// - unmanaged tables that do not match their declaration,
    /// - tables to be taken over that do not match their declaration.
    ///
    /// - Parameters:
    ///   - schema: the schema.
    ///   - tables: the tables of the schema.
    ///   - connection: the connection.
    ///   - openSets: the names of the schemas that the store has open.
    ///   - history: the released versions of the schema.
    init(
        _ schema: StoreSchema, _ tables: [SQLTable], _ connection: SQLiteConnection,
        openSets: Set<String>, history: SchemaHistory? = nil
    ) throws {
        let managed = tables.filter(\.entity.isManaged)
        let before = try SQLiteSchemaTable.description(connection)
        let found = try SQLiteCatalog.tables(connection)
        opening = SchemaOpening(
            schema, in: before, form: .columns, openSets: openSets, history: history)
        description = opening.result
        steps = opening.steps
        isDone = opening.isDone
        var differences = Self.conflicts(schema, before, found)
        differences += opening.messages
        if try SQLiteCatalog.encoding(connection) != "UTF-8" {
            differences.append(
                "the database keeps text in UTF-16, which orders otherwise than UTF-8")
        }
        if !managed.isEmpty {
            for table in opening.stored.tables
            where !found.contains(table.name) && !opening.removedTables.contains(table.name) {
                differences.append("the table '\(table.name)' is gone from the database")
            }
        }
        for table in tables where !table.entity.isManaged {
            differences += try SQLiteForeignTable(table, connection).differences(among: found)
        }
        for table in managed where found.contains(table.name) && before?.table(table.name) == nil {
            if opening.producedTables.contains(table.name) {
                differences.append(
                    "the table '\(table.name)', which a migration makes, is there already")
                continue
            }
            if schema.control.takesOver {
                differences += try SQLiteTakeOver(table, connection).differences()
                steps.removeAll { $0 == .createTable(table.name) }
                takenOver.insert(table.name)
                continue
            }
            let verification = SQLiteTableVerification(table, connection)
            differences += try verification.differences()
            steps.removeAll { $0 == .createTable(table.name) }
            steps += try verification.indexSteps()
        }
        self.differences = differences
        let byName = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        var rebuilt = opening.unverifiedTables.union(opening.migrations.keys).union(takenOver)
        for step in steps where step.mustRebuild(opening, schema, byName) {
            rebuilt.insert(step.table)
        }
        self.rebuilt = rebuilt
    }

    /// Checks that there are no differences.
    ///
    /// - Throws: `schemaMismatch` with every difference.
    func requireFit() throws {
        guard differences.isEmpty else {
            throw CRUDRepositoryError.schemaMismatch(store: "SQLite", differences: differences)
        }
    }

    /// The changes that `opening: .refuse` refuses, and for which data is copied first.
    var refusedChanges: [String] {
        var refused = opening.refusedChanges(rewriting: rebuilt)
        let new = Set(
            steps.compactMap { step in if case .createTable(let name) = step { name } else { nil } }
        )
        // The store builds an index over a reference.
        for case .addField(let name, let field) in steps where !new.contains(name) {
            let table = opening.declaredTable(name)
            let index = table?.layout.fields.firstIndex { $0.name == field }
            if let index, table?.fields[index].reference != nil {
                refused.append("'\(name)': the reference '\(field)' is new")
            }
        }
        // Tables of another program that are taken over have steps of their own.
        for case .createIndex(let table, let index) in steps
        where !opening.steps.contains(.createIndex(table: table, index: index)) {
            refused.append("'\(table)': the index '\(index)' is new")
        }
        return refused
    }

    /// Returns the stored name of a declared table.
    func storedName(of table: String) -> String {
        for case .renameTable(let old, let new) in steps where new == table { return old }
        return table
    }

    /// Returns the tables whose names SQLite treats as those of other tables, because it ignores
    /// the case of ASCII letters.
    private static func conflicts(
        _ schema: StoreSchema, _ description: StoreDescription?, _ found: Set<String>
    ) -> [String] {
        var differences: [String] = []
        let own = Set(
            (description?.set(schema.name)?.tables ?? []).map(SQLiteCatalog.folded))
        for table in schema.tables where table.isManaged {
            let name = SQLiteCatalog.folded(table.name)
            if name == EncryptionNotes.table {
                differences.append(
                    "the table '\(table.name)' has the name of the table that notes keys")
            }
            if name == SQLiteSchemaTable.name {
                differences.append(
                    "the table '\(table.name)' has the name of the table that describes schemas")
            }
            guard !own.contains(name) else { continue }
            for twin in found where twin != table.name && SQLiteCatalog.folded(twin) == name {
                let owner = description?.owners(ofTable: twin).first
                let place = owner.map { "belongs to the set '\($0)'" } ?? "is there"
                differences.append(
                    "the table '\(table.name)' is to SQLite the same as '\(twin)', which \(place)")
            }
        }
        return differences
    }
}

/// Compares a table that another program created with its declaration, column by column, before the
/// store takes it over as a managed table.
///
/// It is stricter than ``SQLiteForeignTable``: types must be equal, and there must be no other
/// columns. Missing indexes are no difference, because the migration creates them.
struct SQLiteTableVerification {
    private let table: SQLTable
    private let connection: SQLiteConnection
    private let dialect = SQLiteDialect()

    init(_ table: SQLTable, _ connection: SQLiteConnection) {
        self.table = table
        self.connection = connection
    }

    /// Returns a description of every difference.
    func differences() throws -> [String] {
        let found = try SQLiteCatalog.columns(of: table.name, connection)
        var differences: [String] = []
        for (position, column) in table.columns.enumerated() {
            let place = "the column '\(column.name)' of '\(table.name)'"
            guard let other = found.first(where: { $0.name == column.name }) else {
                differences.append("\(place) is declared and not there")
                continue
            }
            let type = dialect.typeName(column.form)
            if other.type.uppercased() != type {
                differences.append(
                    "\(place) is \(other.type.isEmpty ? "without a type" : other.type) and declared as \(type)"
                )
            }
            let keyPlace = (table.key.firstIndex(of: position) ?? -1) + 1
            if other.keyPlace != keyPlace {
                differences.append("\(place) is not at its place in the primary key")
            }
            // A rowid is never null, whether or not the column is declared NOT NULL.
            let isRowNumber = keyPlace == 1 && table.key.count == 1 && type == "INTEGER"
            if column.isOptional == other.isNotNull && !isRowNumber {
                differences.append(
                    "\(place) is \(other.isNotNull ? "NOT NULL and declared as optional" : "not declared NOT NULL")"
                )
            }
        }
        for other in found
        where !table.columns.contains(where: { $0.name == other.name })
            && !other.name.hasPrefix(SQLColumn.foldedPrefix)
        {
            differences.append(
                "the column '\(other.name)' of '\(table.name)' is there and not declared")
        }
        return differences + (try foreignKeys())
    }

    /// Returns steps that create the declared indexes. An index that exists under the name of a
    /// declared one may have another definition, so it is dropped first.
    func indexSteps() throws -> [SchemaStep] {
        let found = try SQLiteCatalog.indexes(of: table.name, connection)
        return table.entity.indexes.flatMap { index -> [SchemaStep] in
            let create = SchemaStep.createIndex(table: table.name, index: index.name)
            let isThere = found.contains { SQLiteCatalog.isSameName($0, index.name) }
            return isThere ? [.dropIndex(table: table.name, index: index.name), create] : [create]
        }
    }

    /// Checks that each declared reference has a foreign key with an accepted `ON DELETE` action.
    private func foreignKeys() throws -> [String] {
        let found = try SQLiteCatalog.foreignKeys(of: table.name, connection)
        return table.references.compactMap { reference in
            let isThere = found.contains {
                $0.table == reference.table && $0.columns == reference.columns
                    && reference.acceptedActions.contains($0.rule)
            }
            guard !isThere else { return nil }
            return
                "the foreign key of '\(reference.columns.joined(separator: "', '"))' in '\(table.name)' to '\(reference.table)' is not there"
        }
    }
}
