internal import Foundation
internal import RepositoryRuntime

/// Writes all records of a set to files.
struct ExportRun {
    let schema: StoreSchema
    let side: MoveSide
    let format: ExportFormat
    /// The folder that is written, before it gets its name.
    let folder: URL

    /// Writes the files, and the manifest last.
    func run() async throws -> ExportManifest {
        var tables: [ExportManifest.Table] = []
        for entity in schema.copiedEntities {
            tables.append(try await write(entity))
        }
        let manifest = ExportManifest(
            set: schema.name, schema: schema.moveFingerprint, format: format, tables: tables,
            counters: try await side.idCounters())
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let file = try ExportFile(folder.appending(path: ExportManifest.fileName))
        try file.write(try encoder.encode(manifest))
        _ = try file.finish()
        return manifest
    }

    private func write<E: Entity>(_ type: E.Type) async throws -> ExportManifest.Table {
        let table = E.Mapper.table
        let name = "\(table.name).\(format.rawValue)"
        let file = try ExportFile(folder.appending(path: name))
        let fields = table.layout.fields.map(\.name)
        if format == .csv {
            let names = fields.map { CSVEncoder.quoted($0) }
            try file.write(Data((names.joined(separator: ",") + "\r\n").utf8))
        }
        let compared = ComparedFields<E>(rounding: nil)
        var digest = TableDigest()
        var cursor = try await RecordCursor<E>(side.source)
        while let record = cursor.current {
            try file.write(try line(record))
            try await copyExternalData(of: record)
            digest.add(try compared.bytes(record))
            try await cursor.advance()
        }
        if let failure = cursor.takeFailures().first {
            throw CRUDRepositoryError.invalidRecord(
                id: failure.id, table: failure.table, field: failure.field, reason: failure.reason)
        }
        return ExportManifest.Table(
            name: table.name, file: name, fields: fields, records: cursor.count,
            sha256: try file.finish(), digest: digest.text)
    }

    private func line<E: Entity>(_ record: E) throws -> Data {
        switch format {
        case .ndjson:
            return try JSONDataTransformer().encodeRecord(record, E.Mapper.self) + [0x0A]
        case .csv:
            var encoder = CSVEncoder()
            try E.Mapper.encode(record, to: &encoder)
            return Data((encoder.line + "\r\n").utf8)
        }
    }

    private func copyExternalData<E: Entity>(of record: E) async throws {
        guard !E.Mapper.table.externalFields.isEmpty else { return }
        var found: [ExternalData] = []
        var copy = record
        E.Mapper.changeExternalData(of: &copy) {
            found.append($0)
            return $0
        }
        for data in found {
            let file = folder.appending(path: ExportedFiles.path(of: data))
            if FileManager.default.fileExists(atPath: file.path) { continue }
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try await data.write(to: file)
        }
    }
}
