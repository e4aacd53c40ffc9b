extension RepositoryContext {
    /// Returns a query as it is handed to the store: without deleted records, unless the query or
    /// the repository asks for them.
    ///
    /// Queries that cannot find deleted records, because no entity that they name has `softDelete`,
    /// stay as they are.
    @inline(__always)
    func scoped<Model: Entity>(_ query: Query<Model>) -> Query<Model> {
        guard query.namesRelatives || Model.Mapper.table.deletionField != nil else { return query }
        return includesDeleted ? query.includingDeleted() : query.hidingDeleted
    }

    /// Whether the repositories leave out the deleted records of an entity.
    @inline(__always)
    func hidesDeleted<Model: Entity>(_ type: Model.Type) -> Bool {
        !includesDeleted && Model.Mapper.table.deletionField != nil
    }

    /// Returns the context in which the related records of a query's results are loaded.
    func loading<Model: Entity>(for query: Query<Model>) -> RepositoryContext {
        let includes = query.deletedRecords == .included && !includesDeleted
        return includes ? RepositoryContext(self, includingDeleted: true) : self
    }
}

extension CRUDRepositoryError {
    /// The error for an id under which no record is stored, or only a deleted one.
    static func notFound<Model: Entity>(_ id: Model.ID, _ type: Model.Type) -> Self {
        .recordNotFound(id: id.description, table: Model.Mapper.table.name)
    }
}
