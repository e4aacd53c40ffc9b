internal import Foundation

/// Resolves what records that were set aside leave behind in a store of documents, with the same
/// meaning as SQLite: of the records that share the values of a unique index, the one with the
/// smallest id stays; optional references to records that are not there become null; records with a
/// required one are set aside, and so on.
///
/// The ids of the concerned records are kept in the space of the migration. Documents are read one
/// after another.
struct DocumentResolution {
    private let schema: StoreSchema
    private let tables: StoreTables
    private let migrated: MigratedDocuments
    private let coder: RecordCoder
    private let space: any MigrationSpace
    private let file: SetAsideFile
    /// The tables with records that were changed or set aside.
    private(set) var touched: Set<String> = []

    /// Prepares the resolution.
    ///
    /// - Parameters:
    ///   - schema: the declared schema.
    ///   - tables: its tables over the migrated documents.
    ///   - migrated: the migrated documents. Every table counts as changed.
    ///   - coder: decodes and encodes them.
    ///   - space: gets the ids of the concerned records.
    ///   - file: receives the records.
    init(
        _ schema: StoreSchema, _ tables: StoreTables, _ migrated: MigratedDocuments,
        _ coder: RecordCoder, _ space: any MigrationSpace, _ file: SetAsideFile
    ) {
        self.schema = schema
        self.tables = tables
        self.migrated = migrated
        self.coder = coder
        self.space = space
        self.file = file
    }

    /// Sets aside the records of tables that share the values of a unique index with another one.
    mutating func removeDuplicates(in names: Set<String>) throws {
        for name in names.sorted() {
            guard let entity = entity(name) else { continue }
            try removeDuplicates(entity)
        }
    }

    /// Resolves references to records that are not there.
    ///
    /// - Parameter names: the tables with references to check.
    mutating func resolveReferences(of names: Set<String>) throws {
        var checked = names
        while !checked.isEmpty {
            var changed: Set<String> = []
            for name in checked.sorted() {
                guard let entity = entity(name), let table = schema.table(name) else { continue }
                for (field, reference) in table.keptReferences
                where try resolve(field, reference, entity) {
                    changed.insert(name)
                }
            }
            checked = Set(
                schema.tables.filter { table in
                    table.keptReferences.contains { changed.contains($0.reference.table) }
                }.map(\.name))
        }
    }

    private func entity(_ table: String) -> (any Entity.Type)? {
        zip(schema.tables, schema.entities).first { $0.0.name == table }?.1
    }

    private mutating func removeDuplicates<E: Entity>(_ type: E.Type) throws {
        let table = try tables.table(type)
        let indexes = table.description.indexes
        for position in indexes.indices where indexes[position].isUnique {
            let (_, losers) = try owners(position, table)
            let next = try losers.values()
            while let id = try next().flatMap({ E.ID(String(decoding: $0, as: UTF8.self)) }) {
                try setAside(
                    id, type,
                    "another record of '\(table.description.name)' has the same values of the unique index '\(indexes[position].name)'"
                )
            }
        }
    }

    /// Returns the ids of the records that a unique index covers, by its keys, and the ids of those
    /// that share a key with a record of a smaller id.
    private func owners<E: Entity>(
        _ position: Int, _ table: StoreTable<E>
    ) throws -> (owners: any MigrationSpaceTable, losers: any MigrationSpaceList) {
        let form = table.committed.forms.forms[position]
        let owners = try space.makeTable()
        let losers = try space.makeList()
        try eachRecord(table) { id, record in
            guard let key = try form.uniqueRange(of: StoreTable.row(of: record))?.lower else {
                return
            }
            let own = Array(id.description.utf8)
            guard let found = try owners.last(under: key.bytes),
                let other = E.ID(String(decoding: found, as: UTF8.self))
            else { return try owners.add(own, under: key.bytes) }
            if id < other {
                try owners.add(own, under: key.bytes)
                try losers.append(found)
            } else {
                try losers.append(own)
            }
        }
        return (owners, losers)
    }

    /// Resolves one reference of a table.
    ///
    /// - Returns: whether records were set aside.
    private mutating func resolve<E: Entity>(
        _ field: Int, _ reference: TableReference, _ type: E.Type
    ) throws -> Bool {
        let table = try tables.table(type)
        guard let target = tables.table(named: reference.table) else { return false }
        let dangling = try space.makeList()
        var isEmpty = true
        try eachRecord(table) { id, record in
            let value = try StoreTable.row(of: record)[field]
            if value == .null { return }
            if try target.contains(key: value) { return }
            try dangling.append(Array(id.description.utf8))
            isEmpty = false
        }
        if isEmpty { return false }
        var clearing: ClearedReferences<E>?
        if table.description.layout.fields[field].isOptional {
            clearing = ClearedReferences(field, try partialOwners(table))
        }
        let name = table.description.layout.fields[field].name
        var isSetAside = false
        let next = try dangling.values()
        while let id = try next().flatMap({ E.ID(String(decoding: $0, as: UTF8.self)) }) {
            if let record = try table.committed.storage.record(id),
                let cleared = try clearing?.cleared(record)
            {
                try replace(id, cleared)
                continue
            }
            try setAside(
                id, type,
                "the field '\(name)' refers to a record of '\(reference.table)' that is not there or was set aside"
            )
            isSetAside = true
        }
        return isSetAside
    }

    /// Returns the owners of the keys of the unique indexes with a condition: a record of which a
    /// reference is cleared may become one that the index covers.
    private func partialOwners<E: Entity>(
        _ table: StoreTable<E>
    ) throws -> [(form: IndexKeyForm, owners: any MigrationSpaceTable)] {
        let indexes = table.description.indexes
        return try indexes.indices.filter { indexes[$0].isUnique && indexes[$0].condition != nil }
            .map { (table.committed.forms.forms[$0], try owners($0, table).owners) }
    }

    /// Passes the records to a body. Documents that cannot be read are no records.
    private func eachRecord<E: Entity>(
        _ table: StoreTable<E>, _ body: (E.ID, E) throws -> Void
    ) throws {
        try table.committed.storage.visitIDs { id in
            let record: E
            do {
                guard let found = try table.committed.storage.record(id) else { return }
                record = found
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                return
            }
            try body(id, record)
        }
    }

    /// Replaces the document of a record.
    private mutating func replace<E: Entity>(_ id: E.ID, _ record: E) throws {
        let name = E.Mapper.table.name
        let new = NewDocument(key: id.description, data: try coder.encodeWaiting(record))
        try migrated.output.remove(new.key, from: name)
        _ = try migrated.output.add([new], to: name)
        touched.insert(name)
    }

    /// Writes the document of a record to the file, and removes it.
    private mutating func setAside<E: Entity>(
        _ id: E.ID, _ type: E.Type, _ reason: String
    ) throws {
        let name = E.Mapper.table.name
        let key = id.description
        guard let data = try migrated.get(key, in: name) else { return }
        try file.add(table: name, id: key, reason: reason, document: SetAsideValue(document: data))
        try migrated.remove(key, from: name)
        touched.insert(name)
    }
}

/// Clears a reference of records, as far as the rules of their table allow.
private struct ClearedReferences<E: Entity> {
    private let field: Int
    private let partial: [(form: IndexKeyForm, owners: any MigrationSpaceTable)]

    init(
        _ field: Int, _ partial: [(form: IndexKeyForm, owners: any MigrationSpaceTable)]
    ) {
        self.field = field
        self.partial = partial
    }

    /// Returns the record without the reference; nil if a check or a unique index forbids that.
    func cleared(_ record: E) throws -> E? {
        var fields = try RecordFields(record, E.Mapper.self)
        fields.clear(field)
        let cleared = try E.Mapper.decode(from: &fields)
        let row = try StoreTable.row(of: cleared)
        let checks = E.Mapper.table.checks.filter { $0.condition.fields.contains(field) }
        guard checks.allSatisfy({ $0.condition.matches(row) }) else { return nil }
        let own = Array(cleared.id.description.utf8)
        let keys = partial.map { $0.form.uniqueKey(of: row) }
        for (key, index) in zip(keys, partial) {
            guard let key, let owner = try index.owners.last(under: key) else { continue }
            if owner != own { return nil }
        }
        for (key, index) in zip(keys, partial) {
            if let key { try index.owners.add(own, under: key) }
        }
        return cleared
    }
}

extension SetAsideValue {
    /// A document: its text, or its bytes if it is no text.
    init(document data: Data) {
        self = String(data: data, encoding: .utf8).map(SetAsideValue.text) ?? .data(data)
    }
}
