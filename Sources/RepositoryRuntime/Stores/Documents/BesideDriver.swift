internal import Foundation

/// A driver that can write the documents of a migration beside the stored ones and put them in
/// place later, so that a migration never holds more than a few of them in memory.
///
/// The documents lie in the collections of ``BesideNames``. No table can have these names, and no
/// reader of a table sees the documents. The caller holds the lock.
protocol BesideDriver: DocumentDriver {
    /// Throws if something prevents a collection without documents from getting the documents of
    /// another one: what can fail is tried before a migration is committed.
    ///
    /// - Throws: `databaseError`.
    func requireRoom(for collection: String) throws
    /// Returns whether anything lies beside the stored documents. Takes constant time.
    func hasBeside() throws -> Bool
    /// Writes new documents durably, except for their names; see ``synchronizeBeside(_:)``.
    ///
    /// - Parameters:
    ///   - documents: the documents.
    ///   - collection: one of ``BesideNames``.
    ///   - table: the collection in which the documents are put later; its documents are not
    ///     changed. Nothing but a document may have the place of one of the new documents.
    /// - Returns: The positions of the documents whose keys the collection beside has already.
    func create(
        _ documents: [NewDocument], in collection: String, for table: String
    ) throws -> Set<Int>
    /// Removes a document from a collection beside, if there is one.
    func remove(_ key: String, fromBeside collection: String) throws
    /// Makes the names of the documents in collections durable.
    func synchronizeBeside(_ collections: [String]) throws
    /// Runs a body that changes collections: readers that must see a consistent state wait, and
    /// what they derived from the collections is read again.
    func placing<R>(_ collections: Set<String>, _ body: () throws -> R) throws -> R
    /// Removes all documents of a collection durably.
    func clear(_ collection: String) throws
    /// Removes the documents of a table whose keys a collection beside has. Can be repeated.
    func removeDocuments(namedIn collection: String, from table: String) throws
    /// Moves the documents of a collection beside to a table, where they replace those with the
    /// same keys. Can be repeated.
    func moveDocuments(of collection: String, to table: String) throws
    /// Removes everything that lies beside the stored documents.
    func removeBeside() throws
    /// Creates an empty temporary file, of which nothing remains after the migration or the end of
    /// the process.
    func scratchFile() throws -> any ScratchFile
}

/// A new document of a migration.
struct NewDocument: Sendable {
    let key: String
    let data: Data
}
