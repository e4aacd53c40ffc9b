internal import CSQLite
internal import RepositoryRuntime
internal import RepositorySQLCore

/// Writes the records of one entity on the writing connection, inside a transaction.
///
/// A single operation changes data with one statement, so that it leaves nothing behind when it
/// fails. Changes are recorded in the connection's change log if the store has observers.
struct SQLiteRecordWriter<E: Entity> {
    let connection: SQLiteConnection
    let statements: EntityStatements
    /// The plans of all open schemas, to find the records that refer to a deleted one.
    private let plans: EntityPlans
    /// The positions of the columns that get temporary values in place of the entity's.
    var parked: [Int] = []

    var table: SQLTable { statements.table }
    private var texts: SQLStatements { statements.plan.texts }

    /// Creates a writer, fills the folded columns of rows that another program wrote, and notes the
    /// key of encrypted fields.
    init(_ connection: SQLiteConnection, _ plans: EntityPlans) throws {
        self.connection = connection
        self.plans = plans
        statements = try connection.statements(E.self, plans)
        try fillFolded()
        if let cipher = table.cipher?.cipher { try connection.noteKey(cipher) }
    }

    /// Fills the folded columns that are null. It does nothing for a table without folded columns.
    private func fillFolded() throws {
        if let folding = statements.plan.folding { try connection.fill(folding.columns) }
    }

    /// Returns the entities of a selection.
    func select(_ selection: StoreSelection) throws -> [E] {
        try statements.selecting(selection) { try $0.entities(E.self) }
    }

    /// Stores a new entity.
    func create(_ entity: E) throws {
        let statement = try statements.inserting()
        var binder = SQLiteBinder(record: statement, table, in: statements.memory)
        try create(entity, statement, &binder)
    }

    /// Stores new entities with one statement that is bound and run repeatedly.
    func createAll(_ entities: [E]) throws {
        let statement = try statements.inserting()
        var binder = SQLiteBinder(record: statement, table, in: statements.memory)
        // Access by index: iterating over the array would copy each element.
        try entities.withUnsafeBufferPointer { entities in
            for place in entities.indices { try create(entities[place], statement, &binder) }
        }
    }

    /// Inserts one record.
    ///
    /// - Throws: `recordAlreadyExists` if the id exists; otherwise the error of the violated
    ///   constraint.
    @inline(__always)
    private func create(
        _ entity: E, _ statement: SQLiteStatement, _ binder: inout SQLiteBinder
    ) throws {
        let changes = connection.totalChanges
        do {
            try run(statement, entity, &binder)
            if connection.log != nil { note(entity.id) }
        } catch let error as SQLiteError {
            // SQLite reports the first violated constraint, but a duplicate id takes precedence
            // over all others. If a failed trigger kept changes, the existing record may be the new
            // one.
            if error.primaryCode == SQLITE_CONSTRAINT, connection.totalChanges == changes,
                try SQLiteRows.exists(entity.id, statements)
            {
                var exists = CRUDRepositoryError.recordAlreadyExists(
                    id: entity.id.description, table: table.name)
                exists.underlyingError = error
                throw exists
            }
            throw try violation(error, entity)
        }
    }

    /// Replaces an entity.
    ///
    /// - Returns: the stored entity.
    /// - Throws: `recordNotFound`, `versionConflict`, `constraintViolated`.
    func update(_ entity: E) throws -> E {
        guard let changed = try replace(entity) else {
            let version = try self.version(of: entity.id)
            guard let read = E.Mapper.version(of: entity), let stored = version else {
                throw CRUDRepositoryError.recordNotFound(
                    id: entity.id.description, table: table.name)
            }
            return try replaceUnreadable(entity, read, stored)
        }
        try fillFolded()
        note(entity.id)
        return changed
    }

    /// Creates or replaces an entity.
    ///
    /// - Returns: the stored entity.
    /// - Throws: `versionConflict`, `constraintViolated`.
    func save(_ entity: E) throws -> E {
        guard let read = E.Mapper.version(of: entity) else {
            let statement = try statements.statement(texts.upsert)
            do {
                try run(statement, entity)
            } catch let error as SQLiteError {
                throw try violation(error, entity)
            }
            try fillFolded()
            note(entity.id)
            return entity
        }
        if let changed = try replace(entity) {
            try fillFolded()
            note(entity.id)
            return changed
        }
        if let stored = try version(of: entity.id) {
            return try replaceUnreadable(entity, read, stored)
        }
        var new = entity
        E.Mapper.setVersion(1, of: &new)
        try create(new)
        return new
    }

    /// Deletes an entity.
    ///
    /// - Returns: whether it existed.
    /// - Throws: `constraintViolated` if a `restrict` reference prevents it.
    func delete(_ id: E.ID) throws -> Bool {
        let statement = try statements.statement(texts.delete)
        defer { statement.reset() }
        do {
            var binder = SQLiteBinder(id: statement, table)
            try id.encodeComponents(to: &binder)
            while try statement.step() {}
            let wasThere = connection.changes > 0
            if wasThere {
                note(id)
                noteReached()
            }
            return wasThere
        } catch let error as SQLiteError {
            // If the search fails, the error does not name the field; the violation itself is still
            // reported.
            let referrer = try? referrer(to: id)
            throw SQLiteViolation(table: table, id: id.description).deletion(error, referrer ?? nil)
        }
    }

    /// Returns a field with a `restrict` reference to a record, and its table.
    private func referrer(to id: E.ID) throws -> (table: String, field: String)? {
        try SQLiteBrokenReference.referrer(to: table, connection, plans) {
            var binder = SQLiteBinder(id: $0, table)
            try id.encodeComponents(to: &binder)
        }
    }

    /// Returns the error for the first deleted record that another record still refers to.
    func heldRecord(among ids: [E.ID]) throws -> CRUDRepositoryError? {
        for id in ids {
            guard try !SQLiteRows.exists(id, statements), let referrer = try referrer(to: id) else {
                continue
            }
            return SQLiteViolation(table: table, id: id.description)
                .deletion(.foreignKey, referrer)
        }
        return nil
    }

    /// Returns the error for the first stored record with a dangling reference.
    func missingReference(among entities: [E]) throws -> CRUDRepositoryError? {
        // If several entities have the same id, the last one is stored.
        let last = Dictionary(entities.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for entity in entities {
            guard let stored = last[entity.id], try missingReference(of: stored) != nil else {
                continue
            }
            return try violation(.foreignKey, stored)
        }
        return nil
    }

    /// Deletes the entities that exist.
    ///
    /// - Returns: the number of entities that existed before, including those that a cascade
    ///   deleted first.
    func deleteAll(_ ids: [E.ID]) throws -> Int {
        let followsOthers = E.Mapper.table.fields.contains { $0.reference?.onDelete == .cascade }
        guard followsOthers else { return try ids.count { try delete($0) } }
        // A record that a cascade deletes before its own turn counts as well.
        let there = try Set(ids).filter { try SQLiteRows.exists($0, statements) }
        for id in there { _ = try delete(id) }
        return there.count
    }

    /// Deletes all entities.
    ///
    /// - Returns: the number of deleted entities.
    func deleteAll() throws -> Int {
        // Counted beforehand, because the statement's change count excludes rows that a
        // self-reference with `cascade` deletes.
        let count = try statements.statement(texts.count)
        defer { count.reset() }
        let number = try count.step() ? Int(count.integer(at: 0)) : 0
        do {
            try statements.statement(texts.deleteAll).run()
            if number > 0 {
                connection.log?.addUnknown(table.name)
                noteReached()
            }
        } catch let error as SQLiteError {
            throw SQLiteViolation(table: table, id: nil).deletion(error)
        }
        return number
    }

    /// Records a changed record for observers.
    private func note(_ id: E.ID) {
        if connection.log != nil { connection.log?.add(table.name, id: id.description) }
    }

    /// Records for observers the tables that a deletion may have changed.
    private func noteReached() {
        guard connection.log != nil else { return }
        for other in statements.plan.reached { connection.log?.addUnknown(other) }
    }

    /// Replaces the record with the entity's id and version.
    ///
    /// - Returns: the stored entity, with its new version; `nil` if there is no such record.
    private func replace(_ entity: E) throws -> E? {
        do {
            guard let read = E.Mapper.version(of: entity), let text = texts.updateVersion else {
                try run(try statements.statement(texts.update), entity)
                return connection.changes > 0 ? entity : nil
            }
            var changed = entity
            // A store never assigns a version that cannot be incremented.
            guard read < Int.max else { return nil }
            E.Mapper.setVersion(read + 1, of: &changed)
            let statement = try statements.statement(text)
            try statement.bind(Int64(read), at: texts.versionParameter)
            try run(statement, changed)
            return connection.changes > 0 ? changed : nil
        } catch let error as SQLiteError {
            throw try violation(error, entity)
        }
    }

    /// Replaces a record of another version that cannot be decoded.
    ///
    /// No program can have read that version, so that there is no conflict. The new version follows
    /// the given one, as in the stores whose version is part of what cannot be decoded.
    ///
    /// - Throws: `versionConflict` if the record can be decoded.
    private func replaceUnreadable(_ entity: E, _ read: Int, _ stored: Int) throws -> E {
        do {
            _ = try SQLiteRows.record(E.self, entity.id, statements)
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            var changed = entity
            E.Mapper.setVersion(read < Int.max ? read + 1 : 1, of: &changed)
            do {
                try run(try statements.statement(texts.update), changed)
            } catch let error as SQLiteError {
                throw try violation(error, changed)
            }
            note(entity.id)
            return changed
        }
        throw conflict(entity, read, stored)
    }

    /// Returns the stored version of a record; `nil` if there is no record or the entity has no
    /// version.
    private func version(of id: E.ID) throws -> Int? {
        guard let text = texts.version else { return nil }
        let statement = try statements.statement(text)
        defer { statement.reset() }
        var binder = SQLiteBinder(id: statement, table)
        try id.encodeComponents(to: &binder)
        return try statement.step() ? Int(statement.integer(at: 0)) : nil
    }

    /// Encodes a single entity into a statement and runs it.
    private func run(_ statement: SQLiteStatement, _ entity: E) throws {
        var binder = SQLiteBinder(record: statement, table, in: statements.memory)
        try run(statement, entity, &binder)
    }

    /// Encodes an entity into a statement and runs it.
    @inline(__always)
    private func run(
        _ statement: SQLiteStatement, _ entity: E, _ binder: inout SQLiteBinder
    ) throws {
        defer { statement.reset() }
        binder.start()
        try binder.encode(entity)
        if !parked.isEmpty { try bindTemporaryValues(statement) }
        while try statement.step() {}
    }

    /// Returns the error of a version conflict.
    private func conflict(_ entity: E, _ read: Int, _ stored: Int) -> CRUDRepositoryError {
        .versionConflict(
            id: entity.id.description, table: table.name, expected: read, stored: stored)
    }

    /// Returns the error of a violated constraint, with the field or index that it concerns.
    private func violation(_ error: SQLiteError, _ entity: E) throws -> CRUDRepositoryError {
        let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        return SQLiteViolation(table: table, id: entity.id.description).error(error, row: row) {
            try missingReference(of: entity)
        }
    }

    /// Returns the first field whose reference has no target.
    private func missingReference(of entity: E) throws -> Int? {
        let values = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        return try table.references.first { reference in
            guard values[reference.field] != .null else { return false }
            let statement = try statements.statement(texts.target(reference))
            defer { statement.reset() }
            let columns = SQLiteValues.components(
                values[reference.field], of: reference.field, in: table)
            for (number, column) in columns.enumerated() where column.value != .null {
                try SQLiteValues.bind(column.value, column.form, to: statement, at: number + 1)
            }
            return try !statement.step()
        }?.field
    }
}
