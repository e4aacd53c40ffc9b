public import Foundation

/// What a driver need not say itself, because it follows from the rest.
extension DocumentDriver {
    /// A batch that happens whole, come what may.
    public var batchesAreAtomic: Bool { true }

    /// Reads are made off Swift's thread pool.
    public func withDocumentAtHand<R>(
        _ key: String, in collection: String, _ body: (UnsafeRawBufferPointer?) throws -> R
    ) throws -> R? { nil }

    /// Asked off Swift's thread pool.
    public func containsAtHand(_ key: String, in collection: String) throws -> Bool? { nil }

    /// Nothing is known of what others write.
    public var keepsStamps: Bool { false }

    /// The documents of several keys, one by one.
    public func documents(_ keys: [String], in collection: String) throws -> [Data?] {
        try keys.map { try get($0, in: collection) }
    }

    /// Whether there is a document of a key; reads it.
    public func contains(_ key: String, in collection: String) throws -> Bool {
        try get(key, in: collection) != nil
    }

    /// Gives each key to a body; they are listed at once.
    public func visitKeys(in collection: String, _ body: (String) throws -> Void) throws {
        for key in try keys(in: collection) { try body(key) }
    }

    /// There is nothing to tidy up.
    public func tidyUp() {}

    /// Nothing derived from the documents is kept: what looks up reads the collection.
    public func stamp(of collection: String) throws -> DocumentStamp? { nil }

    /// The note is read.
    public func stamp(ofNote name: String) throws -> DocumentStamp? { nil }

    /// Runs the body: a batch that is one change of the medium is never seen in the middle.
    public func betweenBatches<R>(of collection: String, _ body: () throws -> R) throws -> R {
        try body()
    }

    /// Copies each document to the new name and removes it under the old one, so that it can be done again.
    public func rename(collection: String, to other: String) throws {
        for key in try keys(in: collection) {
            guard let data = try get(key, in: collection) else { continue }
            _ = try apply(DocumentChange(key, in: other, data: data))
            _ = try apply(DocumentChange(key, in: collection, data: nil))
        }
    }

    /// Removes each document.
    public func remove(collection: String) throws {
        for key in try keys(in: collection) {
            _ = try apply(DocumentChange(key, in: collection, data: nil))
        }
    }
}

/// Batches over single changes, by a note of what was there before.
///
/// The note is written before the first change and removed after the last. While it is there the batch has not happened:
/// a failure, or the next program after one that died, puts back what it says.
extension DocumentDriver {
    /// Writes or removes documents one by one; what was there before is noted down and put back on failure.
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
                // The note is still there, and the next writer puts back what it says.
            }
            throw error
        }
    }

    /// Puts back what a batch has changed that did not end.
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
        // Backwards, because a batch may change one document twice.
        for document in before.reversed() {
            _ = try apply(
                DocumentChange(document.key, in: document.collection, data: document.data))
        }
        try setNote(EarlierDocument.note, nil)
    }
}

/// What was under a key before a batch; nothing where `data` is nil.
private struct EarlierDocument: Codable {
    static let note = "batch"
    var collection: String
    var key: String
    var data: Data?
}
