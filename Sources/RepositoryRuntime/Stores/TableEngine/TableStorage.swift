/// The records of one table, wherever they are: what the rules of a write stand on.
///
/// It is used by one thread at a time, inside the store's lock.
protocol TableStorage<Model>: AnyObject {
    associatedtype Model: Entity
    /// The record of an id; nil when there is none.
    func record(_ id: Model.ID) throws -> Model?
    /// Whether there is a record of an id.
    func contains(_ id: Model.ID) throws -> Bool
    /// All ids, in no order.
    func ids() throws -> [Model.ID]
    /// All ids, in id order.
    func sortedIDs() throws -> [Model.ID]
    /// The number of records.
    func count() throws -> Int
    /// The indexes of the table, of these forms.
    func indexes(_ forms: TableIndexForms) -> any CommittedIndexes
    /// Takes in what a write has made of records.
    ///
    /// - Parameters:
    ///   - changes: the records and, where the table has indexes, their fields.
    ///   - isNew: the ids of which there was no record.
    ///   - forms: the forms of the indexes.
    func stage(
        _ changes: [Model.ID: TableChange<Model>], isNew: Set<Model.ID>, _ forms: TableIndexForms
    ) throws
}

/// Where the tables of a store come from.
protocol TableStorageSource {
    /// The storage of an entity's table.
    func storage<E: Entity>(_ type: E.Type) -> any TableStorage<E>
}
