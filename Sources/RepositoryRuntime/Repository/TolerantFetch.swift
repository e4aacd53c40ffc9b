/// The records of a table, and those that cannot be read.
///
/// ```swift
/// let books = try await library.books.fetch(tolerant: true)
/// for failure in books.failures { print(failure.error) }
/// ```
public struct TolerantFetch<Model: Entity>: Sendable {
    /// A record that cannot be read.
    public struct Failure: Sendable {
        /// The id of the record; nil if the id cannot be read, either. `delete` removes the record,
        /// and `save` replaces it.
        public let id: Model.ID?
        /// Why the record cannot be read: an error with the code `invalidRecord`, the text of the
        /// id and the table.
        public let error: CRUDRepositoryError

        /// Creates a failure.
        package init(id: Model.ID?, error: CRUDRepositoryError) {
            self.id = id
            self.error = error
        }
    }

    /// The records that can be read, in id order.
    public internal(set) var rows: [Model]
    /// The records that cannot be read, in id order.
    public internal(set) var failures: [Failure]

    /// Creates a result.
    package init(rows: [Model] = [], failures: [Failure] = []) {
        self.rows = rows
        self.failures = failures
    }
}

/// A store that passes over unreadable records in one reading of the table. Of other stores the
/// ids are listed first, which fails if an id cannot be read.
package protocol TolerantStore: EntityStore {
    /// Returns the records of a table; nil if the store wraps another one that cannot do it.
    ///
    /// - Parameters:
    ///   - type: the type of the entities.
    ///   - maximum: the number of failures after which the reading ends.
    func fetchTolerantly<E: Entity>(
        _ type: E.Type, failures maximum: Int
    ) async throws -> TolerantFetch<E>?
    /// Returns the ids of a table that can be decoded, and an error for each of the others; nil if
    /// the store wraps another one that cannot do it.
    func readableIDs<E: Entity>(_ type: E.Type) async throws -> ReadableIDs<E>?
}

extension TolerantStore {
    /// Returns nil.
    package func readableIDs<E: Entity>(_ type: E.Type) async throws -> ReadableIDs<E>? { nil }
}

/// The ids of a table.
package struct ReadableIDs<Model: Entity> {
    /// The ids that can be decoded, in order.
    package var ids: [Model.ID] = []
    /// An error with the code `invalidRecord` for each of the others, with the text of the id.
    package var failures: [CRUDRepositoryError] = []

    /// Creates an empty list.
    package init() {}

    /// Adds an id.
    ///
    /// - Parameters:
    ///   - table: the name of the table.
    ///   - text: the text of the id, if it cannot be decoded.
    ///   - decode: decodes the id.
    /// - Throws: an error of `decode` that does not concern the id alone.
    package mutating func add(
        _ table: String, text: () -> String, _ decode: () throws -> Model.ID
    ) throws {
        do {
            ids.append(try decode())
        } catch {
            let error = CRUDRepositoryError.unreadable(error, id: text(), table: table)
            guard error.code == .invalidRecord else { throw error }
            failures.append(error)
        }
    }

    /// Returns the ids.
    ///
    /// - Throws: `invalidRecord` if one cannot be decoded.
    package func all() throws -> [Model.ID] {
        if let failure = failures.first { throw failure }
        return ids
    }
}

/// An interceptor that passes the reading on as one operation.
protocol TolerantInterceptor: EntityStoreInterceptor, TolerantStore {}

extension TolerantInterceptor {
    /// Returns the records that the wrapped store returns.
    package func fetchTolerantly<E: Entity>(
        _ type: E.Type, failures maximum: Int
    ) async throws -> TolerantFetch<E>? {
        guard let tolerant = store as? any TolerantStore else { return nil }
        return try await intercept(
            StoreOperation(.page, type, .table),
            volume: { StoreVolume(rows: $0?.rows.count ?? 0) }
        ) { try await tolerant.fetchTolerantly(type, failures: maximum) }
    }
}
