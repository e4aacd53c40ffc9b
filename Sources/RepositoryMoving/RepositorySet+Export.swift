public import Foundation
public import RepositoryRuntime

extension RepositorySet {
    /// Writes all records to files that people and other programs read: one file for each table, and
    /// `manifest.json` with the digests of all files.
    ///
    /// ```swift
    /// try await library.export(to: folder)
    /// try await other.import(from: folder)
    /// ```
    /// The records are streamed. One state of the store is read, if it has snapshots. The folder is
    /// complete or does not exist.
    ///
    /// - Parameters:
    ///   - folder: the new folder.
    ///   - format: the format of the files.
    /// - Throws: `invalidRecord` for a record that cannot be read; `databaseError` if the folder
    ///   exists or cannot be written.
    public func export(to folder: URL, as format: ExportFormat = .ndjson) async throws {
        guard !FileManager.default.fileExists(atPath: folder.path) else {
            throw CRUDRepositoryError(.databaseError, "'\(folder.path)' exists already.")
        }
        let unfinished = folder.deletingLastPathComponent()
            .appending(path: ".\(folder.lastPathComponent).\(UUID().uuidString)")
        let side = try await MoveSide.open(context.store, Self.schema, mustExist: true)
        do {
            try FileManager.default.createDirectory(
                at: unfinished, withIntermediateDirectories: true)
            try await side.closing {
                _ = try await ExportRun(
                    schema: Self.schema, side: side, format: format, folder: unfinished
                ).run()
            }
            try FileManager.default.moveItem(at: unfinished, to: folder)
        } catch {
            // What was written is not an export. If it cannot be removed, its name says so.
            try? FileManager.default.removeItem(at: unfinished)
            throw error
        }
    }

    /// Reads the files of an export into the store, which is empty unless `options.merge` says who
    /// wins.
    ///
    /// The list of the files and all digests are checked first, then every line. If a line cannot be
    /// read, nothing is taken, unless `options.decisions` sets unreadable records aside.
    ///
    /// - Parameters:
    ///   - folder: the folder that ``export(to:as:)`` wrote.
    ///   - options: what is done with records that cannot be taken as they are.
    /// - Returns: The report of the comparison of the files with the store.
    /// - Throws: `invalidExport`; `stopped` with the numbers of the lines; what
    ///   ``copy(from:to:_:progress:)`` throws.
    @discardableResult
    public func `import`(
        from folder: URL, _ options: CopyOptions = CopyOptions()
    ) async throws -> MoveReport {
        let files = try ExportedFiles(folder, of: Self.schema)
        let source = SortedSource(files)
        if options.decisions[.unreadableRecord] != .setAside {
            var report = MoveReport(
                set: Self.schema.name, source: files.name, target: context.store.name)
            for entity in Self.schema.entities {
                report.problems += try await Self.unreadable(entity, in: source)
            }
            guard report.problems.isEmpty else {
                throw MoveError(
                    .stopped, "Lines of the export cannot be read. Nothing was taken.",
                    report: report)
            }
        }
        return try await Self.copy(from: source, to: context.store, options)
    }

    private static func unreadable<E: Entity>(
        _ type: E.Type, in source: SortedSource<ExportedFiles>
    ) async throws -> [MoveProblem] {
        var problems = ProblemList()
        for failure in try await source.page(type, after: nil, limit: 1).failures {
            problems.add(
                .unreadableRecord, table: failure.table, field: failure.field, id: failure.id,
                "Lines cannot be read.", stops: true)
        }
        return problems.all
    }
}
