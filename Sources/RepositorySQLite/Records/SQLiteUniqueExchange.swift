internal import CSQLite
internal import Foundation
internal import RepositoryRuntime
internal import RepositorySQLCore

extension SQLiteRecordWriter {
    /// Writes entities that may exchange unique values, inside a transaction.
    ///
    /// SQLite checks a unique index at every statement. In a table of the store, the entities first
    /// get temporary values in the columns of the unique indexes, so that every value is released
    /// before it is taken. The tables are STRICT, so that the temporary values have the types of
    /// their columns; CHECK constraints do not apply to them. In an unmanaged table, whose triggers
    /// must not see temporary values, the entities are written in an order that releases values
    /// first.
    ///
    /// If several entities have the same id, only the last one takes its unique values: another
    /// record may have those of the others.
    ///
    /// - Parameters:
    ///   - entities: the entities.
    ///   - error: the violation that they caused when they were written in their own order.
    ///   - write: writes an entity and returns the stored one.
    /// - Returns: the stored entities, in the given order.
    /// - Throws: `unsupported` if entities of an unmanaged table exchange values in a cycle.
    func exchanging(
        _ entities: [E], _ error: CRUDRepositoryError, _ write: (Self, E) throws -> E
    ) throws -> [E] {
        guard table.entity.isManaged else {
            return try releasing(entities, error) { try write(self, $0) }
        }
        try withoutChecks { try park(entities) }
        let last = lastPlaces(of: entities)
        var parking = self
        parking.parked = table.parkedPositions
        return try entities.indices.map { index in
            if last[entities[index].id] == index { return try write(self, entities[index]) }
            return try withoutChecks { try write(parking, entities[index]) }
        }
    }

    /// Writes entities of an unmanaged table so that each unique value is released before it is
    /// taken. If several entities without a version have the same id, only the last one is written.
    private func releasing(
        _ entities: [E], _ error: CRUDRepositoryError, _ write: (E) throws -> E
    ) throws -> [E] {
        let last = lastPlaces(of: entities)
        let places = entities.indices.filter {
            last[entities[$0].id] == $0 || E.Mapper.version(of: entities[$0]) != nil
        }
        var release = UniqueRelease<E.ID>(table.entity)
        for place in places {
            let entity = entities[place]
            release.add(
                id: entity.id, from: try storedRow(entity.id),
                to: try StoredValueEncoder.values(of: entity, E.Mapper.self))
        }
        var stored = entities
        switch release.order() {
        case .unchanged:
            if places.count == entities.count { throw error }
            for place in places { stored[place] = try write(entities[place]) }
        case .sorted(let order):
            for place in order.map({ places[$0] }) { stored[place] = try write(entities[place]) }
        case .cycle:
            var cycle = CRUDRepositoryError.unsupported(
                "an exchange of unique values in a cycle in the unmanaged table '\(table.name)': give one of the records another value first",
                by: "SQLite")
            cycle.table = table.name
            cycle.field = error.field
            cycle.underlyingError = error
            throw cycle
        }
        return stored
    }

    /// The position of the last entity with each id.
    private func lastPlaces(of entities: [E]) -> [E.ID: Int] {
        Dictionary(entities.indices.map { (entities[$0].id, $0) }, uniquingKeysWith: { $1 })
    }

    /// Returns the field values of a stored record; `nil` if there is none.
    private func storedRow(_ id: E.ID) throws -> [StoredValue]? {
        guard try SQLiteRows.exists(id, statements) else { return nil }
        return try StoredValueEncoder.values(
            of: SQLiteRows.record(E.self, id, statements), E.Mapper.self)
    }

    /// Gives the stored records of some entities temporary values in the columns of unique indexes.
    private func park(_ entities: [E]) throws {
        guard let text = table.parking(SQLiteDialect()) else { return }
        let before = connection.totalChanges
        let statement = try statements.unkept(text)
        for entity in entities {
            defer { statement.reset() }
            var binder = SQLiteBinder(id: statement, table)
            try entity.id.encodeComponents(to: &binder)
            for (number, position) in table.parkedPositions.enumerated() {
                try bindTemporaryValue(
                    of: table.columns[position], statement, at: table.key.count + number + 1)
            }
            while try statement.step() {}
        }
        connection.hiddenChanges += connection.totalChanges - before
    }

    /// Runs a body that stores temporary values, to which CHECK constraints do not apply.
    private func withoutChecks<R>(_ body: () throws -> R) throws -> R {
        // Setting the pragma expires prepared statements, which SQLite prepares again when they
        // run.
        try connection.execute("PRAGMA ignore_check_constraints = ON")
        let result = Result { try body() }
        try connection.execute("PRAGMA ignore_check_constraints = OFF")
        return try result.get()
    }

    /// Binds temporary values to the columns of unique indexes in a statement that has the values
    /// of a record.
    func bindTemporaryValues(_ statement: SQLiteStatement) throws {
        for position in parked {
            try bindTemporaryValue(of: table.columns[position], statement, at: position + 1)
        }
    }

    private func bindTemporaryValue(
        of column: SQLColumn, _ statement: SQLiteStatement, at number: Int
    ) throws {
        guard let value = column.temporaryValue else { return try statement.bindNull(at: number) }
        try SQLiteValues.bindHeld(value, to: statement, at: number)
    }
}

extension SQLColumn {
    /// A value of the column's type that no record has; nil for null, if the column can hold it.
    fileprivate var temporaryValue: StoredValue? {
        // A folded column that is null would be filled again.
        if isOptional, foldedName == nil { return nil }
        // An index over a field inside an embedded value has no key for an empty object.
        if form == .json { return .text("{}") }
        return switch SQLiteDialect().typeName(form) {
        case "INTEGER": .integer(.random(in: .min ... .max))
        case "REAL": .double(.random(in: -1e300...1e300))
        case "TEXT": .text(UUID().uuidString)
        default: .data(Data(UUID().uuidString.utf8))
        }
    }
}

extension SQLTable {
    /// Returns the statement that sets the columns of the unique indexes of the record with an id
    /// to temporary values; nil if the table has no unique index outside its id.
    fileprivate func parking(_ dialect: SQLiteDialect) -> String? {
        guard !parkedPositions.isEmpty else { return nil }
        let values = parkedPositions.enumerated().map { number, position in
            let column = columns[position]
            return dialect.quoted(column.foldedName ?? column.name) + " = "
                + dialect.placeholder(key.count + number + 1)
        }
        let isRecord = keyNames.enumerated().map {
            "\(dialect.quoted($1)) = \(dialect.placeholder($0 + 1))"
        }
        return "UPDATE \(dialect.quoted(name)) SET \(values.joined(separator: ", "))"
            + " WHERE \(isRecord.joined(separator: " AND "))"
    }

    /// The positions of the columns of the unique indexes outside the id.
    fileprivate var parkedPositions: [Int] {
        let fields = entity.indexes.filter(\.isUnique).flatMap { $0.keys.map(\.field) }
        return Set(fields.flatMap { columns(ofField: $0) }).subtracting(key).sorted()
    }
}

extension CRUDRepositoryError {
    /// Whether SQLite reported the violation of a unique index.
    var isUniqueViolation: Bool {
        // `SQLITE_CONSTRAINT_UNIQUE`, a macro that Swift does not import.
        code == .constraintViolated
            && (underlyingError as? SQLiteError)?.code == SQLITE_CONSTRAINT | 8 << 8
    }
}
