extension QueryFields where QueryRoot: Entity {
    /// The id, regardless of the names of its field or components.
    public var id: QueryField<QueryRoot, QueryRoot.ID> {
        QueryField(key: QueryRoot.Mapper.table.key)
    }
}
