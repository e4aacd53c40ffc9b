internal import Foundation

/// The words of the records of a table, and the records that have them.
struct SearchedRecords {
    /// The ids of the records with each word.
    fileprivate private(set) var records: [TextKey: [StoredValue]] = [:]

    /// Adds the words of a record.
    mutating func add<E: Entity>(_ row: [StoredValue], of type: E.Type, _ id: E.ID) throws {
        let fields = type.Mapper.table.searchedFields
        guard !fields.isEmpty else { return }
        let key = try id.storedKey()
        for posting in SearchedWords(row, fields).postings {
            records[TextKey(posting.word), default: []].append(key)
        }
    }
}

/// What stores derive from the records, or keep beside them: search indexes, counters of assigned ids
/// and external data.
extension RecordCheck {
    /// Searches each word, and reports a table whose search index does not find all records with it.
    ///
    /// A store without an index of words reads every record when it searches, and finds them all.
    func checkSearch<E: Entity>(
        _ type: E.Type, _ words: SearchedRecords, _ store: any EntityStore,
        _ check: inout StoreCheck
    ) async throws {
        var missing = 0
        for (word, records) in words.records {
            try Task.checkCancellation()
            guard let hits = try await store.search(type, SearchQuery(word: word.text)) else {
                return
            }
            let ids = hits.ranked.map(\.id) + hits.unranked
            let found = Set(ids.map { $0.count == 1 ? $0[0] : .list($0) })
            missing += records.count { !found.contains($0) }
        }
        guard missing > 0 else { return }
        let table = E.Mapper.table.name
        check.problems.append(
            StoreCheck.Problem(
                .outdatedSearchIndex, table: table,
                "The search index of '\(table)' does not find \(missing) occurrences of words."))
    }

    /// Reports a counter of assigned ids that cannot be read, or that is behind the greatest id. A
    /// counter that is missing is no problem: the store then begins after the greatest id.
    func checkCounter<E: Entity>(
        of type: E.Type, _ store: any EntityStore, _ check: inout StoreCheck
    ) async throws {
        let table = E.Mapper.table
        // An id that cannot be decoded is another problem.
        guard table.assignsIDs, table.isManaged,
            !check.problems.contains(where: {
                $0.kind == .unreadableRecord && $0.table == table.name
            }),
            let reason = try await IDAssignment<E>(store: store).problem()
        else { return }
        check.problems.append(
            StoreCheck.Problem(
                .outdatedCounter, table: table.name,
                field: table.layout.fields[table.key[0]].name,
                "The counter of the ids of '\(table.name)' \(reason)."))
    }

    /// Sets the counters that a check has reported to the greatest id of their tables.
    func repairCounters(_ problems: [StoreCheck.Problem]) async throws {
        let tables = Set(problems.filter { $0.kind == .outdatedCounter }.compactMap(\.table))
        for type in schema.entities where tables.contains(Self.table(of: type).name) {
            try await repairCounter(of: type)
        }
    }

    private static func table<E: Entity>(of type: E.Type) -> EntityTable { E.Mapper.table }

    private func repairCounter<E: Entity>(of type: E.Type) async throws {
        let transaction = try await store.begin()
        do {
            try await IDAssignment<E>(store: transaction).repair()
            try await transaction.commit()
        } catch {
            await transaction.rollBack()
            throw error
        }
    }

    /// Reads the external data of a record, and reports each field whose data is missing or has
    /// another hash.
    func checkExternalData<E: Entity>(
        of record: E, _ row: [StoredValue], _ store: any EntityStore, _ check: inout StoreCheck
    ) async throws {
        let table = E.Mapper.table
        guard !table.externalFields.isEmpty else { return }
        var contents: [ExternalData] = []
        var copy = record
        E.Mapper.changeExternalData(of: &copy) { data in
            contents.append(
                data.from(CheckedBytes<E>(store: store, id: record.id, content: data.description)))
            return data
        }
        for data in contents {
            do {
                for try await _ in data.chunks() {}
            } catch let error as CRUDRepositoryError
                where error.code == .externalDataNotFound || error.code == .invalidRecord
            {
                // A chunk is a document, which may be unreadable.
                let field = table.externalFields.first { row[$0] == .text(data.description) }
                check.problems.append(
                    StoreCheck.Problem(
                        .damagedExternalData, table: table.name, id: record.id.description,
                        field: field.map { table.layout.fields[$0].name }, error.message))
            }
        }
    }
}

/// The bytes of the external data of a record that is checked.
private struct CheckedBytes<E: Entity>: ExternalDataSource {
    let store: any EntityStore
    let id: E.ID
    let content: String

    func chunk(_ index: Int) async throws -> Data? {
        try await store.externalChunk(E.self, id: id, content: content, index: index)
    }

    func failure(_ failure: ExternalDataFailure) -> CRUDRepositoryError {
        let table = E.Mapper.table.name
        let reason =
            switch failure {
            case .missing: "is not whole"
            case .changed: "has another hash than the record says"
            }
        return CRUDRepositoryError(
            .externalDataNotFound, "External data of '\(id)' in '\(table)' \(reason).",
            id: id.description, table: table)
    }
}

extension StoreCheck.Problem {
    /// Returns the problem of an index over an encrypted field, in which hashes are not those of the
    /// values.
    ///
    /// - Parameters:
    ///   - field: the field.
    ///   - table: the table.
    ///   - wrong: the number of values with another hash, or none.
    ///   - count: the number of values.
    package static func outdatedHashes(
        of field: Int, in table: EntityTable, _ wrong: Int, among count: Int
    ) -> Self {
        let index = table.indexes.first { $0.keys.map(\.path) == [FieldPath(field)] }?.name
        return Self(
            .outdatedIndex, table: table.name, field: index,
            "The index '\(index ?? "")' of '\(table.name)' does not find \(wrong) of \(count) encrypted values."
        )
    }
}
