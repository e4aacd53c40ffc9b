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
    /// Begins to read the rest of a stream.
    ///
    /// - Parameter progress: what the stream has read.
    /// - Returns: nil if the records are read page by page.
    func followingRecords<E: Entity>(
        _ type: E.Type, _ rest: StreamRest<E>, _ progress: StreamProgress
    ) -> (any FollowingRecords<E>)?
}

extension PagedStore {
    /// Returns nil: the records are read page by page.
    package func followingRecords<E: Entity>(
        _ type: E.Type, _ rest: StreamRest<E>, _ progress: StreamProgress
    ) -> (any FollowingRecords<E>)? { nil }
}

/// What a stream still has to read.
package enum StreamRest<E: Entity>: Sendable {
    /// All records after an id.
    case all(after: E.ID)
    /// The records of a selection, which begins after a position.
    case selection(StoreSelection)
}

/// What a stream has read, from which a store decides how it goes on.
package struct StreamProgress: Sendable {
    /// The number of pages, all of them full, since the last reader.
    package var pages = 0
    /// The number of readers that have stopped before the last record.
    package var stops = 0

    /// Creates the progress of a stream that has read nothing.
    package init() {}

    /// The progress after a reader has stopped.
    var stopped: StreamProgress {
        var next = StreamProgress()
        next.stops = stops + 1
        return next
    }
}

/// A reader of the rest of a stream, in its order. It reads ahead, and ends when nothing refers to
/// it any more.
package protocol FollowingRecords<Model>: AnyObject, Sendable {
    associatedtype Model: Entity
    /// Returns the next records.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    func next() async throws -> FollowingPage<Model>
}

/// What a reader of many records returns.
package enum FollowingPage<E: Entity>: Sendable {
    case records(UndecodedPage<E>)
    /// There are no more records.
    case end
    /// The reader has ended early. The stream goes on after the last record, page by page, and
    /// meets the error that may be the reason.
    case stopped
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
    package func entities() throws -> [E] { try all() }
}
