extension QueryFields where QueryRoot: Entity {
    /// The id, whatever its field or its components are called.
    public var id: QueryField<QueryRoot, QueryRoot.ID> {
        QueryField(key: QueryRoot.Mapper.table.key)
    }
}
