internal import CSQLite
internal import RepositoryRuntime

/// The writes of one entity on the writing connection, inside a transaction. Each changes data with
/// one statement.
struct SQLiteRecordWriter<E: Entity> {
    private let connection: SQLiteConnection
    private let statements: EntityStatements
    private let plans: EntityPlans

    private var table: SQLTable { statements.table }
    private var texts: SQLStatements { statements.plan.texts }

    init(_ connection: SQLiteConnection, _ plans: EntityPlans) throws {
        self.connection = connection
        self.plans = plans
        statements = try connection.statements(E.self, plans)
    }

    /// The entities of a selection.
    func select(_ selection: StoreSelection) throws -> [E] {
        try SQLiteSelection(selection, statements).entities(E.self)
    }

    /// Whether SQLite decides a condition as the runtime does.
    func canSelect(by condition: ConditionTree) -> Bool {
        var writer = SQLConditionWriter(table, SQLiteDialect())
        return writer.condition(condition) != nil
    }

    /// Stores a new entity.
    func create(_ entity: E) throws {
        let statement = try statements.inserting()
        var binder = SQLiteBinder(record: statement, table, in: statements.memory)
        try create(entity, statement, &binder)
    }

    /// Stores new entities.
    func createAll(_ entities: [E]) throws {
        let statement = try statements.inserting()
        var binder = SQLiteBinder(record: statement, table, in: statements.memory)
        // In their places: a loop over the list would copy each of them.
        try entities.withUnsafeBufferPointer { entities in
            for place in entities.indices { try create(entities[place], statement, &binder) }
        }
    }

    @inline(__always)
    private func create(
        _ entity: E, _ statement: SQLiteStatement, _ binder: inout SQLiteBinder
    ) throws {
        do {
            try run(statement, entity, &binder)
            if connection.log != nil { note(entity.id) }
        } catch let error as SQLiteError {
            // SQLite reports the first constraint it meets; that the id is taken comes before all
            // others.
            if error.primaryCode == SQLITE_CONSTRAINT, try SQLiteRows.exists(entity.id, statements)
            {
                var exists = CRUDRepositoryError.recordAlreadyExists(
                    id: entity.id.description, table: table.name)
                exists.underlyingError = error
                throw exists
            }
            throw try violation(error, entity)
        }
    }

    /// Replaces an entity; returns what is stored.
    func update(_ entity: E) throws -> E {
        guard let changed = try replace(entity) else {
            let version = try self.version(of: entity.id)
            guard let read = E.Mapper.version(of: entity), let stored = version else {
                throw CRUDRepositoryError.recordNotFound(
                    id: entity.id.description, table: table.name)
            }
            return try replaceUnreadable(entity, read, stored)
        }
        note(entity.id)
        return changed
    }

    /// Creates or replaces an entity; returns what is stored.
    func save(_ entity: E) throws -> E {
        guard let read = E.Mapper.version(of: entity) else {
            let statement = try statements.statement(texts.upsert)
            do {
                try run(statement, entity)
            } catch let error as SQLiteError {
                throw try violation(error, entity)
            }
            note(entity.id)
            return entity
        }
        if let changed = try replace(entity) {
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

    /// Deletes an entity; returns whether it was there.
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
            // A search that fails leaves the field unnamed; the refusal is what matters.
            let referrer = try? referrer(to: id)
            throw SQLiteViolation(table: table, id: id.description).deletion(error, referrer ?? nil)
        }
    }

    private func referrer(to id: E.ID) throws -> (table: String, field: String)? {
        try SQLiteBrokenReference.referrer(to: table, connection, plans) {
            var binder = SQLiteBinder(id: $0, table)
            try id.encodeComponents(to: &binder)
        }
    }

    /// The error of the first of some deleted records that others refer to.
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

    /// The error of the first of some stored records that refers to one that is not there.
    func missingReference(among entities: [E]) throws -> CRUDRepositoryError? {
        // Of several with one id the last is stored.
        let last = Dictionary(entities.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for entity in entities {
            guard let stored = last[entity.id], try missingReference(of: stored) != nil else {
                continue
            }
            return try violation(.foreignKey, stored)
        }
        return nil
    }

    /// Deletes those of the ids that are there; returns how many were.
    func deleteAll(_ ids: [E.ID]) throws -> Int {
        let followsOthers = E.Mapper.table.fields.contains { $0.reference?.onDelete == .cascade }
        guard followsOthers else { return try ids.count { try delete($0) } }
        // A record that a cascade takes before its turn was there all the same.
        let there = try Set(ids).filter { try SQLiteRows.exists($0, statements) }
        for id in there { _ = try delete(id) }
        return there.count
    }

    /// Deletes all entities; returns how many there were.
    func deleteAll() throws -> Int {
        // Counted before: what a reference to the same table deletes in turn is not among the
        // statement's changes.
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

    /// Tells those who observe of a record.
    private func note(_ id: E.ID) {
        if connection.log != nil { connection.log?.add(table.name, id: id.description) }
    }

    /// Tells them of the tables whose records a deletion may have reached.
    private func noteReached() {
        guard connection.log != nil else { return }
        for other in statements.plan.reached { connection.log?.addUnknown(other) }
    }

    /// Replaces the record of the entity's id and version; nil when there is none.
    private func replace(_ entity: E) throws -> E? {
        do {
            guard let read = E.Mapper.version(of: entity), let text = texts.updateVersion else {
                try run(try statements.statement(texts.update), entity)
                return connection.changes > 0 ? entity : nil
            }
            var changed = entity
            // A version that cannot grow is none that a store has given.
            guard read < Int.max else { return nil }
            E.Mapper.setVersion(read + 1, of: &changed)
            let statement = try statements.statement(text)
            try statement.bind(Int64(read), at: table.columns.count + 1)
            try run(statement, changed)
            return connection.changes > 0 ? changed : nil
        } catch let error as SQLiteError {
            throw try violation(error, entity)
        }
    }

    /// Replaces a record of another version that cannot be read: nobody can have read that version. It counts on from the
    /// version given, as on the stores whose records hold their version among what cannot be read.
    ///
    /// - Throws: `versionConflict` where the record can be read.
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

    private func version(of id: E.ID) throws -> Int? {
        guard let text = texts.version else { return nil }
        let statement = try statements.statement(text)
        defer { statement.reset() }
        var binder = SQLiteBinder(id: statement, table)
        try id.encodeComponents(to: &binder)
        return try statement.step() ? Int(statement.integer(at: 0)) : nil
    }

    private func run(_ statement: SQLiteStatement, _ entity: E) throws {
        var binder = SQLiteBinder(record: statement, table, in: statements.memory)
        try run(statement, entity, &binder)
    }

    @inline(__always)
    private func run(
        _ statement: SQLiteStatement, _ entity: E, _ binder: inout SQLiteBinder
    ) throws {
        defer { statement.reset() }
        binder.start()
        try E.Mapper.encode(entity, to: &binder)
        while try statement.step() {}
    }

    private func conflict(_ entity: E, _ read: Int, _ stored: Int) -> CRUDRepositoryError {
        .versionConflict(
            id: entity.id.description, table: table.name, expected: read, stored: stored)
    }

    private func violation(_ error: SQLiteError, _ entity: E) throws -> CRUDRepositoryError {
        let row = try StoredValueEncoder.values(of: entity, E.Mapper.self)
        return SQLiteViolation(table: table, id: entity.id.description).error(error, row: row) {
            try missingReference(of: entity)
        }
    }

    /// The field whose reference is to nothing.
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
