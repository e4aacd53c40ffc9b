extension RepositorySet {
    /// What a body reads from the repositories of the set, at once and after each commit that changes it.
    ///
    /// ```swift
    /// let shelves = library.observe { library in
    ///     try await library.books.fetch(.where { $0.status == .available })
    /// }
    /// for try await books in shelves { show(books) }
    /// ```
    /// Everything it reads comes from one state of the store: tables that one transaction changes are never seen half
    /// changed. It runs again after a commit to a table that it read, or to any where it read none through a repository;
    /// it must not write. What it throws ends the observation. Where snapshots are emulated, as on files and user defaults, one
    /// waits for the end of open transactions: a transaction whose body waits for the observation waits for ever.
    /// - Parameter body: is given the set over a snapshot.
    /// - Throws: while it is read, what the body throws; `unsupported` where the store has no `snapshots`.
    public func observe<Value: Sendable & Equatable>(
        _ body: @escaping @Sendable (Self) async throws -> Value
    ) -> ObservedResults<Value, any Error> {
        observe(isSame: { $0 == $1 }, body)
    }

    /// What a body reads from the repositories of the set, as several values, at once and after each commit that changes
    /// one of them.
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

    /// What a body reads from the repositories of the set, at once and after each commit to a table that it reads, also where
    /// that changes nothing of it.
    @_disfavoredOverload
    public func observe<Value: Sendable>(
        _ body: @escaping @Sendable (Self) async throws -> Value
    ) -> ObservedResults<Value, any Error> {
        observe(isSame: { _, _ in false }, body)
    }

    private func observe<Value: Sendable>(
        isSame: @escaping @Sendable (Value, Value) -> Bool,
        _ body: @escaping @Sendable (Self) async throws -> Value
    ) -> ObservedResults<Value, any Error> {
        ObservedResults(failure: { $0 }) { [context] in
            ObservedSet<Self, Value>(context, isSame: isSame, body)
        }
    }
}
