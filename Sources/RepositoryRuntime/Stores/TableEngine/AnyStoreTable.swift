internal import Foundation

/// A type-erased table of a store, for code that does not know the entity type.
///
/// ``StoreWrite`` uses it to check references and to apply the delete rules to the referring
/// tables.
///
/// The only conforming type is ``StoreTable``. Fields are identified by their index in the table,
/// and reference values have the stored representation of the target's id.
protocol AnyStoreTable: AnyObject {
    /// The declared table.
    var description: EntityTable { get }
    /// Returns whether the table has a record with an id.
    ///
    /// - Parameter key: the id in the representation of a reference field.
    func contains(key: StoredValue) throws -> Bool
    /// Returns whether a record refers to a target through a field.
    func hasReferrers(_ field: Int, to target: StoredValue) throws -> Bool
    /// Removes the records that refer to a target through a field and returns the removed records.
    /// Used for the rule `cascade`.
    func removeReferrers(_ field: Int, to target: StoredValue, in write: StoreWrite) throws
        -> [RemovedRecord]
    /// Sets a field to null in all records in which it refers to a target. Used for the rule
    /// `setNull`.
    ///
    /// - Throws: A constraint violation if a record without the reference breaks a check or a
    ///   unique index.
    func clearReferrers(_ field: Int, to target: StoredValue, in write: StoreWrite) throws
    /// The ids that the write has changed, in their text representation.
    var changedIDs: [String] { get }
    /// Returns whether a record that the write has changed refers to a target through a field.
    func hasChangedReferrers(_ field: Int, to target: StoredValue) throws -> Bool
    /// The committed storage, type-erased.
    var anyStorage: AnyObject { get }
    /// The key layouts of the indexes.
    var forms: TableIndexForms { get }
    /// Returns whether there are no committed records.
    func isEmpty() throws -> Bool
    /// Whether the table has indexes, declared ones or ones for its references.
    var hasIndexes: Bool { get }
    /// Rebuilds the indexes from the records.
    func rebuildIndexes() throws
    /// Returns an immutable snapshot of the committed records; nil if the records are not in
    /// memory.
    func frozenRows() throws -> FrozenRows?
    /// Passes the changes of the write to the storage.
    func stage() throws
    /// Removes the chunks of external data that an interrupted write has left.
    func settleEarlier() throws
    /// Removes all chunks of external data that no record has. Reads every record.
    func removeStrayChunks() throws
    /// Ends a write that was applied.
    func finish()
    /// Discards the changes of the write.
    func abandon()
    /// Returns one error message for each unique index in which two stored records have the same
    /// values. Empty if all unique indexes hold. Reads every record.
    func brokenUniqueIndexes() throws -> [String]
    /// Returns the number of stored records that refer through a field to a record that does not
    /// exist, and the first ids. Reads every record.
    func danglingReferences(_ field: Int, to target: any AnyStoreTable) throws -> (
        count: Int, ids: [String]
    )
}

/// A record that a write has removed, kept to apply the delete rules of its referrers.
struct RemovedRecord {
    /// The name of its table.
    var table: String
    /// Its id in the representation of a reference field.
    var key: StoredValue
    /// Its id as text.
    var id: String
}

/// The type-erased operations, in terms of the typed table. All of them see the changes of the open
/// write, except those documented as committed.
extension StoreTable: AnyStoreTable {
    func contains(key: StoredValue) throws -> Bool {
        guard let text = description.idText(of: key), let id = E.ID(text) else { return false }
        return try contains(id)
    }

    var anyStorage: AnyObject { committed.storage }

    var forms: TableIndexForms { committed.forms }

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

    /// Whether clearing a reference can cause a collision: a record may enter the condition of a
    /// partial unique index.
    private var hasPartialUniqueIndex: Bool {
        description.indexes.contains { $0.isUnique && $0.condition != nil }
    }

    /// Reads every record once and keeps eight bytes for each in memory; reads them again only if
    /// values seem to occur twice. Called when a unique index is added to stored records.
    func brokenUniqueIndexes() throws -> [String] {
        let unique = description.indexes.indices.filter { description.indexes[$0].isUnique }
        if unique.isEmpty { return [] }
        var found = unique.map { _ in RepeatedKeys() }
        func visit(_ body: (Int, IndexKey) throws -> Void) throws {
            try committed.storage.visitRows { row in
                for (number, position) in unique.enumerated() {
                    guard let range = committed.forms.forms[position].uniqueRange(of: row) else {
                        continue
                    }
                    try body(number, range.lower)
                }
            }
        }
        try visit { found[$0].note($1) }
        for number in found.indices { found[number].compare() }
        guard found.contains(where: \.mayRepeat) else { return [] }
        try visit { found[$0].verify($1) }
        return zip(unique, found).filter { $0.1.isRepeated }.map {
            "the unique index '\(description.indexes[$0.0].name)' of '\(description.name)' is broken by records that are stored"
        }.sorted()
    }

    /// Reads every record once.
    func danglingReferences(
        _ field: Int, to target: any AnyStoreTable
    ) throws -> (count: Int, ids: [String]) {
        let isSensitive = description.key.contains { description.layout.fields[$0].isSensitive }
        var count = 0
        var ids: [E.ID] = []
        try committed.storage.visitIDs { id in
            do {
                guard let record = try committed.storage.record(id) else { return }
                let value = try Self.row(of: record)[field]
                if value == .null { return }
                if try target.contains(key: value) { return }
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                return
            }
            count += 1
            if isSensitive { return }
            // Keep the first ids, whatever the order of the listing.
            ids.insert(id, at: ids.firstIndex(after: id))
            if ids.count > MigrationFailures.limit { ids.removeLast() }
        }
        return (count, ids.map(\.description))
    }
}

extension EntityTable {
    /// Returns the text representation of an id.
    ///
    /// - Parameter value: the id in the representation of a reference field.
    /// - Returns: The text, or nil if the value is not an id of this table.
    func idText(of value: StoredValue) -> String? {
        if key.count == 1 { return Self.text(of: value, layout.fields[key[0]].type) }
        guard case .object(let components) = value else { return nil }
        return Self.text(of: components, key.map { layout.fields[$0] })
    }

    /// Returns the text representation of one component; nil if the value does not fit the type.
    private static func text(of value: StoredValue, _ type: StoredType) -> String? {
        switch (value, type) {
        case (.text(let text), _): text
        case (.integer(let number), _): String(number)
        case (.uuid(let uuid), _): uuid.uuidString
        case (.object(let components), .composite(let layout)): text(of: components, layout.fields)
        default: nil
        }
    }

    /// Returns the text representation of a composite id: the escaped components, separated by
    /// commas. Nil if a component is missing or does not fit its type.
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
