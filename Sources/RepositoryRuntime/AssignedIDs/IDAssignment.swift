/// Gives the records of one entity their ids, inside a transaction.
///
/// An id that a committed call returned is never given again, even if its record was deleted. A
/// rolled back transaction also rolls back the counter, so that its ids can be given again.
package struct IDAssignment<Model: Entity> {
    /// The transaction.
    let store: any EntityStore

    /// Gives ids in a transaction.
    package init(store: any EntityStore) { self.store = store }

    private var table: EntityTable { Model.Mapper.table }

    /// Returns the first of some consecutive ids that no record has or had.
    ///
    /// - Throws: `numberOverflow` if the ids are exhausted; `unsupported` for an unmanaged table
    ///   that does not remember the ids of deleted records.
    package func take(_ count: Int) async throws -> Int64 {
        guard table.isManaged else {
            guard let last = try await store.lastRememberedID(Model.self, reserving: count)
            else {
                var error = CRUDRepositoryError.unsupported(
                    "given ids in the unmanaged table '\(table.name)', which does not remember them (SQLite: AUTOINCREMENT; PostgreSQL: an identity or serial column)",
                    by: store.name)
                error.table = table.name
                throw error
            }
            return try range(after: last, count)
        }
        var last = try await lastID()
        // A program that does not know the counter may have stored records with later ids.
        if try await hasRecord(after: last, count) { last = max(last, try await greatestID()) }
        let first = try range(after: last, count)
        try await keep(first + Int64(count) - 1)
        return first
    }

    /// Makes sure that no id up to the greatest of some records is given again.
    func advance(past entities: [Model]) async throws {
        guard table.isManaged else { return }
        let greatest = try entities.map { try number(of: $0.id) }.max() ?? 0
        let last = try await lastID()
        try await keep(max(last, greatest))
    }

    /// Returns what is wrong with the counter, as the end of a sentence; nil if it can be read and
    /// is not behind the greatest id, or if there is none.
    func problem() async throws -> String? {
        do {
            guard try await store.exists(IDCounter.self, id: .init(table.name)) else { return nil }
            let last = try await store.read(IDCounter.self, id: .init(table.name)).last
            let greatest = try await greatestID()
            return last < greatest ? "is \(last), and a record has the id \(greatest)" : nil
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            return "cannot be read"
        }
    }

    /// Sets the counter to the greatest id that it or a record has.
    func repair() async throws {
        try await keep(max(try await lastID(), try await greatestID()))
    }

    private func range(after last: Int64, _ count: Int) throws -> Int64 {
        let (end, overflow) = last.addingReportingOverflow(Int64(count))
        guard !overflow, end > 0 || count == 0 else {
            throw CRUDRepositoryError(
                .numberOverflow, "The ids of '\(table.name)' are exhausted.", table: table.name,
                field: table.layout.fields[table.key[0]].name)
        }
        return last + 1
    }

    /// Returns the counter; nil if there is none.
    private func counter() async throws -> Int64? {
        do {
            return try await store.read(IDCounter.self, id: .init(table.name)).last
        } catch let error as CRUDRepositoryError
            where error.code == .recordNotFound || error.code == .invalidRecord
        {
            return nil
        }
    }

    private func keep(_ last: Int64) async throws {
        _ = try await store.save(IDCounter(id: .init(table.name), last: last))
    }

    /// Returns whether a record has one of the next ids.
    private func hasRecord(after last: Int64, _ count: Int) async throws -> Bool {
        for offset in 1...Int64(max(count, 1)) where last <= .max - offset {
            if try await store.exists(Model.self, id: id(last + offset)) { return true }
        }
        return false
    }

    /// Returns the last id that was given; the greatest one of all records if there is no counter.
    private func lastID() async throws -> Int64 {
        if let last = try await counter() { return last }
        return try await greatestID()
    }

    /// Returns the greatest id of all records, at least 0. It reads all ids; the counter makes that
    /// unnecessary from then on.
    private func greatestID() async throws -> Int64 {
        let greatest = try await store.ids(Model.self).last.map { try number(of: $0) }
        return max(0, greatest ?? 0)
    }

    private func number(of id: Model.ID) throws -> Int64 {
        guard case .integer(let number) = try StoredValueEncoder.components(of: id).first else {
            return 0
        }
        return number
    }

    private func id(_ number: Int64) throws -> Model.ID {
        var fields = StoredValueDecoder([.integer(number)])
        return try Model.ID.decodeComponents(from: &fields)
    }
}
