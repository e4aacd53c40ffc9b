extension ReadableRepository {
    /// Returns all entities that can be read, in id order, and the records that cannot.
    ///
    /// One state of the store is read, if it has snapshots. A record that cannot be read is among
    /// the failures whether it is deleted (`softDelete`) or not, because nobody can tell. All other
    /// errors are thrown.
    ///
    /// Cost: that of ``fetch()``. Around each unreadable record, up to 256 records are read one by
    /// one, unless the store is a database.
    ///
    /// - Parameters:
    ///   - tolerant: false throws for an unreadable record, as ``fetch()`` does.
    ///   - maximum: the number of unreadable records after which the reading ends.
    /// - Throws: `unsupported` if the store cannot list records; `invalidRecord` if the store cannot
    ///   read an id and needs it to find the record.
    public func fetch(
        tolerant: Bool, failures maximum: Int = .max
    ) async throws -> TolerantFetch<Model> {
        // With one parameter, the compiler would take this method for a query with a mistake.
        guard tolerant else { return TolerantFetch(rows: try await fetch()) }
        try await context.open()
        var result = try await context.fetchTolerantly(Model.self, failures: maximum)
        if context.hidesDeleted(Model.self) {
            result.rows.removeAll { Model.Mapper.deletion(of: $0) != nil }
        }
        return result
    }

    /// Runs a reading of the whole table. An error about an unreadable record gets the ids of the
    /// others.
    func namingUnreadable<R>(_ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch var error as CRUDRepositoryError where error.code == .invalidRecord {
            let maximum = CRUDRepositoryError.namedUnreadable
            do {
                let failures = try await context.fetchTolerantly(
                    Model.self, failures: maximum + 1
                ).failures
                error.name(unreadable: failures.map { $0.error.id ?? "" })
            } catch {
                // The caller gets the first error: it says what is wrong.
            }
            throw error
        }
    }
}

extension RepositoryContext {
    /// Reads a table without its unreadable records.
    fileprivate func fetchTolerantly<E: Entity>(
        _ type: E.Type, failures maximum: Int
    ) async throws -> TolerantFetch<E> {
        if let store = store as? any TolerantStore,
            let result = try await store.fetchTolerantly(type, failures: maximum)
        {
            return result
        }
        return try await withOneState { context in
            let store = context.store
            let ids = try await store.ids(type)
            var result = TolerantFetch<E>()
            var (start, last) = (0, E.ID?.none)
            while start < ids.count, result.failures.count < maximum {
                try Task.checkCancellation()
                let part = ids[start..<min(start + 256, ids.count)]
                if let page = try await store.wholePage(type, part, after: last) {
                    result.rows += page
                } else {
                    for id in part { try await store.add(id, to: &result) }
                }
                (start, last) = (part.endIndex, part.last)
            }
            return result
        }
    }
}

extension EntityStore {
    /// Returns the records with consecutive ids; nil if one cannot be read, or if the table has
    /// changed.
    fileprivate func wholePage<E: Entity>(
        _ type: E.Type, _ ids: ArraySlice<E.ID>, after id: E.ID?
    ) async throws -> [E]? {
        do {
            let page = try await page(type, after: id, limit: ids.count)
            return page.elementsEqual(ids) { $0.id == $1 } ? page : nil
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            return nil
        }
    }

    /// Reads a record into a result. Adds nothing if it was deleted in the meantime.
    fileprivate func add<E: Entity>(_ id: E.ID, to result: inout TolerantFetch<E>) async throws {
        do {
            result.rows.append(try await read(E.self, id: id))
        } catch var error as CRUDRepositoryError where error.code == .invalidRecord {
            error.id = id.description
            result.failures.append(TolerantFetch.Failure(id: id, error: error))
        } catch let error as CRUDRepositoryError where error.code == .recordNotFound {
            return
        }
    }
}

extension CRUDRepositoryError {
    /// The number of unreadable records that an error names.
    static let namedUnreadable = 10

    /// Adds the ids of unreadable records, in id order, of which one more than are named are given
    /// if there are more.
    fileprivate mutating func name(unreadable ids: [String]) {
        unreadableIDs = Array(ids.prefix(Self.namedUnreadable))
        let others = unreadableIDs.filter { $0 != id }
        guard !others.isEmpty else { return }
        let names = others.map { "'\($0)'" }.joined(separator: ", ")
        let more = ids.count > Self.namedUnreadable ? ", and others" : ""
        message += " Other records cannot be read, either: \(names)\(more)."
    }
}
