import Foundation
import Generated
import RepositorySQLite
import Testing

@testable import RepositoryRuntime

@Suite("Tenants")
struct TenantTests {
    /// Names that differ only in what some file systems, or Swift's strings, treat as equal, or that
    /// mean something to a file system.
    private static let names = [
        "acme", "ACME", "Acme", "../x", "..", ".", "/", "a/b", "a\u{0}", "\u{0}", "%41", "A", "a",
        "\u{e9}", "e\u{301}", " ", "con", "x.sqlite", "x", String(repeating: "Ä", count: 30),
    ]

    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "tenants-\(UUID().uuidString)")

    @Test("Each name has its own records, also for other stores of the same files")
    func areApart() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let memory = InMemoryStore()
        let database = SQLiteStore.inMemory()
        let path = folder.appending(path: "library.sqlite").path
        let directory = folder.appending(path: "library")
        try await areApart(in: memory) {
            try memory.tenant($0)
        } listed: {
            memory.tenants()
        }
        try await areApart(in: database) {
            try database.tenant($0)
        } listed: {
            try database.tenants()
        }
        let sqlite = SQLiteStore(path: path)
        try await areApart(in: sqlite) {
            try SQLiteStore(path: path).tenant($0)
        } listed: {
            try sqlite.tenants()
        }
        let files = FileSystemStore(directory: directory)
        try await areApart(in: files) {
            try FileSystemStore(directory: directory).tenant($0)
        } listed: {
            try files.tenants()
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy {
                $0.hasPrefix("library")
            })
    }

    private func areApart(
        in parent: any EntityStore, tenant: (String) throws -> any EntityStore,
        listed: () throws -> [String]
    ) async throws {
        for (number, name) in Self.names.enumerated() {
            let library = Library(try tenant(name))
            try await library.authors.create(Author(name: "\(number)"))
        }
        for (number, name) in Self.names.enumerated() {
            let names = try await Library(try tenant(name)).authors.fetch().map(\.name)
            #expect(names == ["\(number)"], "\(parent.name): \(Array(name.utf8))")
        }
        #expect(try await Library(parent).authors.count() == 0)
        let bytes = try listed().map { Array($0.utf8) }
        #expect(Set(bytes) == Set(Self.names.map { Array($0.utf8) }))
    }

    @Test("Suites of user defaults are apart, too")
    func suites() async throws {
        let suite = "tenants-\(UUID().uuidString)"
        let store = UserDefaultsStore(suiteName: suite)
        let forms = try ["acme", "ACME"].map { "\(suite).tenants.\(try TenantName($0).encoded)" }
        defer { for suite in forms + [suite] { try? UserDefaultsStore.remove(suiteName: suite) } }
        try await Library(store.tenant("acme")).authors.create(Author(name: "A"))
        #expect(try await Library(store.tenant("ACME")).authors.count() == 0)
        #expect(try await Library(store.tenant("acme")).authors.count() == 1)
        #expect(try await Library(store).authors.count() == 0)
    }

    @Test("An empty name and a long one are refused")
    func refusal() {
        for name in ["", String(repeating: "a", count: 61), String(repeating: "é", count: 31)] {
            let stores: [() throws -> any EntityStore] = [
                { try InMemoryStore().tenant(name) }, { try SQLiteStore.inMemory().tenant(name) },
                { try SQLiteStore(path: "unused.sqlite").tenant(name) },
                { try FileSystemStore(directory: folder).tenant(name) },
                { try UserDefaultsStore(suiteName: "unused").tenant(name) },
            ]
            for store in stores {
                let error = #expect(throws: CRUDRepositoryError.self) { try store() }
                #expect(error?.code == .invalidIdentifier)
            }
        }
    }

    @Test("Forms are reversible, short, and different also where case is ignored")
    func forms() throws {
        var generator = SystemRandomNumberGenerator()
        var names: Set<[UInt8]> = []
        var forms: Set<String> = []
        let alphabet: [Unicode.Scalar] = [
            "a", "A", "b", "/", "\\", ".", "%", "2", "E", "\u{0}", "é", "e", "\u{301}", "ß", "İ",
            "\u{10FFFF}", " ", "\n", ":",
        ]
        for _ in 0..<5_000 {
            var name = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...15, using: &generator) {
                name.append(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)])
            }
            let text = String(name)
            let form = try TenantName(text).encoded
            #expect(form.utf8.count <= 180 && !form.contains("/") && !form.contains("."))
            #expect(TenantName.decode(form).map { Array($0.utf8) } == Array(text.utf8))
            names.insert(Array(text.utf8))
            forms.insert(form.lowercased())
        }
        #expect(names.count == forms.count)
        for other in [
            "", "A", "%61", "%2e", "%", "%C3", "x.txt", String(repeating: "a", count: 61),
        ] {
            #expect(TenantName.decode(other) == nil)
        }
    }
}
