/// The committed state of a table: its records, and the indexes that are derived from them.
///
/// What a running write has changed is no part of it until the write has happened.
final class CommittedTable<E: Entity> {
    let storage: any TableStorage<E>
    let forms: TableIndexForms
    /// Nil where nothing leads to the records but their ids.
    let indexes: (any CommittedIndexes)?

    init(_ storage: any TableStorage<E>) {
        self.storage = storage
        forms = TableIndexForms(E.Mapper.table)
        indexes = forms.isEmpty ? nil : storage.indexes(forms)
    }

    /// Brings the indexes up to date; nobody else writes meanwhile.
    func refreshIndexes() throws { try indexes?.refresh() }

    /// Runs a body that reads keys while nobody else writes; where they turn out to be broken, they are made anew first.
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

    /// The keys of an index, as of the last refreshing.
    func keys(_ position: Int) throws -> any OrderedKeys {
        try indexes?.keys(position) ?? IndexPages<MemoryIndexPages>()
    }

    /// The unique index in which another record has the values of this one, those left out that a body answers true for.
    func conflict(
        _ id: E.ID, _ row: [StoredValue], except isLeftOut: (E.ID) -> Bool
    ) throws -> Int? {
        try forms.conflict(id, row, in: keys, except: isLeftOut)
    }

    /// Prepares what a write is about to make of the indexes.
    ///
    /// - Parameters:
    ///   - records: what it makes of records.
    ///   - isNew: the ids of which there is no record yet.
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

    /// The fields of a record; nil where it cannot be read.
    private func readableRow(_ id: E.ID) throws -> [StoredValue]? {
        do {
            return try storage.record(id).map(StoreTable.row)
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            return nil
        }
    }
}

extension TableIndexForms {
    /// The unique index in which another record has the values of this one; nulls never collide.
    ///
    /// - Parameters:
    ///   - keys: the keys of an index by its position.
    ///   - isLeftOut: answers true for records that do not count.
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
