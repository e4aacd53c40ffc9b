extension ReadableRepository {
    /// Observes the entities that a query selects.
    ///
    /// The sequence produces the current result immediately, and a new result after each commit
    /// that changes it.
    ///
    /// ```swift
    /// for try await books in library.books.observe(.where { $0.status == .available }) {
    ///     show(books)
    /// }
    /// ```
    ///
    /// If the store reports which records a commit changed, only those records are read again. The
    /// whole query is run again if it has an offset, if a record leaves a result that reached its
    /// limit, or if the changed records are not known.
    ///
    /// Each result is read from a snapshot. On stores that emulate snapshots (files and user
    /// defaults), reading waits for open transactions to end. A transaction whose body waits for
    /// the observation therefore deadlocks.
    ///
    /// - Throws: `unsupported`, `invalidQuery` or an error of the store, thrown by the iteration.
    public func observe(
        _ query: Query<Model> = .all
    ) -> ObservedResults<[Model], CRUDRepositoryError> {
        ObservedResults { [context] in ObservedEntities(query, context) }
    }

    /// Observes the entities that satisfy a condition. See `observe(_:)`.
    public func observe(
        where condition: (Model.Fields) -> Condition
    ) -> ObservedResults<[Model], CRUDRepositoryError> {
        observe(.where(condition))
    }

    /// Observes the entity with an id. The element is nil while no such entity is stored.
    public func observeOne(id: Model.ID) -> ObservedResults<Model?, CRUDRepositoryError> {
        ObservedResults { [context] in ObservedRecord<Model>(id, context) }
    }

    /// Observes the number of entities that a query selects.
    public func observeCount(
        _ query: Query<Model> = .all
    ) -> ObservedResults<Int, CRUDRepositoryError> {
        ObservedResults { [self] in ObservedCount(query, self) }
    }

    /// Observes the number of entities that satisfy a condition.
    public func observeCount(
        where condition: (Model.Fields) -> Condition
    ) -> ObservedResults<Int, CRUDRepositoryError> {
        observeCount(.where(condition))
    }

    /// Observes the entities that a query selects, with the differences from the previous result.
    ///
    /// In the first element every entity is an insertion. Use this method to animate the rows of a
    /// list view.
    public func changes(
        _ query: Query<Model> = .all
    ) -> ObservedResults<QueryChanges<Model>, CRUDRepositoryError> {
        ObservedResults { [context] in ObservedChanges(query, context) }
    }
}
