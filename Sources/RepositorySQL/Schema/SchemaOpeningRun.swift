internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore
internal import StoredSchema

/// Creates or upgrades the tables of a schema.
///
/// It first compares without a transaction: most openings find nothing to do. Otherwise the
/// comparison is repeated in a transaction that writes, so that of several programs that start at
/// once, one makes the changes and the others find them made.
struct SchemaOpeningRun {
    private let schema: StoreSchema
    private let tables: [SQLTable]
    private let session: Session
    private let database: Database
    private let openSets: Set<String>
    private let history: SchemaHistory?
    private let flag: CancellationFlag
    private let encryption: EncryptionUpkeep<Session>

    init(
        _ schema: StoreSchema, _ tables: [SQLTable], _ session: Session, _ database: Database,
        openSets: Set<String>, flag: CancellationFlag
    ) throws {
        self.schema = schema
        self.tables = tables
        self.session = session
        self.database = database
        self.openSets = openSets
        self.flag = flag
        encryption = EncryptionUpkeep(tables, session)
        history = try schema.history()
    }

    /// Runs the opening.
    ///
    /// - Throws: `schemaMismatch` with every difference; `migrating` if another program is changing
    ///   the tables.
    func run() throws {
        var retries = Retries(database.lockTimeout)
        while true {
            do {
                return try runOnce()
            } catch let error as SQLDriverError where error.kind == .conflict {
                do {
                    try retries.wait(after: error, flag)
                } catch let error as SQLDriverError {
                    throw CRUDRepositoryError.migrating(database.name, underlyingError: error)
                }
            }
        }
    }

    private func runOnce() throws {
        let (opening, isDone) = try reading { try fitting() }
        if isDone { return }
        try requireAllowed(opening)
        try createDescription()
        let file = try Database.transaction(session, database.syntax.beginWriting) {
            session -> SetAsideFile? in
            try SchemaTable.lock(session)
            // Another program may have made the changes.
            let (opening, isDone) = try fitting()
            if isDone { return nil }
            try requireAllowed(opening)
            try encryption.noteKey()
            try encryption.move(opening)
            let file = opening.isDone ? nil : try migrate(opening)
            do {
                try encryption.complete(after: opening) {
                    try SchemaTable.description(session, database.name)
                }
            } catch {
                file?.discard()
                throw error
            }
            return file
        }
        file?.keep()
    }

    /// Creates the table of the description, in a transaction of its own: several programs may do so
    /// at once, and all but one of them may fail.
    private func createDescription() throws {
        do {
            try Database.transaction(session, database.syntax.beginWriting) {
                try SchemaTable.create($0)
                if tables.contains(where: { $0.cipher != nil }), try !$0.hasNotes() {
                    try $0.createNotes()
                }
            }
        } catch let error as SQLDriverError
            where error.kind != .conflict && error.kind != .connectionLost
        {
            guard try session.tables()[SchemaTable.name] != nil,
                try SchemaTable.revision(session) != nil
            else { throw error }
        }
    }

    /// Reads one state of the database: otherwise a table that another program creates in between
    /// would look like one of another owner.
    private func reading<R>(_ body: () throws -> R) throws -> R {
        try session.execute(database.syntax.beginReading)
        do {
            let result = try body()
            try Database.rollBack(session)
            return result
        } catch {
            if !session.isLost { try Database.rollBack(session) }
            throw error
        }
    }

    /// Returns the comparison, and whether nothing has to be changed.
    ///
    /// - Throws: `schemaMismatch` with every difference; `keyNotFound`.
    private func fitting() throws -> (opening: SchemaOpening, isDone: Bool) {
        let (opening, differences) = try compared()
        try requireFit(differences)
        try encryption.check()
        try opening.requireNoEncryptedStages(tables, in: database.name)
        // An older program changes nothing of newer data.
        let isDone = try opening.isDone && (opening.isDataNewer || encryption.isComplete())
        return (opening, isDone)
    }

    private func requireFit(_ differences: [String]) throws {
        guard differences.isEmpty else {
            throw CRUDRepositoryError.schemaMismatch(
                store: database.name, differences: differences)
        }
    }

    /// The changes for which the mode of an opening asks: those that rewrite records.
    private func refused(_ opening: SchemaOpening) -> [String] {
        opening.refusedChanges(
            rewriting: opening.unverifiedTables.union(opening.migrations.keys))
    }

    private func requireAllowed(_ opening: SchemaOpening) throws {
        try opening.requireAllowed(refused(opening), in: database.name)
    }

    /// Returns the comparison, and every difference that prevents the opening.
    private func compared() throws -> (SchemaOpening, [String]) {
        let before = try SchemaTable.description(session, database.name)
        let opening = SchemaOpening(
            schema, in: before, form: .foldedColumns, openSets: openSets, history: history)
        var differences = opening.messages
        let found = try session.tables()
        for table in opening.stored.tables
        where found[table.name] == nil && !opening.removedTables.contains(table.name) {
            differences.append("the table '\(table.name)' is gone from the database")
        }
        for table in tables {
            if table.name == EncryptionNotes.table {
                differences.append(
                    "the table '\(table.name)' has the name of the table that notes keys")
            } else if table.name == SchemaTable.name {
                differences.append(
                    "the table '\(table.name)' has the name of the table that describes schemas")
            } else if found[table.name] != nil, before?.table(table.name) == nil {
                differences.append(
                    "the table '\(table.name)' is there already, and another program made it")
            }
        }
        return (opening, differences)
    }

    /// Applies the changes.
    ///
    /// - Returns: the file of the records that were set aside; nil if there is none.
    private func migrate(_ opening: SchemaOpening) throws -> SetAsideFile? {
        if schema.control.backup != nil, opening.plan(of: database.name).from != .none {
            throw CRUDRepositoryError.unsupported(
                "a copy of the data before a migration", by: database.name)
        }
        let setAside = try opening.setAside(for: schema, session)
        do {
            let reporter = try opening.reporter(for: schema, session) { [flag] in
                flag.isCancelled
            }
            try SchemaUpgrade(
                opening, schema, tables, session, reporter, setAside
            ).run()
            try reporter.check()
            try setAside?.file.publish()
            try SchemaTable.write(opening.result, session)
        } catch {
            setAside?.file.discard()
            throw error
        }
        return setAside?.file
    }

    /// Returns what ``run()`` would do.
    func migrationPlan() throws -> MigrationPlan {
        let (opening, differences, tables) = try reading {
            let (opening, differences) = try compared()
            let tables = differences.isEmpty ? SQLMigrationSize(opening).tables : []
            return (
                opening, differences,
                try tables.map { table in
                    let count = try SQLMigrationSize.count(table.stored, session)
                    // The bytes are not known.
                    return MigrationPlan.Table(name: table.name, records: count, bytes: 0)
                }
            )
        }
        var result = opening.plan(of: database.name)
        result.tables = tables
        result.problems = differences
        result.isNeeded = !opening.isDone
        result.isRefusedByRefuse = !differences.isEmpty || !refused(opening).isEmpty
        return result
    }
}
