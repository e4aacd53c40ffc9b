internal import RepositoryRuntime

/// The records of a store as a source. Records that cannot be read are passed over.
struct StoreSource: RecordSource {
    /// The store, or a snapshot of it.
    let store: any EntityStore

    var name: String { store.name }

    func state() async throws -> String? { nil }

    func count<E: Entity>(_ type: E.Type) async throws -> Int { try await store.count(type) }

    func page<E: Entity>(
        _ type: E.Type, after id: E.ID?, limit: Int
    ) async throws -> SourcePage<E> {
        do {
            return SourcePage(try await store.page(type, after: id, limit: limit))
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            return try await pageBesideFailure(type, after: id, limit: limit)
        }
    }

    /// Returns the records before the first one that cannot be read; that one if there are none.
    private func pageBesideFailure<E: Entity>(
        _ type: E.Type, after id: E.ID?, limit: Int
    ) async throws -> SourcePage<E> {
        var (readable, failing, records) = (0, limit, [E]())
        var failure: CRUDRepositoryError?
        while failing - readable > 1 || failure == nil {
            let middle = max(1, (readable + failing) / 2)
            do {
                records = try await store.page(type, after: id, limit: middle)
                if middle == failing { return SourcePage(records) }
                readable = middle
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                failing = middle
                failure = error
            }
            if failing == 1 { break }
            if failing - readable == 1 { return SourcePage(records) }
        }
        let table = E.Mapper.table.name
        guard let failure, let text = failure.id, let failed = E.ID(text) else {
            throw MoveError(
                .unreliableSource,
                "The table '\(table)' of \(store.name) has a record whose id cannot be read, so that the records after it cannot be reached: delete it first.",
                table: table)
        }
        let problem = RecordFailure(
            table: table, id: text, field: failure.field, reason: failure.message)
        return SourcePage([], failures: [problem], last: failed)
    }

    func record<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E? {
        try await store.readIfThere(type, id: id)
    }
}
