public import RepositoryRuntime

extension RepositorySet {
    /// Returns what a copy of a store into another one would do, lose or refuse. Reads all records of
    /// the source once, and writes nothing.
    ///
    /// The copy itself checks the same, and more that only writing shows, such as unique values that
    /// collide. Nothing has to be planned before it.
    ///
    /// - Parameters:
    ///   - source: the store that would be read.
    ///   - target: the store that would be written. It is not created.
    /// - Throws: `sourceNotFound`, `nothingToMove` or `unsupported`; an error of a store.
    public static func plan(
        from source: any EntityStore, to target: any EntityStore
    ) async throws -> MovePlan {
        try await plan(
            MoveSide.open(source, Self.schema, mustExist: true), target)
    }

    /// Returns what a copy of a source into a store would do, lose or refuse: properties that no field
    /// takes and fields that nothing fills as well. Reads all records once, and writes nothing.
    ///
    /// - Parameters:
    ///   - source: the source that would be read.
    ///   - target: the store that would be written. It is not created.
    public static func plan(
        from source: any RecordSource, to target: any EntityStore
    ) async throws -> MovePlan {
        try await plan(MoveSide.open(source, Self.schema), target)
    }

    private static func plan(
        _ side: MoveSide, _ target: any EntityStore
    ) async throws -> MovePlan {
        try await side.closing { try await PlanRun(Self.schema, from: side, to: target).run() }
    }
}
