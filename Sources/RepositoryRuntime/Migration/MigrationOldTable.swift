package import StoredSchema

/// The stored records of a table that a function reads.
package protocol MigrationSource {
    /// Reads all records.
    ///
    /// - Returns: a closure that returns the next record, nil after the last one: where it is, and
    ///   its values in the order of the stored fields.
    func scan() throws -> () throws -> (place: [StoredValue], values: [StoredValue])?
    /// Returns the record at a place that ``scan()`` returned; nil if it is gone.
    func values(at place: [StoredValue]) throws -> [StoredValue]?
    /// Reads the records with certain values.
    ///
    /// - Parameters:
    ///   - fields: the fields, as positions among the stored ones.
    ///   - values: their values.
    /// - Returns: a closure that returns the next record; nil if the source can only find them by
    ///   reading all records.
    func find(
        _ fields: [Int], _ values: [StoredValue]
    ) throws -> (() throws -> [StoredValue]?)?
}

/// Records that are kept between two functions of a migration.
package protocol MigrationStage: MigrationSource {
    /// Adds a record.
    ///
    /// - Parameter values: the values in the order of the fields of the table.
    /// - Returns: whether it is the first one with its id.
    func insert(_ values: [StoredValue]) throws -> Bool
}

/// A table without records: data that is older than the table does not have it.
struct NoMigrationSource: MigrationSource {
    func scan() -> () throws -> (place: [StoredValue], values: [StoredValue])? { { nil } }

    func values(at place: [StoredValue]) -> [StoredValue]? { nil }

    func find(_ fields: [Int], _ values: [StoredValue]) -> (() throws -> [StoredValue]?)? {
        { nil }
    }
}

/// An old table as a function sees it: with the changes of the versions before.
///
/// Records are found by values through the source. If the source cannot do that, because it has no
/// index or because a change converts the values, all records are read once. The values and places
/// of all of them are then kept in the space of the migration.
package final class MigrationOldTable {
    /// The table as the function sees it.
    private let table: StoredTable
    private let source: any MigrationSource
    /// The changes of the versions before; nil if there are none.
    private let program: RowProgram?
    /// The position of each field among the stored ones; nil if a change writes its values.
    private let positions: [Int?]
    private let names: [String]
    /// The places of records by the values of fields.
    private var places: [[Int]: any MigrationSpaceTable] = [:]
    private let space: any MigrationSpace

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - table: the table as the function sees it.
    ///   - source: the stored records.
    ///   - program: the changes of the versions before; nil if there are none.
    ///   - positions: the position of each field among the stored ones; nil if a change writes its
    ///     values.
    ///   - space: gets the places of records by their values.
    package init(
        _ table: StoredTable, _ source: any MigrationSource, program: RowProgram?,
        positions: [Int?], _ space: any MigrationSpace
    ) {
        self.space = space
        self.table = table
        self.source = source
        self.program = program
        self.positions = positions
        names = table.fields.map(\.name)
    }

    /// Returns the same records, converted and kept, so that functions of earlier versions are
    /// called once for each.
    ///
    /// - Parameter stage: keeps the records. It has none yet.
    package func converted(into stage: any MigrationStage) throws -> MigrationOldTable {
        let next = try rows(where: [])
        while let row = try next() {
            guard try stage.insert(row.values) else {
                throw MigrationFailure(table: table.name, "has records that get the same id")
            }
        }
        return MigrationOldTable(
            table, stage, program: nil, positions: Array(names.indices), space)
    }

    /// Returns the record with an id; nil if there is none.
    ///
    /// - Parameter id: the value of the id field, or an object with the components.
    func row(id: StoredValue) throws -> MigrationRow? {
        guard table.key.count > 1 else {
            return try table.key.first.flatMap { try rows(where: [($0, id)])() }
        }
        guard case .object(let members) = id else { return nil }
        return try rows(where: table.key.map { ($0, members[$0] ?? .null) })()
    }

    /// Reads the records with certain values; all records if there are no conditions.
    func rows(
        where conditions: [(field: String, value: StoredValue)]
    ) throws -> () throws -> MigrationRow? {
        if conditions.isEmpty {
            let next = try source.scan()
            return { [self] in
                while let (_, values) = try next() {
                    if let row = try row(values) { return row }
                }
                return nil
            }
        }
        var fields: [Int] = []
        var values: [StoredValue] = []
        for (field, value) in conditions {
            let index = names.firstIndex { String.isSameIdentifier($0, field) }
            if let index {
                fields.append(index)
                values.append(value)
            } else if value != .null {
                // Data that is older than the field has only nulls.
                return { nil }
            }
        }
        return try fields.isEmpty ? rows(where: []) : rows(fields, values)
    }

    /// Reads the records whose fields have certain values.
    private func rows(
        _ fields: [Int], _ values: [StoredValue]
    ) throws -> () throws -> MigrationRow? {
        let stored = fields.compactMap { positions[$0] }
        if stored.count == fields.count, let next = try source.find(stored, values) {
            return { [self] in
                while let values = try next() {
                    if let row = try row(values) { return row }
                }
                return nil
            }
        }
        let found = try index(fields).values(under: StoredBytes.bytes(of: .list(values)))
        return { [self] in
            while let bytes = try found() {
                guard case .list(let place) = try StoredBytes.value(of: bytes),
                    let values = try source.values(at: place)
                else { continue }
                if let row = try row(values) { return row }
            }
            return nil
        }
    }

    /// Returns the places of all records by the values of fields, after reading them once.
    private func index(_ fields: [Int]) throws -> any MigrationSpaceTable {
        if let known = places[fields] { return known }
        let index = try space.makeTable()
        let next = try source.scan()
        while let (place, values) = try next() {
            guard let row = try row(values) else { continue }
            try index.add(
                StoredBytes.bytes(of: .list(place)),
                under: StoredBytes.bytes(of: .list(fields.map { row.values[$0] })))
        }
        places[fields] = index
        return index
    }

    /// Converts a stored record; nil if a function of an earlier version drops it.
    private func row(_ values: [StoredValue]) throws -> MigrationRow? {
        guard let program else { return MigrationRow(names: names, values: values) }
        return try program.run(values).map { MigrationRow(names: names, values: $0) }
    }

    /// Creates the record that the function gets.
    ///
    /// - Throws: ``MigrationFailure`` if a stored value is not of the type of its field.
    func record<Record: FrozenRecord>(_ row: MigrationRow) throws -> Record {
        do {
            return try Record(row)
        } catch let error as RecordDecodingError {
            throw MigrationFailure(
                table: table.name, field: error.path.isEmpty ? nil : error.path,
                "cannot be read in a stored record")
        }
    }
}

/// Records that are kept in the space of a migration between two functions.
package final class SpaceMigrationStage: MigrationStage {
    /// The fields that form the id, as positions.
    private let key: [Int]
    private let rows: any MigrationSpaceTable

    /// Creates an empty table.
    package init(_ table: StoredTable, in space: any MigrationSpace) throws {
        key = table.keyPositions
        rows = try space.makeTable()
    }

    package func insert(_ values: [StoredValue]) throws -> Bool {
        let id = StoredBytes.bytes(of: .list(key.map { values[$0] }))
        guard try rows.last(under: id) == nil else { return false }
        try rows.add(StoredBytes.bytes(of: .list(values)), under: id)
        return true
    }

    package func scan() throws -> () throws -> (place: [StoredValue], values: [StoredValue])? {
        let next = try rows.values()
        return { [key] in
            guard let bytes = try next(), case .list(let values) = try StoredBytes.value(of: bytes)
            else { return nil }
            return (key.map { values[$0] }, values)
        }
    }

    package func values(at place: [StoredValue]) throws -> [StoredValue]? {
        guard let bytes = try rows.last(under: StoredBytes.bytes(of: .list(place))),
            case .list(let values) = try StoredBytes.value(of: bytes)
        else { return nil }
        return values
    }

    package func find(
        _ fields: [Int], _ values: [StoredValue]
    ) throws -> (() throws -> [StoredValue]?)? {
        guard fields == key else { return nil }
        var found = try self.values(at: values)
        return {
            defer { found = nil }
            return found
        }
    }
}

extension StoredTable {
    /// The fields that form the id, as positions.
    package var keyPositions: [Int] {
        key.compactMap { name in fields.firstIndex { String.isSameIdentifier($0.name, name) } }
    }
}
