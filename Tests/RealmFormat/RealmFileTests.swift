import Foundation
import RealmFormat
import Testing

/// Files that Realm wrote, of all formats that there are.
@Suite("Realm files")
struct RealmFileTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    static let key = [UInt8](repeating: 1, count: 64)

    static let readableNames: [String] = names { !$0.hasPrefix("hostile-") }
    static let hostileNames: [String] = names { $0.hasPrefix("hostile-") }

    private static func names(_ condition: (String) -> Bool) -> [String] {
        let files = try? FileManager.default.contentsOfDirectory(
            atPath: folder.appending(path: "Files").path)
        return (files ?? []).filter(condition).map { String($0.dropLast(".realm".count)) }.sorted()
    }

    static func path(_ name: String) -> String {
        folder.appending(path: "Files/\(name).realm").path
    }

    @Test("Every table, property and object is what Realm reads", arguments: readableNames)
    func values(_ name: String) throws {
        let key = name.hasSuffix("encrypted") ? Self.key : nil
        let database = try RealmDatabase(path: Self.path(name), key: key)
        let lines = try RealmListing(database).lines()
        let text = try String(
            contentsOf: Self.folder.appending(path: "Expected/\(name).jsonl"), encoding: .utf8)
        let expected = try text.split(separator: "\n").map {
            try JSONDecoder().decode(JSONNode.self, from: Data($0.utf8))
        }
        #expect(lines.count == expected.count)
        for (number, (line, other)) in zip(lines, expected).enumerated() where line != other {
            Issue.record("line \(number + 1): \(line)\nexpected: \(other)")
        }
        #expect(database.isEncrypted == (key != nil))
    }

    @Test("All files are tested")
    func all() {
        #expect(Self.readableNames.count == 15 && Self.hostileNames.count == 16)
    }

    @Test("A hostile file is one error", arguments: hostileNames)
    func hostile(_ name: String) throws {
        let error = #expect(throws: RealmFileError.self) {
            let database = try RealmDatabase(path: Self.path(name))
            let pass = database.pass()
            for table in database.tables { try pass.forEach(of: table) { _ in } }
        }
        let kind: RealmFileError.Kind =
            switch name {
            case "hostile-text", "hostile-empty": .notRealm
            case "hostile-format-25": .unknownFormat
            case "hostile-elements-from-nothing": .tooLarge
            default: .damaged
            }
        #expect(error?.kind == kind)
    }

    @Test("Keys that are missing, wrong or not needed are told apart")
    func keys() {
        func kind(_ name: String, _ key: [UInt8]?) -> RealmFileError.Kind? {
            do {
                _ = try RealmDatabase(path: Self.path(name), key: key)
                return nil
            } catch { return error.kind }
        }
        let encrypted = "10-ios-alltypes-encrypted"
        #expect(kind(encrypted, nil) == .notRealm)
        #expect(kind(encrypted, [UInt8](repeating: 2, count: 64)) == .wrongKey)
        // The half for the decryption alone is wrong: the authentication does not show that.
        #expect(kind(encrypted, Array(repeating: 2, count: 32) + Self.key[32...]) == .wrongKey)
        #expect(kind(encrypted, Array(Self.key.dropLast())) == .wrongKey)
        #expect(kind("20-core", Self.key) == .notEncrypted)
        #expect(kind("no-such-file", nil) == .unreadable)
    }

    @Test("A page that was changed fails its authentication")
    func changedPage() throws {
        var bytes = Array(
            try Data(contentsOf: URL(fileURLWithPath: Self.path("10-ios-alltypes-encrypted"))))
        bytes[2 * 4096 + 100] ^= 1
        let error = #expect(throws: RealmFileError.self) {
            let database = try RealmDatabase(bytes: bytes, key: Self.key)
            for table in database.tables { try database.pass().forEach(of: table) { _ in } }
        }
        #expect(error?.kind == .damaged)
    }

    @Test("A file whose lock file is locked is in use")
    func locked() throws {
        let copy = try Copy("20-core")
        defer { copy.remove() }
        let lock = open(copy.path + ".lock", O_CREAT | O_RDWR, 0o600)
        defer { close(lock) }
        _ = try RealmDatabase(path: copy.path)
        #expect(flock(lock, LOCK_SH) == 0)
        let error = #expect(throws: RealmFileError.self) {
            try RealmDatabase(path: copy.path)
        }
        #expect(error?.kind == .inUse)
    }

    @Test("A commit while a file is read is an error at the end")
    func changed() throws {
        let copy = try Copy("20-migration-v5")
        defer { copy.remove() }
        let database = try RealmDatabase(path: copy.path)
        var objects = try database.pass().objects(of: try #require(database.classes.first))
        _ = try objects.next()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: copy.path))
        // The other slot is in force now.
        try file.seek(toOffset: 23)
        let flags = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: 23)
        try file.write(contentsOf: Data([flags ^ 1]))
        try file.close()
        let error = #expect(throws: RealmFileError.self) {
            while try objects.next() != nil {}
        }
        #expect(error?.kind == .changed)
    }

    /// A copy of a file in a folder of its own.
    private struct Copy {
        private let folder: URL
        let path: String

        init(_ name: String) throws {
            folder = FileManager.default.temporaryDirectory
                .appending(path: "realm-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            path = folder.appending(path: "copy.realm").path
            try FileManager.default.copyItem(atPath: RealmFileTests.path(name), toPath: path)
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }
}
