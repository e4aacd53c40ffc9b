/// Some of the entities of a query, and the place where the next ones start.
public struct QueryPage<Model: Entity>: Sendable, Hashable {
    /// The entities, in the order of the query.
    public let items: [Model]
    /// The place after the last of them; nil where nothing follows.
    public let next: QueryCursor?
}
