/// A store for which each page of a reading costs a round trip, so that larger pages are faster.
package protocol PagedStore: EntityStore {
    /// Returns the number of records that a page should have, so that it fits into memory well.
    ///
    /// - Parameter usual: the number for other stores.
    func pageSize<E: Entity>(_ type: E.Type, usual: Int) -> Int
    /// Whether a stream reads its next page while the one before it is used. Not in a transaction,
    /// which does one thing at a time and may end meanwhile.
    var readsAhead: Bool { get }
    /// Reads the page of all records that begins after an id.
    func undecodedPage<E: Entity>(
        _ type: E.Type, after id: E.ID?, limit: Int
    ) async throws -> UndecodedPage<E>
    /// Reads the page of a selection.
    func undecodedPage<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection
    ) async throws -> UndecodedPage<E>
}

/// The records of a page as the store has received them.
///
/// Only the last one has to be decoded to ask for the next page.
package struct UndecodedPage<E: Entity>: Sendable {
    /// The number of records.
    package let count: Int
    private let entity: @Sendable (Int) throws -> E
    private let all: @Sendable () throws -> [E]

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - count: the number of records.
    ///   - entity: decodes the record at a position.
    ///   - all: decodes all of them.
    package init(
        count: Int, entity: @escaping @Sendable (Int) throws -> E,
        all: @escaping @Sendable () throws -> [E]
    ) {
        self.count = count
        self.entity = entity
        self.all = all
    }

    /// Creates a page of entities.
    package init(_ entities: [E]) {
        self.init(count: entities.count, entity: { entities[$0] }, all: { entities })
    }

    /// The last entity; nil for an empty page, or if its record cannot be decoded, which
    /// ``entities()`` reports.
    var last: E? { count == 0 ? nil : try? entity(count - 1) }

    /// Decodes the page.
    ///
    /// - Throws: `invalidRecord` for the first record that cannot be decoded.
    func entities() throws -> [E] { try all() }
}
