internal import Foundation

/// The documents of a driver as they are stored, in their wrapped form.
protocol WrappedDocuments: DocumentDriver {
    /// The transformers.
    var wrapping: DocumentWrapping { get }
    /// Returns the stored bytes of a document.
    func storedDocument(_ key: String, in collection: String) throws -> Data?
    /// Changes the note of the keys. The caller holds the lock.
    func changeNote(_ body: (inout WrappingNote) throws -> Void) throws
}

extension WrappedDriver: WrappedDocuments {
    func storedDocument(_ key: String, in collection: String) throws -> Data? {
        try base.get(key, in: collection)
    }

    func changeNote(_ body: (inout WrappingNote) throws -> Void) throws {
        try wrapping.change(base, body)
    }
}

extension DocumentDriver {
    /// Returns the bytes of a document that is set aside, in the form in which they are stored:
    /// what an encryption protects is not written elsewhere in plain form.
    func documentToSetAside(_ key: String, in collection: String) throws -> Data? {
        if let wrapped = self as? any WrappedDocuments {
            return try wrapped.storedDocument(key, in: collection)
        }
        return try get(key, in: collection)
    }
}

/// How many documents each key of a store has; in a SQL store, values of encrypted fields.
package struct RewrappedDocuments: Sendable, Equatable {
    /// The number of documents that were written again.
    package var rewritten = 0
    /// The number of documents by the id of their key. A document that cannot be unwrapped keeps
    /// its key.
    package var remaining: [String: Int] = [:]

    /// Creates counts of nothing.
    package init() {}
}

/// A store that can write its documents again with the key that is used now.
package protocol RewrappingStore: EntityStore {
    /// Writes the documents again that have another key than the one that is used now.
    ///
    /// Other operations go on meanwhile. An interrupted call is continued by the next one.
    ///
    /// - Parameter batch: The number of documents that are written while writers wait.
    /// - Throws: `unsupported` if the documents have no keys.
    func rewrap(batch: Int) async throws -> RewrappedDocuments
}
