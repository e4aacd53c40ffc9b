import Foundation
import RepositoryRuntime
import RepositorySQLite
import Testing

/// A real database of 15,607 rows goes into every store and comes back equal.
@Suite(.enabled(if: Chinook.folder != nil, "needs the Chinook data: set REPOSITORY_TEST_DATA"))
struct MusicStoreTests {
    /// A store to be filled, by name.
    enum Kind: String, CaseIterable, Sendable {
        case memory, userDefaults, filesInJSON, filesInXML, filesInCBOR, sqlite

        /// With `REPOSITORY_LONG=1` all; the other formats of files and user defaults besides.
        static let tried: [Kind] =
            ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
            ? allCases : [.memory, .filesInJSON, .sqlite]

        func make(in folder: URL) -> any EntityStore {
            switch self {
            case .memory: InMemoryStore()
            case .userDefaults: UserDefaultsStore(suiteName: "music-\(folder.lastPathComponent)")
            case .filesInJSON: FileSystemStore(directory: folder)
            case .filesInXML: FileSystemStore(directory: folder, transformer: XMLDataTransformer())
            case .filesInCBOR:
                FileSystemStore(directory: folder, transformer: CBORDataTransformer())
            case .sqlite: SQLiteStore(path: folder.appending(path: "music.sqlite").path)
            }
        }
    }

    @Test(arguments: Kind.tried)
    func everyRowComesBackEqual(from kind: Kind) async throws {
        let chinook = try Chinook(contentsOf: #require(Chinook.folder))
        #expect(chinook.rowCount == 15_607)
        let folder = FileManager.default.temporaryDirectory.appending(path: "music-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let store = MusicStore(kind.make(in: folder), fullScans: .allow)
        try await chinook.load(into: store)

        // Opened anew where there is something to open, so that nothing is read from memory.
        let reopened =
            kind == .memory ? store : MusicStore(kind.make(in: folder), fullScans: .allow)
        try await expectEqual(reopened, chinook)
        try await expectEqualToOriginal(reopened)
        try await expectFindersToAgree(reopened, chinook)
        try await expectQueriesToAgree(reopened)
        try await expectAnswersToAgree(reopened)
        try await expectRelationsToAgree(reopened)
        try await expectRelativesToAgree(reopened)
        try await reopened.reset()
    }

    private func expectEqual(_ store: MusicStore, _ chinook: Chinook) async throws {
        func sorted<E: Entity>(_ rows: [E]) -> [E] { rows.sorted { $0.id < $1.id } }
        #expect(try await store.artists.fetch() == sorted(chinook.artists))
        #expect(try await store.albums.fetch() == sorted(chinook.albums))
        #expect(try await store.genres.fetch() == sorted(chinook.genres))
        #expect(try await store.mediaTypes.fetch() == sorted(chinook.mediaTypes))
        #expect(try await store.tracks.fetch() == sorted(chinook.tracks))
        #expect(try await store.playlists.fetch() == sorted(chinook.playlists))
        #expect(try await store.playlistTracks.fetch() == sorted(chinook.playlistTracks))
        #expect(try await store.employees.fetch() == sorted(chinook.employees))
        #expect(try await store.customers.fetch() == sorted(chinook.customers))
        #expect(try await store.invoices.fetch() == sorted(chinook.invoices))
        #expect(try await store.invoiceLines.fetch() == sorted(chinook.invoiceLines))
    }

    private func expectFindersToAgree(_ store: MusicStore, _ chinook: Chinook) async throws {
        let album = Album.ID(1)
        let onAlbum = chinook.tracks.filter { $0.albumID == album }.map(\.id).sorted()
        #expect(try await store.tracks.findAll(albumID: album).map(\.id) == onAlbum)
        let customer = try #require(chinook.customers.first)
        #expect(try await store.customers.find(email: customer.email) == customer)
        let reports = chinook.employees.filter { $0.reportsToID == Employee.ID(2) }.map(\.id)
            .sorted()
        #expect(try await store.employees.findAll(reportsToID: Employee.ID(2)).map(\.id) == reports)
    }
}
