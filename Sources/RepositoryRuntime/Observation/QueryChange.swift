/// One difference between two consecutive results of a query.
///
/// The indexes have the meaning that batch updates of table and collection views expect. The index
/// of a deletion, of an update and of the origin of a move refers to the old result. The index of
/// an insertion and of the destination of a move refers to the new result.
///
/// To get the new result from the old one:
/// 1. Replace the updated entities.
/// 2. Remove all deleted and moved entities at once.
/// 3. Insert the inserted and moved entities in ascending order of their new indexes.
public enum QueryChange<Model: Entity>: Sendable, Hashable {
    /// An entity was inserted, at an index of the new result.
    case insert(Model, at: Int)
    /// An entity changed but kept its order relative to the other remaining entities. The index
    /// refers to the old result.
    case update(Model, at: Int)
    /// An entity was removed. The value is the old entity; the index refers to the old result.
    case delete(Model, at: Int)
    /// An entity changed its order relative to the other remaining entities, and possibly its
    /// fields. The value is the new entity; `from` refers to the old result, `to` to the new one.
    case move(Model, from: Int, to: Int)
}

/// A result of an observed query with its differences from the previous result.
public struct QueryChanges<Model: Entity>: Sendable, Hashable {
    /// The entities, in the order of the query.
    public let items: [Model]
    /// The differences from the previous result. Updates and deletions come first, by old index;
    /// insertions and moves follow, by new index.
    ///
    /// Each entity, identified by its id, occurs at most once. In the first result every entity is
    /// an insertion.
    public let changes: [QueryChange<Model>]
}
