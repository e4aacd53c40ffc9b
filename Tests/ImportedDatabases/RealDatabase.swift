import Foundation
import RepositoryImport
import RepositoryRuntime
import RepositorySQLite
import Testing

/// A real database, and the folder with what its import gives.
struct RealDatabase: CustomTestStringConvertible, Sendable {
    /// The name of the folder beside this file.
    let name: String
    /// The database; `nil` if the data is not there.
    let file: URL?
    /// The schemas that a person has written for it.
    let written: URL

    var testDescription: String { name }

    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder with the recorded schemas and their output.
    var folder: URL { Self.tests.appending(path: "ImportedDatabases/\(name)") }

    static let chinook = RealDatabase(
        name: "Chinook",
        file: {
            let given = ProcessInfo.processInfo.environment["REPOSITORY_TEST_DATA"]
            let folders = [
                given.map { URL(filePath: $0) }, tests.appending(path: "../../shared/data"),
            ]
            return folders.compactMap { $0?.appending(path: "chinook/Chinook.sqlite") }
                .map(\.standardizedFileURL)
                .first { FileManager.default.fileExists(atPath: $0.path) }
        }(),
        written: tests.appending(path: "ForeignDatabases/Schemas/MusicStore.yaml"))

    static let grdb = RealDatabase(
        name: "GRDB", file: tests.appending(path: "ForeignDatabases/Files/GRDB.sqlite"),
        written: tests.appending(path: "ForeignDatabases/Schemas/Sightings.yaml"))

    /// The databases that are there.
    static let present = [chinook, grdb].filter { $0.file != nil }

    /// Awkward tables of the corpus, made from SQL.
    static func awkward() throws -> RealDatabase {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "awkward-\(UUID().uuidString).sqlite")
        let folder = tests.appending(path: "ImportedDatabases/Awkward")
        let sql = try String(contentsOf: folder.appending(path: "database.sql"), encoding: .utf8)
        // Some rows refer to nothing.
        try PlainFile(file.path).run("PRAGMA foreign_keys = OFF;" + sql)
        return RealDatabase(name: "Awkward", file: file, written: folder)
    }

    /// Calls `body` with the path of a copy, and checks that a copy that is only read does not
    /// change.
    func withCopy(
        isWritten: Bool = false, _ body: (String) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "imported-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let copy = folder.appending(path: "\(name).sqlite")
        let bytes = try Data(contentsOf: #require(file))
        try bytes.write(to: copy)
        try await body(copy.path)
        if isWritten { return }
        #expect(try Data(contentsOf: copy) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    }

    /// Returns the repositories over a copy.
    func context(_ path: String, _ schema: StoreSchema) -> RepositoryContext {
        RepositoryContext(store: SQLiteStore(path: path), schema: schema, fullScans: .allow)
    }
}
