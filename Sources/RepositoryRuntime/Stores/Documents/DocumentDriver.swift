public import Foundation

/// The storage interface of a document store: bytes under keys, in named collections.
///
/// For implementers: with a driver, ``DocumentStore`` is a complete ``EntityStore``.
///
/// A collection is the table of an entity, and a key is the text form of an id. A key is any string
/// that is not empty and does not contain U+0000. Two keys are equal if their UTF-8 bytes are
/// equal.
///
/// The methods may block and are called outside Swift's thread pool, except for
/// ``withCachedDocument(_:in:_:)`` and ``containsCached(_:in:)``, which must not block. Methods
/// that write are called one at a time, inside ``withLock(_:)``. Methods that read are called at
/// any time, concurrently with a write, and must return a complete document, either the old or the
/// new one. Errors are ``CRUDRepositoryError``.
public protocol DocumentDriver: Sendable {
    /// The kind of store, for error messages: `files`.
    var name: String { get }
    /// Whether committed writes survive a loss of power.
    var isDurable: Bool { get }
    /// Whether ``applyAll(_:)`` is atomic even if the process ends before it returns.
    var batchesAreAtomic: Bool { get }

    /// Whether the medium is suited to documents of several hundred kilobytes, such as the chunks of
    /// external data. If not, the store throws `unsupported` for schemas with external data.
    var holdsLargeDocuments: Bool { get }

    /// Whether ``stamp(of:)`` returns stamps, so that the store detects the writes of other
    /// processes.
    var providesStamps: Bool { get }

    /// Returns the document of a key, or nil if there is none.
    func get(_ key: String, in collection: String) throws -> Data?
    /// Returns the documents of several keys, in the order of the keys, with nil for those that do
    /// not exist.
    ///
    /// Implement this method if the medium can read several documents faster than one after
    /// another.
    func documents(_ keys: [String], in collection: String) throws -> [Data?]
    /// Returns whether a document of a key exists.
    func contains(_ key: String, in collection: String) throws -> Bool
    /// Passes the document of a key to a body if that is possible without blocking.
    ///
    /// The body receives nil if it is known that the document does not exist. The bytes are valid
    /// only during the call of the body. The method returns nil, without calling the body, if the
    /// answer requires a call that may block. The store then calls ``get(_:in:)`` on a thread that
    /// may block.
    func withCachedDocument<R>(
        _ key: String, in collection: String, _ body: (UnsafeRawBufferPointer?) throws -> R
    ) throws -> R?
    /// Returns whether a document of a key exists; nil if the answer requires a call that may
    /// block.
    func containsCached(_ key: String, in collection: String) throws -> Bool?
    /// Returns all keys of a collection, in any order. Anything that is not in the driver's stored
    /// form is not a document.
    func keys(in collection: String) throws -> [String]

    /// Passes each key of a collection to a body, in any order, without keeping all of them in
    /// memory if the medium permits it.
    func visitKeys(in collection: String, _ body: (String) throws -> Void) throws

    /// Writes or removes one document atomically.
    ///
    /// - Returns: False if the condition of the change did not hold. Nothing has changed then.
    func apply(_ change: DocumentChange) throws -> Bool
    /// Writes or removes several documents atomically, ignoring the conditions of the changes.
    func applyAll(_ changes: [DocumentChange]) throws
    /// Undoes or completes a batch that was interrupted by the end of its process.
    ///
    /// The store calls it under the lock before it writes.
    func recover() throws

    /// Runs a body while all other writers, including those of other processes, are locked out. The
    /// body may call the method again.
    func withLock<R>(_ body: () throws -> R) throws -> R
    /// Runs a body under the lock for a task that may be cancelled.
    ///
    /// A driver whose ``withLock(_:)`` may wait checks the flag during the wait. The default
    /// implementation checks it once, before it takes the lock. A body that has begun completes.
    ///
    /// - Throws: `CancellationError` if the task was cancelled before the body began; a retryable
    ///   `CRUDRepositoryError` if other writers hold the lock longer than the time limit.
    func withLock<R>(_ cancellation: CancellationFlag, _ body: () throws -> R) throws -> R
    /// Performs work for which no caller waits, such as releasing disk space.
    ///
    /// The store calls it without the lock, on the thread of a write, after the task has received
    /// the result of the write.
    func performDeferredCleanup()
    /// Returns a value that differs after every change of a collection by any process.
    ///
    /// Returns nil if no such value is known, for example during a write. The store then keeps
    /// nothing derived from the collection. The method takes constant time.
    func stamp(of collection: String) throws -> DocumentStamp?

    /// Runs a body that reads several documents of a collection, while no process writes a batch.
    ///
    /// The store calls it after stamps have shown several times in a row that another process
    /// writes. The method may wait for a batch. It must not wait for a writer that only holds the
    /// lock: that writer may be an open transaction, which waits for the next call of the reader.
    func withConsistentReads<R>(of collection: String, _ body: () throws -> R) throws -> R

    /// Renames a collection; does nothing if the collection does not exist. If the process ends
    /// before the method returns, calling it again completes the work.
    func rename(collection: String, to other: String) throws
    /// Removes a collection and everything that belongs to it.
    func remove(collection: String) throws
    /// Returns a note, or nil if it does not exist. A note is data of the runtime about the store,
    /// such as its schema. Notes are separate from the documents.
    func note(_ name: String) throws -> Data?
    /// Writes a note, durably if the store is durable. Nil removes the note.
    func setNote(_ name: String, _ data: Data?) throws
    /// Returns a value that differs after every change of a note by any process; nil if the store
    /// has to read the note instead.
    ///
    /// The method takes constant time. Every write calls it, inside ``withLock(_:)``.
    func stamp(ofNote name: String) throws -> DocumentStamp?

    /// Releases the files, connections and threads that the driver keeps between its calls.
    ///
    /// The store calls it when it is closed, without the lock, on a thread that may block. No other
    /// method is called afterwards. The default implementation does nothing.
    func close()
}

/// A change of one document.
public struct DocumentChange: Sendable {
    /// The condition under which a change is made.
    public enum Condition: Sendable {
        /// The change is always made.
        case none
        /// The document must not exist.
        case absent
        /// The document must exist.
        case present
    }

    /// The collection of the document.
    public var collection: String
    /// The key of the document.
    public var key: String
    /// The new bytes; nil removes the document.
    public var data: Data?
    /// The condition under which the change is made.
    public var condition: Condition

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - key: The key of the document.
    ///   - collection: The collection of the document.
    ///   - data: The new bytes; nil removes the document.
    ///   - condition: The condition under which the change is made.
    public init(
        _ key: String, in collection: String, data: Data?, when condition: Condition = .none
    ) {
        self.key = key
        self.collection = collection
        self.data = data
        self.condition = condition
    }
}
