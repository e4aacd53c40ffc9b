import Foundation
import RepositoryMoving
import RepositoryRuntime
import RepositorySQLite
import Testing

@testable import RepositoryCoreData

/// Stores of Core Data that are read with the schemas of their import, and copied.
@Suite("Stores of Core Data as sources")
struct CoreDataSourceTests {
    private static func url(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "CoreDataFormat/Files/\(name)")
    }

    private static func records<E: Entity>(
        _ type: E.Type, of file: CoreDataFile
    ) async throws -> (records: [E], failures: [RecordFailure]) {
        var found: (records: [E], failures: [RecordFailure]) = ([], [])
        var last: E.ID?
        while true {
            let page = try await file.page(type, after: last, limit: 2)
            found.records += page.records
            found.failures += page.failures
            guard let next = page.last else { return found }
            last = next
        }
    }

    private static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "coredata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test("Inheritance, order, links and external data are read")
    func gallery() async throws {
        let file = CoreDataFile(Self.url("fabricated-gallery/Gallery.sqlite"))
        #expect(try await file.mappingProblems(Gallery.schema).filter(\.isFatal) == [])
        let namespace = try #require(UUID(uuidString: "29C9C58D-D186-5606-B1CD-EE2AEF525DF8"))
        func id(_ name: String) -> UUID { UUID(namespace: namespace, name: name) }

        let media = try await Self.records(Media.self, of: file)
        #expect(media.failures == [])
        let photo = try #require(media.records.first { $0.id.rawValue == id("Photo/p1") })
        #expect(photo.kind == .photo)
        #expect(photo.edits == ["crop", "rotate"])
        #expect((photo.text, photo.text2, photo.textVideo) == ("B", "a", nil))
        let external = "fabricated-gallery/.Gallery_SUPPORT/_EXTERNAL_DATA"
        let original = try Data(
            contentsOf: Self.url("\(external)/63C85896-EA71-52D8-94FD-8B650A097964"))
        #expect(photo.original == ExternalData(original))
        #expect(photo.thumbnail == ExternalData(Data([1, 2, 3])))
        let video = try #require(media.records.first { $0.id.rawValue == id("Video/p3") })
        #expect(video.kind == .video)
        #expect(video.price == Decimal(string: "19.99"))
        #expect(video.textVideo == .max)

        let items = try await Self.records(AlbumItem.self, of: file).records
            .sorted { $0.position < $1.position }
        #expect(try await file.count(AlbumItem.self) == 3)
        #expect(
            items.map(\.itemID.rawValue) == [id("Video/p3"), id("Photo/p2"), id("Photo/p1")])
        // A reference to an object that does not exist.
        let albums = try await Self.records(Album.self, of: file).records
        #expect(Set(albums.map(\.coverID?.rawValue)) == [id("Photo/p1"), nil])

        let persons = try await Self.records(Person.self, of: file).records
        let children = persons.filter { $0.motherID != nil }
            .sorted { ($0.position ?? 0) < ($1.position ?? 0) }
        #expect(children.map(\.name) == ["Eve", "Bob"])
        #expect(children.map(\.position) == [0, 1])
        let remarks = try await Self.records(Remark.self, of: file).records
        #expect(remarks.map(\.personID?.rawValue) == [id("Person/p1"), id("Person/p1")])
        // Both directions of a relationship with itself.
        #expect(try await Self.records(MediaRelated.self, of: file).records.count == 2)
    }

    @Test("A store is copied; the same objects have the same ids the next time")
    func copied() async throws {
        try await Self.withFolder { folder in
            let url = Self.url("fabricated-gallery/Gallery.sqlite")
            let store = SQLiteStore(path: folder.appending(path: "gallery.sqlite").path)
            let report = try await Gallery.copy(from: CoreDataFile(url), to: store)
            #expect(report.tables.map(\.sourceCount).reduce(0, +) == 18)
            #expect(!report.tables.map(\.isEqual).contains(false))
            let comparison = try await Gallery.compare(CoreDataFile(url), store)
            #expect(!comparison.tables.map(\.isEqual).contains(false))
        }
    }

    @Test("Structures and enumerations of SwiftData are read")
    func trips() async throws {
        let file = CoreDataFile(Self.url("fabricated-swiftdata/default.store"))
        #expect(try await file.mappingProblems(Trips.schema) == [])
        let trips = try await Self.records(Trip.self, of: file).records
        let trip = try #require(trips.first { $0.name == "Lisbon" })
        #expect(trip.place == Place(name: "Lisboa", latitude: 38.72, longitude: -9.14))
        #expect(trip.mood == .tired)
        #expect(trip.status == .planned)
        #expect(trip.tags == ["sea", "food"])
        #expect(trip.legs?.total == 2)
        #expect(trip.photo?.size == 120_000)
        let items = try await Self.records(Item.self, of: file).records
        #expect(items.count { $0.tripID == trip.id } == 2)
        let again = try await file.record(Trip.self, id: trip.id)
        #expect(again?.name == "Lisbon")
    }

    @Test("A file that is missing or no store is an error, and never empty")
    func refused() async throws {
        try await Self.withFolder { folder in
            let missing = CoreDataFile(folder.appending(path: "none.sqlite"))
            await #expect(throws: CoreDataError.self) { try await missing.state() }
            let url = folder.appending(path: "text.sqlite")
            try Data("no database".utf8).write(to: url)
            let error = await #expect(throws: CoreDataError.self) {
                try await CoreDataFile(url).count(Trip.self)
            }
            #expect(error?.code == .otherFormat)
        }
    }

    @Test("The state changes with the file")
    func state() async throws {
        try await Self.withFolder { folder in
            let url = folder.appending(path: "Cloud.sqlite")
            try FileManager.default.copyItem(
                at: Self.url("fabricated-cloud/Cloud.sqlite"), to: url)
            let file = CoreDataFile(url)
            let before = try await file.state()
            #expect(try await file.state() == before)
            try Data("log".utf8).write(to: folder.appending(path: "Cloud.sqlite-wal"))
            #expect(try await file.state() != before)
        }
    }

    @Test("UUIDs of objects are those of version 5")
    func uuids() throws {
        let bookmarks = try #require(UUID(uuidString: "729EA06D-F512-407C-A56C-326316BFB40E"))
        let cars = try #require(UUID(uuidString: "753753D3-A961-4901-AB05-8CC48B1D3853"))
        #expect(
            UUID(namespace: bookmarks, name: "BookmarkEntity/p1").uuidString
                == "AE807FB8-12AD-5FC6-985C-C7BE5959AB29")
        #expect(
            UUID(namespace: cars, name: "LuxuryCar/p1").uuidString
                == "6660BE87-2504-5DEF-89EC-7E5F69386D11")
    }
}
