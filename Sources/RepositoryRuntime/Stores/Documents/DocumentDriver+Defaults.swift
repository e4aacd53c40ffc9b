public import Foundation

/// Default implementations in terms of the required methods.
extension DocumentDriver {
    /// True.
    public var batchesAreAtomic: Bool { true }

    /// Does nothing: the driver keeps nothing open between its calls.
    public func close() {}
    /// True.
    public var holdsLargeDocuments: Bool { true }

    /// Returns nil: every read may block.
    public func withCachedDocument<R>(
        _ key: String, in collection: String, _ body: (UnsafeRawBufferPointer?) throws -> R
    ) throws -> R? { nil }

    /// Returns nil: every lookup may block.
    public func containsCached(_ key: String, in collection: String) throws -> Bool? { nil }

    /// False: the driver does not detect the writes of other processes.
    public var providesStamps: Bool { false }

    /// Reads the documents one after another.
    public func documents(_ keys: [String], in collection: String) throws -> [Data?] {
        try keys.map { try get($0, in: collection) }
    }

    /// Returns whether a document of a key exists, by reading it.
    public func contains(_ key: String, in collection: String) throws -> Bool {
        try get(key, in: collection) != nil
    }

    /// Passes each key to a body, from the array that ``keys(in:)`` returns.
    public func visitKeys(in collection: String, _ body: (String) throws -> Void) throws {
        for key in try keys(in: collection) { try body(key) }
    }

    /// Checks the flag once, before it takes the lock.
    public func withLock<R>(
        _ cancellation: CancellationFlag, _ body: () throws -> R
    ) throws -> R {
        try cancellation.check()
        return try withLock(body)
    }

    /// Does nothing.
    public func performDeferredCleanup() {}

    /// Returns nil: the store keeps nothing derived from the documents, and lookups read the
    /// collection.
    public func stamp(of collection: String) throws -> DocumentStamp? { nil }

    /// Returns nil: the store reads the note.
    public func stamp(ofNote name: String) throws -> DocumentStamp? { nil }

    /// Runs the body without waiting. Correct for a driver whose batches are a single change of the
    /// medium.
    public func withConsistentReads<R>(of collection: String, _ body: () throws -> R) throws -> R {
        try body()
    }

    /// Copies each document to the new collection and then removes it from the old one, so that the
    /// method can be repeated after an interruption.
    public func rename(collection: String, to other: String) throws {
        for key in try keys(in: collection) {
            guard let data = try get(key, in: collection) else { continue }
            _ = try apply(DocumentChange(key, in: other, data: data))
            _ = try apply(DocumentChange(key, in: collection, data: nil))
        }
    }

    /// Removes each document of the collection.
    public func remove(collection: String) throws {
        for key in try keys(in: collection) {
            _ = try apply(DocumentChange(key, in: collection, data: nil))
        }
    }
}

/// Batches built from single changes and an undo log, which is a note with the documents before the
/// batch.
///
/// The note is written before the first change and removed after the last one. While the note
/// exists, the batch is not committed. After a failure, or after the end of the process,
/// ``recover()`` restores the documents in the note.
extension DocumentDriver {
    /// Writes or removes the documents one after another, after the documents they replace have
    /// been written to a note. On failure, restores those documents.
    public func applyAll(_ changes: [DocumentChange]) throws {
        var before: [EarlierDocument] = []
        for change in changes {
            before.append(
                EarlierDocument(
                    collection: change.collection, key: change.key,
                    data: try get(change.key, in: change.collection)))
        }
        try setNote(EarlierDocument.note, JSONEncoder().encode(before))
        do {
            for change in changes {
                _ = try apply(
                    DocumentChange(change.key, in: change.collection, data: change.data))
            }
            try setNote(EarlierDocument.note, nil)
        } catch {
            do {
                try recover()
            } catch {
                // The note still exists, so that the next writer restores the documents.
            }
            throw error
        }
    }

    /// Restores the documents that an unfinished batch has changed, if there is a note of such a
    /// batch.
    public func recover() throws {
        guard let note = try note(EarlierDocument.note) else { return }
        let before: [EarlierDocument]
        do {
            before = try JSONDecoder().decode([EarlierDocument].self, from: note)
        } catch {
            throw CRUDRepositoryError(
                .databaseError, "The note of an unfinished batch in \(name) cannot be read.",
                underlyingError: error)
        }
        // In reverse order, because a batch may change the same document twice.
        for document in before.reversed() {
            _ = try apply(
                DocumentChange(document.key, in: document.collection, data: document.data))
        }
        try setNote(EarlierDocument.note, nil)
    }
}

/// A document before a batch; `data` is nil if it did not exist. An entry of the undo log, encoded
/// as JSON.
private struct EarlierDocument: Codable {
    /// The name of the note that contains the undo log.
    static let note = "batch"
    var collection: String
    var key: String
    var data: Data?
}
