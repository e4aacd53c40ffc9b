/// The committed state of a table: its records and the indexes derived from them.
///
/// The changes of an open write are not part of it until the write is applied.
///
/// Readers outside a transaction use this type directly. ``StoreTable`` combines it with the
/// changes of the open write.
final class CommittedTable<E: Entity> {
    /// The records.
    let storage: any TableStorage<E>
    /// The key layouts of the indexes.
    let forms: TableIndexForms
    /// The indexes; nil if the table has none and records can be found only by id.
    let indexes: (any CommittedIndexes)?

    /// Creates the committed state of a table. The storage creates its indexes here, once.
    init(_ storage: any TableStorage<E>) {
        self.storage = storage
        forms = TableIndexForms(E.Mapper.table)
        indexes = forms.isEmpty ? nil : storage.indexes(forms)
    }

    /// Brings the indexes up to date. No one else may write in the meantime.
    func refreshIndexes() throws { try indexes?.refresh() }

    /// Runs a body that reads keys. If the indexes turn out to be damaged, rebuilds them and runs
    /// the body again. No one else may write in the meantime.
    ///
    /// The body may therefore run twice. It must not have side effects before it reads keys.
    ///
    /// - Throws: `databaseError` if the rebuilt indexes are damaged too.
    func repairing<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch is IndexFailure {
            try indexes?.rebuild()
        }
        do {
            return try body()
        } catch let failure as IndexFailure {
            throw CRUDRepositoryError(
                .databaseError, "The indexes of '\(E.Mapper.table.name)' cannot be made.",
                table: E.Mapper.table.name, underlyingError: failure)
        }
    }

    /// Returns the keys of an index, as of the last refresh.
    func keys(_ position: Int) throws -> any OrderedKeys {
        try indexes?.keys(position) ?? IndexPages<MemoryIndexPages>()
    }

    /// Returns the records that the search index finds, as of the last refresh; nil if the table is
    /// not searched.
    func search(_ query: SearchQuery) throws -> SearchHits? {
        guard let form = forms.search else { return nil }
        return try form.hits(query, in: keys(forms.searchPosition))
    }

    /// Returns the position of the unique index in which another record has the same values; nil if
    /// there is none. Ignores records for which the closure returns true.
    func conflict(
        _ id: E.ID, _ row: [StoredValue], except isLeftOut: (E.ID) -> Bool
    ) throws -> Int? {
        try forms.conflict(id, row, in: keys, except: isLeftOut)
    }

    /// Prepares the index changes of a write.
    ///
    /// Does nothing if the storage updates the indexes itself.
    ///
    /// - Parameters:
    ///   - records: the changed records.
    ///   - isNew: the ids for which there is no record yet.
    func stage(_ records: [E.ID: TableChange<E>], isNew: Set<E.ID>) throws {
        guard let indexes, !indexes.areKeptByStorage else { return }
        var changes: [RowChange] = []
        changes.reserveCapacity(records.count)
        for (id, change) in records {
            let wasThere = !isNew.contains(id)
            if !wasThere, change.record == nil { continue }
            changes.append(
                RowChange(
                    id: id.description, old: wasThere ? try readableRow(id) : nil,
                    new: change.row, wasThere: wasThere))
        }
        try repairing {
            try indexes.refresh()
            try indexes.stage(changes)
        }
    }

    /// Returns the field values of a record; nil if it does not exist or cannot be read.
    private func readableRow(_ id: E.ID) throws -> [StoredValue]? {
        do {
            return try storage.record(id).map(StoreTable.row)
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            return nil
        }
    }
}

extension TableIndexForms {
    /// Returns the position of the unique index in which another record has the same values; nil if
    /// there is none. Nulls never collide.
    ///
    /// - Parameters:
    ///   - id: the id of the record to check.
    ///   - row: the field values of that record.
    ///   - keys: returns the keys of an index by its position.
    ///   - isLeftOut: returns true for records to ignore.
    func conflict<ID: EntityIdentifier>(
        _ id: ID, _ row: [StoredValue], in keys: (Int) throws -> any OrderedKeys,
        except isLeftOut: (ID) -> Bool
    ) throws -> Int? {
        try unique.first { position in
            let form = forms[position]
            guard let range = form.uniqueRange(of: row) else { return false }
            return try keys(position).ascending(range, limit: .max).contains { key in
                let other: ID = try form.known(key)
                return other != id && !isLeftOut(other)
            }
        }
    }
}
