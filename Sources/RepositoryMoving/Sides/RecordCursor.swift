internal import RepositoryRuntime

/// Reads the records of a type from one side, one after another in id order.
struct RecordCursor<E: Entity> {
    private let source: any RecordSource
    private let pageSize: Int
    private var page: [E] = []
    private var position = 0
    private var last: E.ID?
    private var isAtEnd = false
    /// The current record; nil at the end.
    private(set) var current: E?
    /// The number of records read so far.
    private(set) var count = 0
    /// The number of records that cannot be read.
    private(set) var failureCount = 0
    /// The unreadable records that were found since they were last taken.
    private var failures: [RecordFailure] = []

    /// Moves to the first record.
    init(_ source: any RecordSource, pageSize: Int = 256) async throws {
        self.source = source
        self.pageSize = pageSize
        try await advance()
    }

    /// Returns the unreadable records before the current one, once.
    mutating func takeFailures() -> [RecordFailure] {
        defer { failures = [] }
        return failures
    }

    /// Moves to the next record.
    ///
    /// - Throws: `unreliableSource` if its id does not follow the one before.
    mutating func advance() async throws {
        if current != nil { position += 1 }
        while position >= page.count, !isAtEnd { try await load() }
        current = position < page.count ? page[position] : nil
        if current != nil { count += 1 }
    }

    private mutating func load() async throws {
        try Task.checkCancellation()
        let next = try await source.page(E.self, after: last, limit: pageSize)
        failures += next.failures
        failureCount += next.failures.count
        (page, position) = (next.records, 0)
        guard let end = next.last else {
            isAtEnd = true
            if !next.records.isEmpty { throw unordered("gives a page without its last id") }
            return
        }
        var before = last
        for record in next.records {
            if let before, !(before < record.id) {
                throw unordered("does not give the ids in rising order: '\(record.id)'")
            }
            before = record.id
        }
        if let before, end < before { throw unordered("gives a page with a wrong last id") }
        if let last, !(last < end) { throw unordered("gives the same page again") }
        last = end
    }

    private func unordered(_ what: String) -> MoveError {
        MoveError(
            .unreliableSource, "\(source.name) \(what), in '\(E.Mapper.table.name)'.",
            table: E.Mapper.table.name)
    }
}
