public import RepositoryRuntime

extension RepositorySet {
    /// Compares the records of two stores. Writes nothing.
    ///
    /// ```swift
    /// let report = try await Library.compare(files, sqlite)
    /// print(report)
    /// ```
    /// Both sides are read once in id order, with constant memory. Records are compared by their
    /// fields, not by the bytes of a store, so that the stores may be of different kinds, formats and
    /// tenants. If one of them stores dates as whole seconds, both sides are rounded to them.
    ///
    /// - Parameters:
    ///   - source: the first store.
    ///   - target: the second store.
    ///   - showingValues: whether the report has the values of differing fields, apart from sensitive
    ///     ones.
    ///   - progress: is called from time to time.
    /// - Returns: The differences, with a digest of each table and side.
    /// - Throws: `sourceNotFound` if one of the stores has no data of the set; an error of a store.
    public static func compare(
        _ source: any EntityStore, _ target: any EntityStore, showingValues: Bool = false,
        progress: @escaping @Sendable (MoveProgress) -> Void = { _ in }
    ) async throws -> MoveReport {
        let left = try await MoveSide.open(source, Self.schema, mustExist: true)
        return try await compare(left, target, showingValues, progress)
    }

    /// Compares the records of a source with those of a store. Writes nothing.
    ///
    /// - Parameters:
    ///   - source: the source.
    ///   - target: the store.
    ///   - showingValues: whether the report has the values of differing fields, apart from sensitive
    ///     ones.
    ///   - progress: is called from time to time.
    /// - Returns: The differences, with a digest of each table and side.
    public static func compare(
        _ source: any RecordSource, _ target: any EntityStore, showingValues: Bool = false,
        progress: @escaping @Sendable (MoveProgress) -> Void = { _ in }
    ) async throws -> MoveReport {
        let left = try await MoveSide.open(source, Self.schema)
        return try await compare(left, target, showingValues, progress)
    }

    private static func compare(
        _ left: MoveSide, _ target: any EntityStore, _ showsValues: Bool,
        _ progress: @escaping @Sendable (MoveProgress) -> Void
    ) async throws -> MoveReport {
        try await left.closing {
            let right = try await MoveSide.open(target, Self.schema, mustExist: true)
            return try await right.closing {
                try await report(left, right, showsValues, progress)
            }
        }
    }

    private static func report(
        _ left: MoveSide, _ right: MoveSide, _ showsValues: Bool,
        _ progress: @escaping @Sendable (MoveProgress) -> Void
    ) async throws -> MoveReport {
        let start = ContinuousClock.now
        var report = MoveReport(set: Self.schema.name, source: left.name, target: right.name)
        report.problems = left.problems + right.problems
        report.tables = try await SetComparison(
            schema: Self.schema, source: left, target: right, showsValues: showsValues,
            progress: progress
        ).run()
        report.isComplete = report.tables.allSatisfy { $0.missing == 0 && $0.unreadable == 0 }
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        return report
    }
}
