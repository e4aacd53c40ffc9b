internal import RepositoryRuntime

extension StoreTrial {
    /// Stores records, as one batch if the store supports batches.
    func store<R: EntityRepository>(_ models: [R.Model], in repository: R) async throws {
        if store.capabilities.has(.batches) {
            try await repository.createAll(models)
        } else {
            for model in models { try await repository.create(model) }
        }
    }

    /// Stores one record per value, with the ids `00`, `01` and so on.
    func store<V: Sendable>(_ values: [V], _ set: (inout Sparse, V) -> Void) async throws {
        let records = values.enumerated().map { number, value in
            var record = Sparse(id: .init(Self.id(number)))
            set(&record, value)
            return record
        }
        try await store(records, in: repositories.sparses)
    }

    /// The id of the record with a number.
    static func id(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Checks that a condition matches exactly the records with these numbers, for every operation
    /// that evaluates conditions.
    func expectMatches(
        _ numbers: [Int], _ message: String = "The condition matches other records.",
        fileID: String = #fileID, line: Int = #line, where condition: (Sparse.Fields) -> Condition
    ) async throws {
        let ids = numbers.map(Self.id)
        let sparses = repositories.sparses
        let query = Query<Sparse>.where(condition)
        try await expect(
            sparses.ids(query).map(\.rawValue), is: ids, message, fileID: fileID, line: line)
        try await expect(
            sparses.count(query), is: ids.count, "count: \(message)", fileID: fileID, line: line)
        try await expect(
            sparses.exists(where: condition), is: !ids.isEmpty, "exists: \(message)",
            fileID: fileID, line: line)
    }

    /// Checks that a query returns the records with these numbers in this order, as a whole and as
    /// a stream.
    func expectOrder(
        _ numbers: [Int], _ query: Query<Sparse>, _ message: String = "The order differs.",
        fileID: String = #fileID, line: Int = #line
    ) async throws {
        let ids = numbers.map(Self.id)
        let sparses = repositories.sparses
        try await expect(
            sparses.ids(query).map(\.rawValue), is: ids, message, fileID: fileID, line: line)
        try await expect(
            sparses.fetch(query).map(\.id.rawValue), is: ids, "fetch: \(message)",
            fileID: fileID, line: line)
        var streamed: [String] = []
        for try await record in sparses.stream(query) {
            streamed.append(record.id.rawValue)
            try expect(
                streamed.count <= ids.count, "stream: \(message)", fileID: fileID, line: line)
        }
        try expect(streamed, is: ids, "stream: \(message)", fileID: fileID, line: line)
    }

    /// Returns the records of all pages of a query. Fails if the pages do not end.
    func paged<R: EntityRepository>(
        _ query: Query<R.Model>, in repository: R, size: Int, fileID: String = #fileID,
        line: Int = #line, between body: (Int) async throws -> Void = { _ in }
    ) async throws -> [R.Model] {
        var found: [R.Model] = []
        var cursor: QueryCursor?
        var number = 0
        repeat {
            let page = try await repository.page(query.limit(size), after: cursor)
            try expect(
                page.items.count == size || page.next == nil, "A page before the last is not full.",
                fileID: fileID, line: line)
            found += page.items
            cursor = page.next
            try expect(found.count < 10_000, "The pages do not end.", fileID: fileID, line: line)
            try await body(number)
            number += 1
        } while cursor != nil
        return found
    }
}
