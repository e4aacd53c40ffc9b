import CSQLite
import Foundation
import RepositoryGeneratorCore
import RepositoryImport
import RepositorySchema
import RepositorySchemaParser
import Testing

/// The schemas that the stores of `Tests/CoreDataFormat` give, byte for byte.
///
/// `REFERENCE_RECORD=1` in the environment writes the files anew instead of comparing them.
@Suite("Imported stores of Core Data")
struct CoreDataImportTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    private static let files = root.deletingLastPathComponent()
        .appending(path: "CoreDataFormat/Files")

    static let stores = [
        "bookmarks-v5/Bookmarks_V5.sqlite", "books-v2/SampleModel2_V2.sqlite",
        "fabricated-cloud/Cloud.sqlite", "fabricated-gallery/Gallery.sqlite",
        "fabricated-swiftdata/default.store", "moody-3/Moody 3.moody", "pulse-logs/logs.sqlite",
        "sample-renamed/SampleModel_V2.sqlite", "sync-metadata/SyncMetadata_V3.sqlite",
    ]

    @Test("give the recorded schemas and report, which generate", arguments: stores)
    func recorded(store: String) throws {
        let found = try DatabaseImport(coreData: Self.files.appending(path: store).path)
        let sources = found.files.map {
            SchemaSource(path: $0.path, bytes: Array($0.text.utf8), displayPath: $0.path)
        }
        let (set, problems) = SchemaParser.parse(
            files: Array(sources.dropFirst()), settings: sources.first)
        #expect(problems.map(\.message) == [])
        #expect(Validator.validate(set).map(\.message) == [])
        var files = Dictionary(uniqueKeysWithValues: found.files.map { ($0.path, $0.text) })
        files["report.txt"] = found.report.joined(separator: "\n") + "\n"
        let folder = store.split(separator: "/").first.map(String.init) ?? store
        let expected = Self.root.appending(path: "CoreData/\(folder)")
        if Corpus.isRecording {
            try? FileManager.default.removeItem(at: expected)
            try FileManager.default.createDirectory(
                at: expected, withIntermediateDirectories: true)
            for (path, text) in files {
                try Data(text.utf8).write(to: expected.appending(path: path))
            }
            return
        }
        for (path, text) in files {
            let recorded = try String(contentsOf: expected.appending(path: path), encoding: .utf8)
            #expect(recorded == text, "\(folder)/\(path)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: expected.path)
        #expect(Set(names) == Set(files.keys))
    }

    @Test("are not imported as ordinary SQLite databases")
    func ordinary() {
        let path = Self.files.appending(path: "pulse-logs/logs.sqlite").path
        #expect {
            try DatabaseImport(sqlite: path)
        } throws: { error in
            "\(error)".contains("import it as 'coredata:")
        }
    }

    @Test(
        "without a model are read with that of the app",
        arguments: ["SampleModel.momd", "SampleModel.xcdatamodeld"])
    func model(name: String) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "coredata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let original = Self.files.appending(path: "sample-renamed/SampleModel_V2.sqlite")
        let copy = folder.appending(path: "SampleModel_V2.sqlite")
        try FileManager.default.copyItem(at: original, to: copy)
        var database: OpaquePointer?
        #expect(sqlite3_open(copy.path, &database) == SQLITE_OK)
        #expect(sqlite3_exec(database, "DROP TABLE Z_MODELCACHE", nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
        #expect(throws: ImportProblem.self) { try DatabaseImport(coreData: copy.path) }
        let model = Self.files.appending(path: "sample-renamed/\(name)")
        let found = try DatabaseImport(coreData: copy.path, model: model.path)
        let cached = try DatabaseImport(coreData: original.path)
        #expect(found.files.map(\.text) == cached.files.map(\.text))
        let other = model.appending(
            path: name.hasSuffix(".momd")
                ? "SampleModel.mom" : "SampleModel.xcdatamodel")
        #expect(throws: ImportProblem.self) {
            try DatabaseImport(coreData: copy.path, model: other.path)
        }
    }

    @Test("are printed by inspect")
    func inspected() throws {
        let path = Self.files.appending(path: "sample-renamed/SampleModel_V2.sqlite").path
        let file = try InspectedFile.inspect(path)
        #expect(file.kind == "Core Data")
        #expect(
            file.tables.map { "\($0.name) \($0.count)" } == [
                "Car 115", "SportCar 5", "LuxuryCar 5", "Person 20",
            ])
    }
}
