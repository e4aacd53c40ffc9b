/// The check of a store through its own operations: reads every record, follows every reference,
/// compares the values of unique indexes, and scans every declared index.
///
/// Its memory grows with the number of records: it holds their ids and their unique values.
package struct RecordCheck {
    let store: any EntityStore
    let schema: StoreSchema
    /// Whether the declared indexes are scanned.
    private let scansIndexes: Bool
    /// Whether indexes over encrypted fields have hashes and no order, so that `database` checks them.
    private let hashesEncrypted: Bool
    /// Finds problems of the database itself.
    private let database: () async throws -> [StoreCheck.Problem]

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - store: the store, which has opened the schema.
    ///   - schema: the tables to check.
    ///   - scansIndexes: whether declared indexes are scanned; false if `database` checks them.
    ///   - hashesEncrypted: whether `database` checks the indexes over encrypted fields.
    ///   - database: finds problems of the database itself.
    package init(
        _ store: any EntityStore, _ schema: StoreSchema, scansIndexes: Bool = true,
        hashesEncrypted: Bool = false,
        database: @escaping () async throws -> [StoreCheck.Problem] = { [] }
    ) {
        self.store = store
        self.schema = schema
        self.scansIndexes = scansIndexes
        self.hashesEncrypted = hashesEncrypted
        self.database = database
    }

    /// Checks the store, and rebuilds what is derived from the records if there are problems.
    package func run(repair: Bool) async throws -> StoreCheck {
        var check = try await checked()
        guard repair, !check.isSound else { return check }
        do {
            try await repairCounters(check.problems)
            try await store.rebuildIndexes()
        } catch let error as CRUDRepositoryError
            where error.code == .constraintViolated
            || check.isDamaged && error.code == .databaseError
        {
            // Records share the values of a unique index, or cannot be read: the index cannot be
            // rebuilt.
            return check
        }
        let rest = try await checked()
        let remaining = Set(rest.problems)
        for index in check.problems.indices {
            check.problems[index].isRepaired = !remaining.contains(check.problems[index])
        }
        let known = Set(check.problems)
        check.problems += rest.problems.filter { !known.contains($0) }
        return check
    }

    /// Checks the database, and then one state of the records.
    private func checked() async throws -> StoreCheck {
        let damage = try await database()
        do {
            var check = try await onSnapshot { try await records(in: $0, damage) }
            check.problems += try await copies()
            return check
        } catch let error as CRUDRepositoryError
            where error.code == .databaseError && !damage.isEmpty
        {
            // The damage is the reason that the records cannot be read.
            return StoreCheck(problems: damage)
        }
    }

    /// Returns the documents that are copies of others and therefore no records.
    private func copies() async throws -> [StoreCheck.Problem] {
        guard let base = store.unwrapped as? any CopyFindingStore else { return [] }
        var problems: [StoreCheck.Problem] = []
        for type in schema.entities { problems += try await copies(of: type, in: base) }
        return problems
    }

    private func copies<E: Entity>(
        of type: E.Type, in store: any CopyFindingStore
    ) async throws -> [StoreCheck.Problem] {
        let table = E.Mapper.table.name
        return try await store.copies(of: type).map { name in
            StoreCheck.Problem(
                .unreadableRecord, table: table, id: name,
                "'\(name)' in '\(table)' is a copy of another record under a name of its own, as a synchronized folder makes it, and no record: compare it with the record, and remove it."
            )
        }
    }

    private func onSnapshot(
        _ body: (any EntityStore) async throws -> StoreCheck
    ) async throws -> StoreCheck {
        guard store.capabilities.has(.snapshots) else { return try await body(store) }
        let snapshot = try await store.snapshot()
        do {
            let check = try await body(snapshot)
            await snapshot.rollBack()
            return check
        } catch {
            await snapshot.rollBack()
            throw error
        }
    }

    /// Checks the tables of the schema.
    ///
    /// - Parameter damage: the problems of the database itself. If there are any, a record that it
    ///   cannot read is a problem, too, and no error.
    private func records(
        in store: any EntityStore, _ damage: [StoreCheck.Problem]
    ) async throws -> StoreCheck {
        var check = StoreCheck(problems: damage)
        var ids: [String: Set<StoredValue>] = [:]
        for type in schema.entities {
            try await ifReadable(check.isDamaged) { try await list(type, store, &ids) }
        }
        for type in schema.entities { try await read(type, store, ids, &check) }
        for type in schema.entities {
            try await ifReadable(check.isDamaged) {
                try await checkCounter(of: type, store, &check)
            }
        }
        return check
    }

    /// Runs a body. An error of a damaged database is that of records that are named already.
    private func ifReadable(
        _ isDamaged: Bool, _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as CRUDRepositoryError
            where isDamaged && error.code == .databaseError
        {
            return
        }
    }

    /// Lists the ids of a table that can be decoded.
    private func list<E: Entity>(
        _ type: E.Type, _ store: any EntityStore, _ ids: inout [String: Set<StoredValue>]
    ) async throws {
        ids[E.Mapper.table.name] = Set(
            try await readableIDs(type, store).ids.map { try $0.storedKey() })
    }

    /// Returns the ids of a table, and those that cannot be decoded.
    private func readableIDs<E: Entity>(
        _ type: E.Type, _ store: any EntityStore
    ) async throws -> ReadableIDs<E> {
        if let store = store as? any TolerantStore,
            let found = try await store.readableIDs(type)
        {
            return found
        }
        var found = ReadableIDs<E>()
        found.ids = try await store.ids(type)
        return found
    }

    /// Reads the records of a table.
    private func read<E: Entity>(
        _ type: E.Type, _ store: any EntityStore, _ ids: [String: Set<StoredValue>],
        _ check: inout StoreCheck
    ) async throws {
        let table = E.Mapper.table
        // For each index, the records that it must find.
        var covered = table.indexes.map { _ in Set<StoredValue>() }
        let forms = table.indexes.map { IndexKeyForm(table, $0) }
        // For each unique index, the records by their keys.
        var taken = table.indexes.map { _ in [IndexKey: String]() }
        var words = SearchedRecords()
        let found: ReadableIDs<E>
        do {
            found = try await readableIDs(type, store)
        } catch let error as CRUDRepositoryError
            where check.isDamaged && error.code == .databaseError
        {
            check.problems.append(
                StoreCheck.Problem(.damagedDatabase, table: table.name, error.message))
            return
        }
        check.recordCount += found.failures.count
        check.problems += found.failures.map { failure in
            StoreCheck.Problem(
                .unreadableRecord, table: table.name, id: failure.id, failure.message)
        }
        var isReadable = found.failures.isEmpty
        for id in found.ids {
            try Task.checkCancellation()
            check.recordCount += 1
            let row: [StoredValue]
            do {
                let record = try await store.read(type, id: id)
                row = try StoredValueEncoder.values(of: record, E.Mapper.self)
                try await checkExternalData(of: record, row, store, &check)
            } catch let error as CRUDRepositoryError
                where error.code == .invalidRecord
                || check.isDamaged && error.code == .databaseError
            {
                isReadable = false
                check.problems.append(
                    StoreCheck.Problem(
                        .unreadableRecord, table: table.name, id: id.description, error.message))
                continue
            }
            for (field, reference) in table.keptReferences {
                guard let target = Self.key(row[field], of: table.layout.fields[field].type),
                    ids[reference.table]?.contains(target) == false
                else { continue }
                let name = table.layout.fields[field].name
                check.problems.append(
                    StoreCheck.Problem(
                        .danglingReference, table: table.name, id: id.description, field: name,
                        "The field '\(name)' of '\(id)' in '\(table.name)' refers to a record that is not there."
                    ))
            }
            try words.add(row, of: type, id)
            guard scansIndexes else { continue }
            for (number, index) in table.indexes.enumerated() where index.covers(row) {
                covered[number].insert(try id.storedKey())
                guard index.isUnique, let key = forms[number].uniqueRange(of: row)?.lower,
                    let other = taken[number].updateValue(id.description, forKey: key)
                else { continue }
                check.problems.append(
                    StoreCheck.Problem(
                        .duplicateValue, table: table.name, id: id.description, field: index.name,
                        "'\(id)' and '\(other)' in '\(table.name)' have the same values of the unique index '\(index.name)'."
                    ))
            }
        }
        try await ifReadable(check.isDamaged) {
            try await checkSearch(type, words, store, &check)
        }
        // A scan reads the records that it finds.
        guard scansIndexes, isReadable, store.capabilities.has(.finders) else { return }
        for (number, index) in table.indexes.enumerated()
        where !hashesEncrypted || !table.encryptsKey(of: index) {
            try await scan(type, number, store, covered[number], &check)
        }
    }

    /// Scans an index, and reports the records that it does not find.
    private func scan<E: Entity>(
        _ type: E.Type, _ number: Int, _ store: any EntityStore, _ covered: Set<StoredValue>,
        _ check: inout StoreCheck
    ) async throws {
        var missing = covered
        var scan = IndexScan(number)
        let order = IndexScanOrder(scan, E.Mapper.table)
        while true {
            try Task.checkCancellation()
            let found = try await store.find(type, scan, limit: Self.pageSize)
            for record in found { missing.remove(try record.id.storedKey()) }
            guard found.count == Self.pageSize, let last = found.last else { break }
            scan.after = order.place(of: try StoredValueEncoder.values(of: last, E.Mapper.self))
        }
        if missing.isEmpty { return }
        let (table, index) = (E.Mapper.table.name, E.Mapper.table.indexes[number].name)
        check.problems.append(
            StoreCheck.Problem(
                .outdatedIndex, table: table, field: index,
                "The index '\(index)' of '\(table)' does not find \(missing.count) of \(covered.count) records."
            ))
    }

    /// The number of records that a scan reads at once.
    private static var pageSize: Int { 512 }

    /// Returns the id that a reference contains, as ``EntityIdentifier/storedKey()`` returns it; nil
    /// for no reference.
    private static func key(_ value: StoredValue, of type: StoredType) -> StoredValue? {
        if value == .null { return nil }
        guard case .composite(let layout) = type, case .object(let components) = value else {
            return value
        }
        return .list(layout.fields.map { components[$0.name] ?? .null })
    }
}

extension StoreCheck {
    /// Whether the database reports damage.
    fileprivate var isDamaged: Bool { problems.contains { $0.kind == .damagedDatabase } }
}
