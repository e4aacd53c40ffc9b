internal import Foundation

/// A driver whose documents can have names that a person or a synchronized folder gave them.
protocol HandNamedDriver: DocumentDriver {
    /// Passes the key of each document of a collection to a body, in any order, and whether the
    /// name of the document was given by hand.
    func visitKeys(
        in collection: String, _ body: (_ key: String, _ isByHand: Bool) throws -> Void
    ) throws
}

extension DocumentDriver {
    /// Passes the id of each record of a table to a body, in any order. Keys that are not ids of
    /// the table are skipped.
    ///
    /// A folder that is synchronized between devices keeps a copy of a document that was changed on
    /// both, under a name of its own. It has the id of another record and is none itself.
    ///
    /// - Parameter copy: Receives the keys of such copies.
    func visitRecordIDs<E: Entity>(
        _ type: E.Type, _ coder: RecordCoder, copies copy: (String) throws -> Void = { _ in },
        _ body: (E.ID) throws -> Void
    ) throws {
        let collection = E.Mapper.table.name
        guard let named = self as? any HandNamedDriver else {
            return try visitKeys(in: collection) { key in
                if let id = E.ID(documentKey: key) { try body(id) }
            }
        }
        try named.visitKeys(in: collection) { key, isByHand in
            guard let id = E.ID(documentKey: key) else { return }
            if isByHand, try isCopy(key, of: id, type, coder) { return try copy(key) }
            try body(id)
        }
    }

    /// Returns whether the document of a key is that of another record.
    private func isCopy<E: Entity>(
        _ key: String, of id: E.ID, _ type: E.Type, _ coder: RecordCoder
    ) throws -> Bool {
        let data: Data?
        do {
            data = try get(key, in: E.Mapper.table.name)
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            return false
        }
        guard let data else { return false }
        // An encrypted document cannot be read under another name than its own.
        if let wrapped = self as? any WrappedDocuments, wrapped.wrapping.layers.keyed != nil,
            data == DamagedDocument.bytes
        {
            return true
        }
        return try coder.ownID(data, type).map { $0 != id } ?? false
    }
}

extension DocumentStore: CopyFindingStore {
    package func copies<E: Entity>(of type: E.Type) async throws -> [String] {
        try await readingRecords(of: E.Mapper.table) { [self] in
            var copies: [String] = []
            try driver.visitRecordIDs(type, coder, copies: { copies.append($0) }) { _ in }
            return copies.sorted()
        }
    }
}
