/// One change between two results of a query, with positions as a fetched-results controller gives them.
///
/// Positions of what goes (`delete`, `move` from) and of what is replaced where it stands (`update`) are those in the old
/// result; positions of what comes (`insert`, `move` to) are those in the new one. So the new result is made of the old
/// one in three steps: replace what was updated; take out, all at once, what was deleted or moved; put in what was
/// inserted or moved, the smallest position first. A table view's batch update does the same.
public enum QueryChange<Model: Entity>: Sendable, Hashable {
    /// An entity came; its position in the new result.
    case insert(Model, at: Int)
    /// An entity has other fields and keeps its place among those that stayed; its position in the old result.
    case update(Model, at: Int)
    /// An entity, as it was, went; its position in the old result.
    case delete(Model, at: Int)
    /// An entity, as it is now, stands elsewhere among those that stayed; it may have other fields too. Its positions in the
    /// old and in the new result.
    case move(Model, from: Int, to: Int)
}

/// A result of an observed query and how it differs from the one before.
public struct QueryChanges<Model: Entity>: Sendable, Hashable {
    /// The entities, in the order of the query.
    public let items: [Model]
    /// What changed: updates and deletions by position, then insertions and moves by the new position. Of the first result
    /// everything is inserted. The same entity, by its id, is in one of them at most.
    public let changes: [QueryChange<Model>]
}
