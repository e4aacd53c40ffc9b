public import Foundation
public import RepositoryRuntime

/// The files of an export as a source. ``SortedSource`` sorts them, because an editor or a
/// spreadsheet may have changed their order.
public struct ExportedFiles: UnorderedRecordSource {
    private let folder: URL
    private let manifest: ExportManifest

    /// Opens an export, after checking the list of its files and all digests.
    ///
    /// - Parameters:
    ///   - folder: the folder that `export(to:as:)` wrote.
    ///   - schema: the schema of the set.
    /// - Throws: `invalidExport` if a file is missing, incomplete or was changed, or if the columns are
    ///   not those of the schema.
    public init(_ folder: URL, of schema: StoreSchema) throws {
        self.folder = folder
        manifest = try ExportManifest(in: folder, for: schema)
    }

    /// The name of the folder.
    public var name: String { "export '\(folder.lastPathComponent)'" }

    /// The digest of the list of files, which has the digest of each file.
    public func state() async throws -> String? {
        try FileDigest.hexadecimal(of: folder.appending(path: ExportManifest.fileName))
    }

    /// Returns the counters that were exported.
    public func idCounters() async throws -> [String: Int64] { manifest.counters }

    /// Returns the number of records in a file.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        table(type)?.records ?? 0
    }

    private func table<E: Entity>(_ type: E.Type) -> ExportManifest.Table? {
        manifest.tables.first { $0.name == E.Mapper.table.name }
    }

    /// Calls a closure with each record of a type. The id of a line that cannot be read is its number.
    public func forEachRecord<E: Entity>(
        _ type: E.Type, _ body: (SourceRecord<E>) async throws -> Void
    ) async throws {
        guard let table = table(type) else { return }
        let file = folder.appending(path: table.file)
        switch manifest.format {
        case .ndjson: try await readLines(of: file, body)
        case .csv: try await readRows(of: file, body)
        }
    }

    private func readLines<E: Entity>(
        of file: URL, _ body: (SourceRecord<E>) async throws -> Void
    ) async throws {
        var file = try ByteFile(file)
        var number = 0
        while let line = try file.line() {
            number += 1
            if line.isEmpty { continue }
            try await body(
                record(number) {
                    try JSONDataTransformer().decodeRecord(line, E.Mapper.self)
                })
        }
    }

    private func readRows<E: Entity>(
        of file: URL, _ body: (SourceRecord<E>) async throws -> Void
    ) async throws {
        let layout = E.Mapper.layout
        var reader = try CSVReader(file)
        let header = try reader.row()?.map(\.text) ?? []
        let order = layout.fields.map { field in header.firstIndex(of: field.name) }
        guard header.count == layout.fields.count, order.allSatisfy({ $0 != nil }) else {
            throw MoveError(
                .invalidExport,
                "The first line of '\(file.lastPathComponent)' does not name the fields of \(layout.name).",
                table: E.Mapper.table.name)
        }
        while true {
            var cells: [CSVCell]?
            var problem: (any Error)?
            do {
                cells = try reader.row()
            } catch let error as RecordDecodingError {
                problem = error
            }
            if cells == nil, problem == nil { return }
            if let cells, cells.count == 1, cells[0].isNull, layout.fields.count > 1 { continue }
            try await body(
                record(reader.lineNumber) {
                    if let problem { throw problem }
                    guard let cells, cells.count == header.count else {
                        throw RecordDecodingError("does not have \(header.count) columns")
                    }
                    var decoder = CSVDecoder(
                        cells: order.compactMap { $0.map { cells[$0] } }, layout: layout)
                    return try E.Mapper.decode(from: &decoder)
                })
        }
    }

    /// Returns a record with its external data, or the reason why a line cannot be read.
    private func record<E: Entity>(
        _ line: Int, _ decode: () throws -> E
    ) throws -> SourceRecord<E> {
        do {
            var record = try decode()
            if let reason = record.id.invalidReason {
                throw RecordDecodingError("has an id that is not valid: \(reason)")
            }
            try E.Mapper.changeExternalData(of: &record) { data in
                let file = folder.appending(path: Self.path(of: data))
                guard FileManager.default.fileExists(atPath: file.path) else {
                    throw RecordDecodingError("lacks the file of its external data")
                }
                return try ExternalData(contentsOf: file)
            }
            return .record(record)
        } catch let error as RecordDecodingError {
            return .failure(
                RecordFailure(
                    table: E.Mapper.table.name, id: "line \(line)",
                    field: error.path.isEmpty ? nil : error.path, reason: error.description))
        }
    }

    /// The path of the file with external data.
    static func path(of data: ExternalData) -> String {
        "data/\(data.digest)"
    }
}
