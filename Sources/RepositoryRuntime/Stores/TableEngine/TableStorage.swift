internal import Foundation

/// The storage of the records of one table. The table engine builds constraint checks and
/// transactions on it.
///
/// The implementation is not thread-safe: the engine calls it from one thread at a time, inside the
/// lock of the store.
protocol TableStorage<Model>: AnyObject {
    associatedtype Model: Entity
    /// Returns the record with an id; nil if there is none.
    func record(_ id: Model.ID) throws -> Model?
    /// Returns whether there is a record with an id.
    func contains(_ id: Model.ID) throws -> Bool
    /// Returns all ids, in no particular order.
    func ids() throws -> [Model.ID]
    /// Passes each id to a body, in no particular order, without keeping all of them in memory if
    /// the medium permits it.
    func visitIDs(_ body: (Model.ID) throws -> Void) throws
    /// Returns all ids, in id order.
    func sortedIDs() throws -> [Model.ID]
    /// Returns the number of records.
    func count() throws -> Int
    /// Creates the indexes of the table with the given key layouts. Called once per table.
    func indexes(_ forms: TableIndexForms) -> any CommittedIndexes
    /// Accepts the changes of a write.
    ///
    /// A storage of documents collects them; the store then applies the changes of all tables
    /// together. A storage in memory applies them at once.
    ///
    /// - Parameters:
    ///   - changes: the changed records and, if the table has indexes, their field values.
    ///   - isNew: the ids for which no record existed.
    ///   - forms: the key layouts of the indexes.
    func stage(
        _ changes: [Model.ID: TableChange<Model>], isNew: Set<Model.ID>, _ forms: TableIndexForms
    ) throws

    /// Stores a chunk of external data at once. An existing chunk is replaced.
    func write(_ chunk: Data, _ index: Int, of content: ExternalContent<Model.ID>) throws
    /// Returns a stored chunk; nil if there is none.
    func chunk(_ index: Int, of content: ExternalContent<Model.ID>) throws -> Data?
    /// Removes all chunks of a content.
    func removeChunks(of content: ExternalContent<Model.ID>) throws
    /// Removes all chunks of other contents.
    func removeChunks(except contents: Set<ExternalContent<Model.ID>>) throws
    /// Stores the contents that may have chunks although no record has them, durably if the store
    /// is durable. Replaces the earlier ones.
    func noteUnsettled(_ contents: Set<ExternalContent<Model.ID>>) throws
    /// Returns the contents that ``noteUnsettled(_:)`` has stored last, in this or another process.
    func unsettled() throws -> Set<ExternalContent<Model.ID>>
}

extension TableStorage {
    /// By default, passes the ids that ``ids()`` returns.
    func visitIDs(_ body: (Model.ID) throws -> Void) throws {
        for id in try ids() { try body(id) }
    }
}

/// Creates the storages of the tables of a store.
protocol TableStorageSource {
    /// Returns the storage of the table of an entity.
    func storage<E: Entity>(_ type: E.Type) -> any TableStorage<E>
}
