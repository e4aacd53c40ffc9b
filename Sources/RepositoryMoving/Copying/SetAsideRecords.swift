internal import Foundation
internal import RepositoryRuntime

/// The file of the records that a copy leaves out, as NDJSON.
final class SetAsideRecords {
    private struct Line: Encodable {
        var table: String
        var id: String
        var field: String?
        var reason: String
        /// The record as JSON text.
        var record: String?
    }

    private let url: URL
    private var handle: FileHandle?
    private let encoder = JSONEncoder()

    init(_ url: URL) {
        self.url = url
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    /// Adds a record.
    func add(_ failure: RecordFailure, record: Data?) throws {
        let line = Line(
            table: failure.table, id: failure.id, field: failure.field, reason: failure.reason,
            record: record.map { String(decoding: $0, as: UTF8.self) })
        if handle == nil {
            guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
                throw CRUDRepositoryError(
                    .databaseError, "The file '\(url.path)' cannot be created.")
            }
            handle = try FileHandle(forWritingTo: url)
        }
        try handle?.write(contentsOf: try encoder.encode(line) + [0x0A])
    }

    /// Syncs the file to disk.
    func finish() throws {
        try handle?.synchronize()
        try handle?.close()
        handle = nil
    }
}
