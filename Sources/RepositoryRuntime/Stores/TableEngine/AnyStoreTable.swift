internal import Foundation

/// A table of a store whose entity is not known where it is used: what a delete does to the tables that refer to it.
protocol AnyStoreTable: AnyObject {
    var description: EntityTable { get }
    /// Whether the table has a record of an id, given as a reference to it holds it.
    func contains(key: StoredValue) throws -> Bool
    /// Whether a record refers to a target through a field.
    func hasReferrers(_ field: Int, to target: StoredValue) throws -> Bool
    /// Removes the records that refer to a target through a field, and returns what was removed.
    func removeReferrers(_ field: Int, to target: StoredValue, in write: StoreWrite) throws
        -> [RemovedRecord]
    /// Makes a field null in the records in which it refers to a target.
    ///
    /// - Throws: what is wrong with a record that cannot be without: a check, or a unique index.
    func clearReferrers(_ field: Int, to target: StoredValue, in write: StoreWrite) throws
    /// The ids of what the write has changed, in their text form.
    var changedIDs: [String] { get }
    /// Whether a record that the write has changed refers to a target through a field.
    func hasChangedReferrers(_ field: Int, to target: StoredValue) throws -> Bool
    /// The committed storage, whatever it keeps.
    var anyStorage: AnyObject { get }
    /// Whether there is no committed record.
    func isEmpty() throws -> Bool
    /// Whether the table has indexes, or references by which its records are found.
    var hasIndexes: Bool { get }
    /// Makes the indexes anew from the records.
    func rebuildIndexes() throws
    /// The committed records as they are now; nil where they are not in memory.
    func frozenRows() throws -> FrozenRows?
    /// Hands what the write has changed to the storage.
    func stage() throws
    /// Ends a write that has happened.
    func finish()
    /// Forgets what the write has changed.
    func abandon()
    /// The values that two stored records share in a unique index, as errors in words; empty where the indexes hold.
    func brokenUniqueIndexes() throws -> [String]
}

/// A record that a write has removed.
struct RemovedRecord {
    /// Its table.
    var table: String
    /// Its id, as a reference to it holds it.
    var key: StoredValue
    /// Its id as text.
    var id: String
}

extension StoreTable: AnyStoreTable {
    func contains(key: StoredValue) throws -> Bool {
        guard let text = description.idText(of: key), let id = E.ID(text) else { return false }
        return try contains(id)
    }

    var anyStorage: AnyObject { committed.storage }

    func isEmpty() throws -> Bool { try committed.storage.count() == 0 }

    var hasIndexes: Bool { committed.indexes != nil }

    func frozenRows() throws -> FrozenRows? {
        try (committed.storage as? any MemoryTable)?.frozen(committed.forms)
    }

    func rebuildIndexes() throws { try committed.indexes?.rebuild() }

    func hasReferrers(_ field: Int, to target: StoredValue) throws -> Bool {
        try !ids(referringThrough: field, to: target).isEmpty
    }

    func removeReferrers(
        _ field: Int, to target: StoredValue, in write: StoreWrite
    ) throws -> [RemovedRecord] {
        try ids(referringThrough: field, to: target).map { id in
            set(id, nil, row: nil, wasThere: true, in: write)
            return RemovedRecord(
                table: description.name, key: try StoredValue(encoding: id), id: id.description)
        }
    }

    func clearReferrers(_ field: Int, to target: StoredValue, in write: StoreWrite) throws {
        for id in try ids(referringThrough: field, to: target) {
            guard let record = try record(id) else { continue }
            var fields = try RecordFields(record, E.Mapper.self)
            fields.clear(field)
            let cleared = try E.Mapper.decode(from: &fields)
            let row = try Self.row(of: cleared)
            try description.testChecks(of: row, id: id.description)
            if hasPartialUniqueIndex, let index = try conflict(id, row) {
                throw description.notUnique(index, id: id.description)
            }
            set(id, cleared, row: row, wasThere: true, in: write)
        }
    }

    /// Whether a record without a reference may collide where it did not with it.
    private var hasPartialUniqueIndex: Bool {
        description.indexes.contains { $0.isUnique && $0.condition != nil }
    }

    func brokenUniqueIndexes() throws -> [String] {
        guard description.indexes.contains(where: \.isUnique) else { return [] }
        var seen = MemoryTableIndexes(committed.forms)
        var broken: Set<String> = []
        for id in try committed.storage.ids() {
            do {
                guard let record = try committed.storage.record(id) else { continue }
                let row = try Self.row(of: record)
                if let index = try committed.forms.conflict(
                    id, row, in: seen.keys, except: { _ in false })
                {
                    broken.insert(description.indexes[index].name)
                }
                seen.change(from: nil, to: row)
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                continue
            }
        }
        return broken.sorted().map {
            "the unique index '\($0)' of '\(description.name)' is broken by records that are stored"
        }
    }
}

extension EntityTable {
    /// The text form of an id that a reference holds; nil for what is no id of this table.
    func idText(of value: StoredValue) -> String? {
        if key.count == 1 { return Self.text(of: value, layout.fields[key[0]].type) }
        guard case .object(let components) = value else { return nil }
        return Self.text(of: components, key.map { layout.fields[$0] })
    }

    private static func text(of value: StoredValue, _ type: StoredType) -> String? {
        switch (value, type) {
        case (.text(let text), _): text
        case (.integer(let number), _): String(number)
        case (.uuid(let uuid), _): uuid.uuidString
        case (.object(let components), .composite(let layout)): text(of: components, layout.fields)
        default: nil
        }
    }

    private static func text(
        of components: [String: StoredValue], _ fields: [FieldDescription]
    ) -> String? {
        let texts = fields.compactMap { field in
            components[field.name].flatMap { text(of: $0, field.type) }
        }
        guard texts.count == fields.count else { return nil }
        return texts.map(CompositeIDText.escape).joined(separator: ",")
    }
}
