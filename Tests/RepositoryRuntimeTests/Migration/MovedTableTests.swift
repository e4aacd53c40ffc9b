import Foundation
import StoredSchema
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// What stands beside the records of a table and has its name: external data, counters of given
/// ids, indexes.
@Suite("What moves with a renamed table")
struct MovedTableTests {
    /// A store of documents that can be opened again.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () -> any EntityStore

        static var all: [Place] {
            let folder = TemporaryFolder()
            let driver = SmallDriver()
            return [
                Place(testDescription: "files") { FileSystemStore(directory: folder.url) },
                Place(testDescription: "the smallest driver") {
                    DocumentStore(driver, transformer: JSONDataTransformer())
                },
            ]
        }
    }

    private let bytes = Bytes.random(300_000)
    private let others = Bytes.random(70_000)

    private func pictures<S: PictureShape>(
        _ shape: S.Type, _ store: any EntityStore, _ schema: StoreSchema
    ) -> PictureRepository<S> {
        PictureRepository(RepositoryContext(store: store, schema: schema, fullScans: .allow))
    }

    /// Checks a record, its bytes, what an index finds, and the next id.
    private func check<S: PictureShape>(
        _ pictures: PictureRepository<S>, _ bytes: Data, note: String, next: Int64,
        _ comment: Comment
    ) async throws {
        let found = try await pictures.fetch()
        #expect(found.map(\.id) == [1] && found.map(\.note) == [note], comment)
        try await #expect(found.first?.image?.load() == bytes, comment)
        try await #expect(pictures.findAll(note: note).map(\.id) == [1], comment)
        try await pictures.context.store.rebuildIndexes()
        try await #expect(pictures.read(1).image?.load() == bytes, comment)
        let given = try await IDAssignment<Picture<S>>(store: pictures.context.store).take(1)
        #expect(given == next, comment)
    }

    /// Stores three records of which the last two are deleted, so that the next id is 4.
    private func fill<S: PictureShape>(_ pictures: PictureRepository<S>, _ data: Data) async throws
    {
        for id in 1...3 {
            try await pictures.create(
                Picture(id: .init(id), image: ExternalData(data), note: "\(id)"))
        }
        _ = try await pictures.deleteAll(ids: [2, 3])
    }

    @Test("The former name is no longer declared", arguments: Place.all)
    func spent(_ place: Place) async throws {
        typealias Old = Picture<PictureVersions.Old>
        typealias New = Picture<PictureVersions.Spent>
        var chain = VersionChain()
        chain.release([Old.self])
        let old = pictures(
            PictureVersions.Old.self, place.make(), try chain.schema([Old.self]))
        try await fill(old, bytes)
        chain.release(
            [Picture<PictureVersions.Renamed>.self],
            [
                .renameTable(from: "pictures", to: "paintings"),
                .rename(DataPath("paintings", ["image"]), to: "scan"),
            ])
        chain.release([New.self])
        let new = pictures(
            PictureVersions.Spent.self, place.make(), try chain.schema([New.self]))
        try await check(new, bytes, note: "1", next: 4, "")
    }

    @Test("Nothing is created by the version that renames", arguments: Place.all)
    func inARow(_ place: Place) async throws {
        typealias Old = Picture<PictureVersions.Old>
        typealias Renamed = Picture<PictureVersions.Renamed>
        typealias New = Picture<PictureVersions.Spent>
        var chain = VersionChain()
        chain.release([Old.self])
        let old = pictures(
            PictureVersions.Old.self, place.make(), try chain.schema([Old.self]))
        try await fill(old, bytes)
        chain.release(
            [Renamed.self],
            [
                .renameTable(from: "pictures", to: "paintings"),
                .rename(DataPath("paintings", ["image"]), to: "scan"),
            ])
        let renamed = pictures(
            PictureVersions.Renamed.self, place.make(), try chain.schema([Renamed.self]))
        try await #expect(renamed.read(1).image?.load() == bytes)
        chain.release([New.self])
        let new = pictures(
            PictureVersions.Spent.self, place.make(), try chain.schema([New.self]))
        try await check(new, bytes, note: "1", next: 4, "")
    }

    @Test("One version renames the table and converts a field", arguments: Place.all)
    func converted(_ place: Place) async throws {
        typealias Old = Picture<PictureVersions.Old>
        typealias New = Picture<PictureVersions.Converted>
        var chain = VersionChain()
        chain.release([Old.self])
        let old = pictures(
            PictureVersions.Old.self, place.make(), try chain.schema([Old.self]))
        try await fill(old, bytes)
        chain.release(
            [New.self],
            [
                .renameTable(from: "pictures", to: "paintings"),
                .convert(DataPath("paintings", ["note"]), .single("int64"), isOptional: false),
            ])
        let new = pictures(
            PictureVersions.Converted.self, place.make(), try chain.schema([New.self]))
        try await check(new, bytes, note: "1", next: 4, "")
    }

    @Test("A removed table leaves nothing to the one that gets its name", arguments: Place.all)
    func replaced(_ place: Place) async throws {
        typealias Old = Picture<PictureVersions.Old>
        typealias Removed = Picture<PictureVersions.Drawings>
        typealias New = Picture<PictureVersions.OldAsDrawings>
        var chain = VersionChain()
        chain.release([Old.self, Removed.self])
        let schema = try chain.schema([Old.self, Removed.self])
        try await fill(pictures(PictureVersions.Old.self, place.make(), schema), bytes)
        let removed = pictures(PictureVersions.Drawings.self, place.make(), schema)
        for id in 1...9 {
            try await removed.create(
                Picture(id: .init(id), image: ExternalData(others), note: "\(id)"))
        }
        chain.release(
            [New.self],
            [.removeTable("drawings"), .renameTable(from: "pictures", to: "drawings")])
        let new = pictures(
            PictureVersions.OldAsDrawings.self, place.make(), try chain.schema([New.self]))
        try await check(new, bytes, note: "1", next: 4, "")
    }

    /// A chain in which two tables exchange their names over versions, and its first and last
    /// schema.
    private func exchanging() throws -> (old: StoreSchema, new: StoreSchema) {
        typealias Old = Picture<PictureVersions.Old>
        typealias Drawing = Picture<PictureVersions.Drawings>
        typealias Between = Picture<PictureVersions.Between>
        typealias OldAsDrawing = Picture<PictureVersions.OldAsDrawings>
        typealias DrawingAsOld = Picture<PictureVersions.DrawingsAsOld>
        var chain = VersionChain()
        chain.release([Old.self, Drawing.self])
        let schema = try chain.schema([Old.self, Drawing.self])
        chain.release(
            [Between.self, Drawing.self], [.renameTable(from: "pictures", to: "between")])
        chain.release(
            [Between.self, DrawingAsOld.self], [.renameTable(from: "drawings", to: "pictures")])
        chain.release(
            [OldAsDrawing.self, DrawingAsOld.self], [.renameTable(from: "between", to: "drawings")])
        return (schema, try chain.schema([OldAsDrawing.self, DrawingAsOld.self]))
    }

    /// Stores records of both tables. The next ids are 4 and 10.
    private func fillBoth(_ store: any EntityStore, _ schema: StoreSchema) async throws {
        try await fill(pictures(PictureVersions.Old.self, store, schema), bytes)
        let drawings = pictures(PictureVersions.Drawings.self, store, schema)
        for id in [1, 9] {
            try await drawings.create(
                Picture(id: .init(id), image: ExternalData(others), note: "d"))
        }
        try await drawings.delete(9)
    }

    private func checkExchanged(
        _ store: any EntityStore, _ schema: StoreSchema, _ comment: Comment = ""
    ) async throws {
        try await check(
            pictures(PictureVersions.OldAsDrawings.self, store, schema), bytes, note: "1",
            next: 4, comment)
        try await check(
            pictures(PictureVersions.DrawingsAsOld.self, store, schema), others, note: "d",
            next: 10, comment)
    }

    @Test("Two tables exchange their names over versions", arguments: Place.all)
    func exchanged(_ place: Place) async throws {
        let (old, new) = try exchanging()
        try await fillBoth(place.make(), old)
        try await checkExchanged(place.make(), new)
    }

    @Test("The exchange is interrupted at any operation on files")
    func interrupted() async throws {
        let (old, new) = try exchanging()
        let full = TemporaryFolder()
        try await fillBoth(FileSystemStore(directory: full.url), old)
        var outcomes: Set<Bool> = []
        let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
        for number in stride(from: 1, to: Int.max, by: isLong ? 7 : 97) {
            let folder = TemporaryFolder()
            try FileManager.default.copyItem(at: full.url, to: folder.url)
            let operations = FailingFileOperations(failing: number, forEver: true)
            let driver = FileDriver(
                root: folder.url, formatExtension: "json", providesStamps: true,
                operations: operations)
            let store = DocumentStore(driver, transformer: JSONDataTransformer())
            let isDone = await errorCode { try await store.open(new) } == nil
            outcomes.insert(isDone)
            try await checkExchanged(
                FileSystemStore(directory: folder.url), new, "operation \(number)")
            if !operations.hasFailed { break }
        }
        #expect(outcomes == [true, false])
    }
}

/// A version of a table of pictures.
protocol PictureShape: Sendable {
    static var table: EntityTable { get }
    /// Whether the note is a number.
    static var countsNotes: Bool { get }
}

extension PictureShape {
    static var countsNotes: Bool { false }

    static func make(
        _ name: String, from: [String] = [], image: String = "image", imageFrom: [String] = []
    ) -> EntityTable {
        var table = EntityTable(name, entity: "Picture", renamedFrom: from)
        table.field("id", .int64, key: true)
        table.assigned("id")
        table.field(
            image, .externalData, optional: true, renamedFrom: imageFrom,
            columnsRenamedFrom: imageFrom)
        table.field("note", countsNotes ? .int64 : .text)
        table.index("pictures_note", ["note"])
        return table
    }
}

/// The versions of tables of pictures.
enum PictureVersions {
    enum Old: PictureShape { static let table = make("pictures") }
    enum Renamed: PictureShape {
        static let table = make(
            "paintings", from: ["pictures"], image: "scan", imageFrom: ["image"])
    }
    enum Spent: PictureShape { static let table = make("paintings", image: "scan") }
    enum Converted: PictureShape {
        static let table = make("paintings", from: ["pictures"])
        static let countsNotes = true
    }
    enum Drawings: PictureShape { static let table = make("drawings") }
    enum Between: PictureShape { static let table = make("between", from: ["pictures"]) }
    enum OldAsDrawings: PictureShape { static let table = make("drawings", from: ["between"]) }
    enum DrawingsAsOld: PictureShape { static let table = make("pictures", from: ["drawings"]) }
}

/// A picture in one version.
struct Picture<S: PictureShape>: Entity {
    typealias ID = EntityID<Picture<S>, Int>
    typealias Mapper = PictureMapper<S>

    let id: ID
    var image: ExternalData?
    var note: String
}

/// The mapping of a picture in one version.
enum PictureMapper<S: PictureShape>: EntityMapper {
    static var table: EntityTable { S.table }

    static func encode<E: FieldEncoder>(_ picture: Picture<S>, to fields: inout E) throws {
        try fields.encode(picture.id, at: 0)
        try fields.encode(picture.image, at: 1)
        if S.countsNotes {
            try fields.encode(Int64(picture.note) ?? 0, at: 2)
        } else {
            try fields.encode(picture.note, at: 2)
        }
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Picture<S> {
        try Picture(
            id: fields.decode(Picture<S>.ID.self, at: 0),
            image: fields.decode(ExternalData?.self, at: 1),
            note: S.countsNotes
                ? String(fields.decode(Int64.self, at: 2)) : fields.decode(String.self, at: 2))
    }

    static func changeExternalData(
        of picture: inout Picture<S>, _ change: (ExternalData) throws -> ExternalData
    ) rethrows {
        if let value = picture.image { picture.image = try change(value) }
    }
}

/// The repository of pictures in one version.
struct PictureRepository<S: PictureShape>: EntityRepository {
    typealias Model = Picture<S>
    let context: RepositoryContext
    init(_ context: RepositoryContext) { self.context = context }

    /// Returns the pictures that the index of the notes finds.
    func findAll(note: String) async throws -> [Picture<S>] {
        try await find(
            index: 0, [S.countsNotes ? .integer(Int64(note) ?? 0) : .text(note)])
    }
}
