import Foundation
import RepositorySQLite
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// A record with external data, before its table and its field are renamed.
private struct Scan: Entity {
    typealias ID = EntityID<Scan, String>
    typealias Mapper = ScanMapper
    var id: ID
    var bytes: ExternalData?
}

private enum ScanMapper: EntityMapper {
    static let table = {
        var table = EntityTable("scans", entity: "Scan")
        table.field("id", .text, key: true)
        table.field("bytes", .externalData, optional: true)
        return table
    }()

    static func encode<E: FieldEncoder>(_ scan: Scan, to fields: inout E) throws {
        try fields.encode(scan.id, at: 0)
        try fields.encode(scan.bytes, at: 1)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Scan {
        Scan(
            id: try fields.decode(Scan.ID.self, at: 0),
            bytes: try fields.decode(ExternalData?.self, at: 1))
    }

    static func changeExternalData(
        of scan: inout Scan, _ change: (ExternalData) throws -> ExternalData
    ) rethrows {
        if let value = scan.bytes { scan.bytes = try change(value) }
    }
}

/// The same record afterwards.
private struct Page: Entity {
    typealias ID = EntityID<Page, String>
    typealias Mapper = PageMapper
    var id: ID
    var image: ExternalData?
}

private enum PageMapper: EntityMapper {
    static let table = {
        var table = EntityTable("pages", entity: "Page", renamedFrom: ["scans"])
        table.field("id", .text, key: true)
        table.field(
            "image", .externalData, optional: true, renamedFrom: ["bytes"],
            columnsRenamedFrom: ["bytes"])
        return table
    }()

    static func encode<E: FieldEncoder>(_ page: Page, to fields: inout E) throws {
        try fields.encode(page.id, at: 0)
        try fields.encode(page.image, at: 1)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Page {
        Page(
            id: try fields.decode(Page.ID.self, at: 0),
            image: try fields.decode(ExternalData?.self, at: 1))
    }

    static func changeExternalData(
        of page: inout Page, _ change: (ExternalData) throws -> ExternalData
    ) rethrows {
        if let value = page.image { page.image = try change(value) }
    }
}

private struct Repository<Model: Entity>: EntityRepository {
    let context: RepositoryContext

    init(_ context: RepositoryContext) { self.context = context }
}

@Suite("External data of a table that is renamed")
struct ExternalDataRenameTests {
    @Test("stays with its records", arguments: ["files", "SQLite"])
    func renamed(_ kind: String) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("renamed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func store() -> any EntityStore {
            kind == "files"
                ? FileSystemStore(directory: folder)
                : SQLiteStore(path: folder.appendingPathComponent("a.sqlite").path)
        }
        let bytes = Bytes.random(600_000)
        let scans = Repository<Scan>(
            RepositoryContext(store: store(), schema: StoreSchema("S", [Scan.self])))
        try await scans.create(Scan(id: "a", bytes: ExternalData(bytes)))
        try await scans.create(Scan(id: "b", bytes: ExternalData(Data([1]))))
        let pages = Repository<Page>(
            RepositoryContext(store: store(), schema: StoreSchema("S", [Page.self])))
        let image = try await pages.read("a").image
        try await #expect(image?.load() == bytes)
        try await pages.delete("a")
        await #expect(throws: CRUDRepositoryError.self) { _ = try await image?.load() }
        try await #expect(pages.read("b").image?.load() == Data([1]))
        try await pages.update(Page(id: "b", image: ExternalData(bytes)))
        try await #expect(pages.read("b").image?.load() == bytes)
        if kind == "files" {
            let own = folder.appendingPathComponent(".repository").path
            let names = try FileManager.default.contentsOfDirectory(atPath: own)
            #expect(names.contains("external_pages") && !names.contains("external_scans"))
        }
    }
}
