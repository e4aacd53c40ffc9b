extension EntityRepository {
    /// The entities of a query, at once and after each commit that changes them.
    ///
    /// ```swift
    /// for try await books in library.books.observe(.where { $0.status == .available }) {
    ///     show(books)
    /// }
    /// ```
    /// Where a store says which records were written, only they are read again, as long as they tell what the result
    /// becomes: not with an offset, and not where a record leaves a result that is cut off by a limit. Otherwise the query is.
    ///
    /// It is read from a snapshot. Where snapshots are emulated, as on files and user defaults, that waits for the end of open
    /// transactions: a transaction whose body waits for it waits for ever.
    /// - Throws: while it is read, `unsupported`, `invalidQuery`, or what the store throws.
    public func observe(
        _ query: Query<Model> = .all
    ) -> ObservedResults<[Model], CRUDRepositoryError> {
        ObservedResults { [context] in ObservedEntities(query, context) }
    }

    /// The entities that are as a condition says, at once and after each commit that changes them.
    public func observe(
        where condition: (Model.Fields) -> Condition
    ) -> ObservedResults<[Model], CRUDRepositoryError> {
        observe(.where(condition))
    }

    /// The entity of an id, or nil while there is none, at once and after each commit that changes it.
    public func observe(_ id: Model.ID) -> ObservedResults<Model?, CRUDRepositoryError> {
        ObservedResults { [context] in ObservedRecord<Model>(id, context) }
    }

    /// The number of entities of a query, at once and after each commit that changes it.
    public func observeCount(
        _ query: Query<Model> = .all
    ) -> ObservedResults<Int, CRUDRepositoryError> {
        ObservedResults { [self] in ObservedCount(query, self) }
    }

    /// The number of entities that are as a condition says, at once and after each commit that changes it.
    public func observeCount(
        where condition: (Model.Fields) -> Condition
    ) -> ObservedResults<Int, CRUDRepositoryError> {
        observeCount(.where(condition))
    }

    /// The entities of a query and how they differ from those before, at once, when everything is an insertion, and after
    /// each commit that changes them: what a list on the screen needs to move its rows.
    public func changes(
        _ query: Query<Model> = .all
    ) -> ObservedResults<QueryChanges<Model>, CRUDRepositoryError> {
        ObservedResults { [context] in ObservedChanges(query, context) }
    }
}
