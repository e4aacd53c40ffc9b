package import StoredSchema

/// An old table as a function sees it: with the changes of the versions before.
///
/// Records are found by values through the source. If the source cannot do that, because it has no
/// index or because a change converts the values, all records are read once. The values and places
/// of all of them are then kept in the space of the migration.
package final class MigrationOldTable {
    /// A record: where its source has it, and its values after the changes of the versions before.
    typealias Row = (place: [StoredValue], values: MigrationRow)

    /// The table as the function sees it.
    private let table: StoredTable
    private let source: any MigrationSource
    /// The changes of the versions before; nil if there are none.
    private let program: RowProgram?
    /// The position of each field among the stored ones; nil if a change writes its values.
    private let positions: [Int?]
    private let names: [String]
    /// Whether messages can name ids; nil if that depends on the type of the records.
    package var namesIDs: Bool?
    /// The name of the table as the function sees it.
    var name: String { table.name }
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
        while let (place, row) = try next() {
            guard try stage.insert(row.values) else {
                throw MigrationRecordFailure(
                    "records of '\(table.name)' get the same id", id: id(of: place))
            }
        }
        let converted = MigrationOldTable(
            table, stage, program: nil, positions: Array(names.indices), space)
        converted.namesIDs = namesIDs
        return converted
    }

    /// Reads the records that nobody has read, so that those that cannot be read are set aside.
    package func readRest() throws {
        let next = try rows(where: [])
        while try next() != nil {}
    }

    /// Reads the record with an id.
    ///
    /// - Parameter id: the value of the id field, or an object with the components.
    func rows(id: StoredValue) throws -> () throws -> Row? {
        guard table.key.count > 1 else {
            return try table.key.first.map { try rows(where: [($0, id)]) } ?? { nil }
        }
        guard case .object(let members) = id else { return { nil } }
        return try rows(where: table.key.map { ($0, members[$0] ?? .null) })
    }

    /// Reads the records with certain values; all records if there are no conditions.
    func rows(
        where conditions: [(field: String, value: StoredValue)]
    ) throws -> () throws -> Row? {
        if conditions.isEmpty { return rows(try source.scan()) }
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
    private func rows(_ fields: [Int], _ values: [StoredValue]) throws -> () throws -> Row? {
        let stored = fields.compactMap { positions[$0] }
        if stored.count == fields.count, let next = try source.find(stored, values) {
            return rows(next)
        }
        let found = try index(fields).values(under: StoredBytes.bytes(of: .list(values)))
        return rows { [source] in
            while let bytes = try found() {
                guard case .list(let place) = try StoredBytes.value(of: bytes) else { continue }
                if let values = try source.values(at: place) { return (place, values) }
            }
            return nil
        }
    }

    /// Converts stored records one after another.
    private func rows(
        _ next: @escaping () throws -> MigrationSourceRecord?
    ) -> () throws -> Row? {
        { [self] in
            do {
                while let (place, values) = try next() {
                    if let row = try row(place, values) { return (place, row) }
                }
                return nil
            } catch var failure as MigrationRecordFailure {
                if namesIDs != true { failure.id = nil }
                throw failure
            }
        }
    }

    /// Returns the places of all records by the values of fields, after reading them once.
    private func index(_ fields: [Int]) throws -> any MigrationSpaceTable {
        if let known = places[fields] { return known }
        let index = try space.makeTable()
        let next = try rows(where: [])
        while let (place, row) = try next() {
            try index.add(
                StoredBytes.bytes(of: .list(place)),
                under: StoredBytes.bytes(of: .list(fields.map { row.values[$0] })))
        }
        places[fields] = index
        return index
    }

    /// Converts a stored record; nil if a function of an earlier version drops it, and if it is set
    /// aside because it cannot be converted.
    private func row(_ place: [StoredValue], _ values: [StoredValue]) throws -> MigrationRow? {
        guard let program else { return MigrationRow(names: names, values: values) }
        do {
            return try program.run(values).map { MigrationRow(names: names, values: $0) }
        } catch let failure as MigrationFailure {
            try refuse(place, failure.clause)
        } catch let failure as MigrationFunctionFailure {
            let error = failure.error(table: table.name, id: id(of: place))
            guard try source.setAside(place, error.message) else { throw error }
        }
        return nil
    }

    /// Creates the record that the function gets; nil if it is set aside because a stored value is
    /// not of the type of its field.
    ///
    /// - Throws: ``MigrationRecordFailure`` if it is not set aside.
    func record<Record: FrozenRecord>(_ row: Row) throws -> Record? {
        do {
            return try Record(row.values)
        } catch let error as RecordDecodingError {
            try refuse(row.place, MigrationRecordFailure.unreadable(table.name, error.path))
            return nil
        }
    }

    /// Sets a record aside that cannot be converted.
    ///
    /// - Throws: ``MigrationRecordFailure`` if the migration sets no records aside.
    private func refuse(_ place: [StoredValue], _ reason: String) throws {
        guard try source.setAside(place, reason) else {
            throw MigrationRecordFailure(reason, id: id(of: place))
        }
    }

    /// Returns the id of the record at a place as text; nil if it must not be named.
    func id(of place: [StoredValue]) -> String? {
        guard namesIDs == true, !place.isEmpty else { return nil }
        return place.identifierText
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

    package func scan() throws -> () throws -> MigrationSourceRecord? {
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
    ) throws -> (() throws -> MigrationSourceRecord?)? {
        guard fields == key else { return nil }
        var found = try self.values(at: values)
        return {
            defer { found = nil }
            return found.map { (values, $0) }
        }
    }
}

extension StoredTable {
    /// The fields that form the id, as positions.
    package var keyPositions: [Int] {
        key.compactMap { name in fields.firstIndex { String.isSameIdentifier($0.name, name) } }
    }
}
