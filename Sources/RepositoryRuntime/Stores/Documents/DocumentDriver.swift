public import Foundation

/// What a document store must offer: bytes under keys, in named collections.
///
/// For implementers: with a driver, ``DocumentStore`` is a whole ``EntityStore``. A collection is an entity's table, a key
/// the text form of an id: any text that is not empty and holds no U+0000, the same as another when its UTF-8 bytes are.
///
/// Calls may block and are made off Swift's thread pool, except for the two that answer at once or not at all. Those that write
/// are made one at a time, inside ``withLock(_:)``; reads at any time, and see a whole document, old or new. Errors are
/// ``CRUDRepositoryError``.
public protocol DocumentDriver: Sendable {
    /// The kind of store, for messages: `files`.
    var name: String { get }
    /// Whether what was written survives a loss of power.
    var isDurable: Bool { get }
    /// Whether ``applyAll(_:)`` is all or none also when the program dies midway.
    var batchesAreAtomic: Bool { get }

    /// Whether ``stamp(of:)`` answers, so that what other processes write is noticed.
    var keepsStamps: Bool { get }

    /// The document of a key, or nil.
    func get(_ key: String, in collection: String) throws -> Data?
    /// The documents of several keys, in their order, nil where there is none; quicker than one by one, where the medium can.
    func documents(_ keys: [String], in collection: String) throws -> [Data?]
    /// Whether there is a document of a key.
    func contains(_ key: String, in collection: String) throws -> Bool
    /// Gives a body the document of a key, or nil where there is none, if that is known without waiting for a disk or for
    /// anybody; the bytes are there during the body only. Otherwise nil: then ``get(_:in:)`` is called on a thread that may wait.
    func withDocumentAtHand<R>(
        _ key: String, in collection: String, _ body: (UnsafeRawBufferPointer?) throws -> R
    ) throws -> R?
    /// Whether there is a document of a key; nil where that is not known without waiting.
    func containsAtHand(_ key: String, in collection: String) throws -> Bool?
    /// All keys of a collection, in any order; what is not of the driver's stored form is no document.
    func keys(in collection: String) throws -> [String]

    /// Gives each of the same keys to a body, without keeping them all, where the medium allows it.
    func visitKeys(in collection: String, _ body: (String) throws -> Void) throws

    /// Writes or removes one document as one step, and says whether its condition held; if not, nothing happened.
    func apply(_ change: DocumentChange) throws -> Bool
    /// Writes or removes several documents, all or none, whatever their conditions.
    func applyAll(_ changes: [DocumentChange]) throws
    /// Makes good a batch that a program left half done; called under the lock before anything is written.
    func recover() throws

    /// Keeps all other writers out, those of other processes too, while a body runs, which may call it again.
    func withLock<R>(_ body: () throws -> R) throws -> R
    /// Does what nobody waits for, such as giving back space on a disk: called without the lock, on the thread of a write, when
    /// who asked for that has the answer.
    func tidyUp()
    /// A value that differs after every change of a collection by anyone; nil where that cannot be known, so that
    /// nothing derived from the collection is kept. It takes constant time.
    func stamp(of collection: String) throws -> DocumentStamp?

    /// Runs a body that reads several documents of a collection while no batch is being written, by other processes neither.
    ///
    /// It is called where stamps have shown again and again that somebody writes. It may wait for a batch, but not for who
    /// only holds the lock: that may be an open transaction, which waits for what the reader does next.
    func betweenBatches<R>(of collection: String, _ body: () throws -> R) throws -> R

    /// Renames a collection; does nothing when it is not there. Called again after a crash it finishes the work.
    func rename(collection: String, to other: String) throws
    /// Removes a collection and all that belongs to it.
    func remove(collection: String) throws
    /// A note of the runtime's own about the store, such as its schema; never among the documents.
    func note(_ name: String) throws -> Data?
    /// Writes a note, durably if the store is; nil removes it.
    func setNote(_ name: String, _ data: Data?) throws
    /// The names of the notes, in any order.
    func noteNames() throws -> [String]
    /// A value that differs after every change of a note by anyone; nil where the store should read the
    /// note instead. It takes constant time: every write asks for it, inside ``withLock(_:)``.
    func stamp(ofNote name: String) throws -> DocumentStamp?
}

/// One change of one document.
public struct DocumentChange: Sendable {
    /// What must hold for a change to happen.
    public enum Condition: Sendable {
        /// Nothing.
        case none
        /// There is no document of the key.
        case absent
        /// There is one.
        case present
    }

    /// The collection.
    public var collection: String
    /// The key.
    public var key: String
    /// The new bytes; nil removes the document.
    public var data: Data?
    /// What must hold.
    public var condition: Condition

    /// Makes a change.
    public init(
        _ key: String, in collection: String, data: Data?, when condition: Condition = .none
    ) {
        self.key = key
        self.collection = collection
        self.data = data
        self.condition = condition
    }
}
