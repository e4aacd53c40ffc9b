internal import Foundation
internal import RepositoryRuntime

/// The format of the files of an export.
public enum ExportFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// One JSON object a line, as JSON documents of a store.
    case ndjson
    /// RFC 4180, for spreadsheets: one line with the names of the fields, then one for each record.
    /// Null is an empty field, and the empty string is `""`. Lists, maps and embedded values are JSON
    /// text, dates are RFC 3339, and data is Base64.
    case csv
}

/// The list of the files of an export, in `manifest.json`. It is written last.
struct ExportManifest: Codable {
    /// One table.
    struct Table: Codable {
        var name: String
        var file: String
        var fields: [String]
        var records: Int
        /// The SHA-256 of the file.
        var sha256: String
        /// The SHA-256 of the records, as in a report.
        var digest: String
    }

    static let fileName = "manifest.json"
    static let currentVersion = 1

    var version = Self.currentVersion
    var set: String
    var schema: String
    var format: ExportFormat
    var tables: [Table]
    /// The counters of assigned ids.
    var counters: [String: Int64]

    /// Reads and checks the manifest of a folder, and every file that it lists.
    ///
    /// - Throws: `invalidExport`.
    init(in folder: URL, for schema: StoreSchema) throws {
        let file = folder.appending(path: Self.fileName)
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw MoveError(
                .invalidExport,
                "'\(folder.path)' has no file '\(Self.fileName)': it is not an export."
            )
        }
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch {
            throw MoveError(.invalidExport, "'\(file.path)' cannot be read: \(error)")
        }
        guard version == Self.currentVersion else {
            throw MoveError(
                .invalidExport, "'\(folder.path)' was written by another version of this package.")
        }
        guard set == schema.name else {
            throw MoveError(
                .invalidExport,
                "'\(folder.path)' is an export of '\(set)', not of '\(schema.name)'.")
        }
        try check(schema, folder)
    }

    init(
        set: String, schema: String, format: ExportFormat, tables: [Table],
        counters: [String: Int64]
    ) {
        (self.set, self.schema, self.format) = (set, schema, format)
        (self.tables, self.counters) = (tables, counters)
    }

    /// Checks the tables, their fields and the bytes of the files.
    private func check(_ schema: StoreSchema, _ folder: URL) throws {
        let declared = schema.tables.filter { !$0.isReadOnly }
        for table in declared {
            guard let found = tables.first(where: { $0.name == table.name }) else {
                throw MoveError(
                    .invalidExport, "The export has no table '\(table.name)'.", table: table.name)
            }
            let fields = table.layout.fields.map(\.name)
            let unknown = found.fields.filter { !fields.contains($0) }
            let missing = fields.filter { !found.fields.contains($0) }
            guard unknown.isEmpty, missing.isEmpty else {
                let names = (unknown.map { "unknown '\($0)'" } + missing.map { "missing '\($0)'" })
                throw MoveError(
                    .invalidExport,
                    "The columns of '\(table.name)' are not those of the schema: \(names.joined(separator: ", ")).",
                    table: table.name)
            }
        }
        for table in tables {
            guard declared.contains(where: { $0.name == table.name }) else {
                throw MoveError(
                    .invalidExport, "The export has a table '\(table.name)' that the schema lacks.",
                    table: table.name)
            }
            let file = folder.appending(path: table.file)
            guard table.file == file.lastPathComponent,
                try FileDigest.hexadecimal(of: file) == table.sha256
            else {
                throw MoveError(
                    .invalidExport,
                    "The file '\(table.file)' is missing, incomplete, or was changed since the export.",
                    table: table.name)
            }
        }
    }
}
