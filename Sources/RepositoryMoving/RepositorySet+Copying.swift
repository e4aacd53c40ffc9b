public import RepositoryRuntime

extension RepositorySet {
    /// Copies all records of a store into another one, and compares both sides afterwards. Nobody
    /// else may write to either of them meanwhile.
    ///
    /// ```swift
    /// let report = try await Library.copy(from: files, to: sqlite) { print($0) }
    /// print(report)
    /// ```
    /// Versions, time stamps, deleted records, external data, encrypted fields and the counters of
    /// assigned ids come along. The stores may be of different kinds, formats and tenants. The source
    /// is only read.
    ///
    /// A copy that was interrupted goes on when it is called again: the target knows what was written.
    /// When a copy has ended and either side is written to afterwards, a later call is a merge, and
    /// `options.merge` says who wins. Records that programs of the target have created, changed or
    /// deleted since are then neither removed nor brought back, and an emptied source never empties a
    /// target.
    ///
    /// - Parameters:
    ///   - source: the store that is read. It must exist.
    ///   - target: the store that is written. It must be empty, unless an earlier copy of the same
    ///     source has written it, or `options.merge` says who wins.
    ///   - options: what is done with records that cannot be copied as they are.
    ///   - progress: is called from time to time.
    /// - Returns: The report of the comparison.
    /// - Throws: `MoveError`, with the report if something was compared; an error of a store;
    ///   `CancellationError`.
    @discardableResult
    public static func copy(
        from source: any EntityStore, to target: any EntityStore,
        _ options: CopyOptions = CopyOptions(),
        progress: @escaping @Sendable (MoveProgress) -> Void = { _ in }
    ) async throws -> MoveReport {
        guard source.changes !== target.changes else {
            throw MoveError(.unsupported, "The source and the target are the same store.")
        }
        return try await copy(
            try await MoveSide.open(source, Self.schema, mustExist: true), target, options,
            progress)
    }

    /// Copies all records of a source into a store, and compares both sides afterwards.
    ///
    /// - Parameters:
    ///   - source: the source.
    ///   - target: the store that is written. See ``copy(from:to:_:progress:)``.
    ///   - options: what is done with records that cannot be copied as they are.
    ///   - progress: is called from time to time.
    /// - Returns: The report of the comparison.
    @discardableResult
    public static func copy(
        from source: any RecordSource, to target: any EntityStore,
        _ options: CopyOptions = CopyOptions(),
        progress: @escaping @Sendable (MoveProgress) -> Void = { _ in }
    ) async throws -> MoveReport {
        try await copy(
            try await MoveSide.open(source, Self.schema), target, options, progress)
    }

    private static func copy(
        _ side: MoveSide, _ target: any EntityStore, _ options: CopyOptions,
        _ progress: @escaping @Sendable (MoveProgress) -> Void
    ) async throws -> MoveReport {
        try await side.closing {
            let isNew = try await MoveSide.isNew(target, Self.schema)
            let context = RepositoryContext(store: target, schema: Self.schema)
            try await context.open()
            let run = CopyRun(Self.schema, from: side, to: context, options, progress)
            if isNew { try await run.forgetEarlierCopies() }
            return try await run.run()
        }
    }
}
