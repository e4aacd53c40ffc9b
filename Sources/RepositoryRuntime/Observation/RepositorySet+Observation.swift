extension RepositorySet {
    /// Observes a value computed from the repositories of the set.
    ///
    /// The sequence produces the current value immediately, and a new value after each commit that
    /// changes it.
    ///
    /// ```swift
    /// let shelves = library.observe { library in
    ///     try await library.books.fetch(.where { $0.status == .available })
    /// }
    /// for try await books in shelves { show(books) }
    /// ```
    ///
    /// All reads of one run see the same snapshot of the store: the changes of a transaction are
    /// visible either all or not at all. The closure runs again after a commit to a table that its
    /// latest run read, or after any commit if it read no table through a repository. It must not
    /// write. An error that it throws ends the observation.
    ///
    /// On stores that emulate snapshots (files and user defaults), reading waits for open
    /// transactions to end. A transaction whose body waits for the observation therefore deadlocks.
    ///
    /// - Parameter body: computes the value from a set of repositories that reads from the
    ///   snapshot.
    /// - Throws: errors of `body`, and `unsupported` if the store has no `snapshots`, thrown by the
    ///   iteration.
    public func observe<Value: Sendable & Equatable>(
        _ body: @escaping @Sendable (Self) async throws -> Value
    ) -> ObservedResults<Value, any Error> {
        observe(isSame: { $0 == $1 }, body)
    }

    /// Observes several values computed from the repositories of the set.
    ///
    /// A tuple is produced immediately, and another after each commit that changes one of its
    /// values.
    ///
    /// ```swift
    /// library.observe { library in
    ///     (try await library.books.fetch(.all), try await library.authors.count())
    /// }
    /// ```
    public func observe<each Value: Sendable & Equatable>(
        _ body: @escaping @Sendable (Self) async throws -> (repeat each Value)
    ) -> ObservedResults<(repeat each Value), any Error> {
        observe(
            isSame: { left, right in
                for isSame in repeat (each left) == (each right) {
                    guard isSame else { return false }
                }
                return true
            }, body)
    }

    /// Observes a value that is not `Equatable`.
    ///
    /// A value is produced immediately, and another after each commit to a table that the closure
    /// reads, even if the value stays the same.
    @_disfavoredOverload
    public func observe<Value: Sendable>(
        _ body: @escaping @Sendable (Self) async throws -> Value
    ) -> ObservedResults<Value, any Error> {
        observe(isSame: { _, _ in false }, body)
    }

    /// Creates the sequence. `isSame` decides whether a value is produced again.
    private func observe<Value: Sendable>(
        isSame: @escaping @Sendable (Value, Value) -> Bool,
        _ body: @escaping @Sendable (Self) async throws -> Value
    ) -> ObservedResults<Value, any Error> {
        ObservedResults(failure: { $0 }) { [context] in
            ObservedSet<Self, Value>(context, isSame: isSame, body)
        }
    }
}
