import Foundation
import StoredSchema
import Synchronization
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// Random versions of three tables: they rename, exchange and convert, some programs skip versions,
/// and some declarations no longer name what a table was called.
@Suite("Random versions of tables with external data and given ids", .serialized)
struct RandomMovesTests {
    /// The state of a table in a version.
    private struct Table: Sendable {
        var name: String
        var from: [String] = []
        var image = "image"
        var imageFrom: [String] = []
    }

    /// What a table has stored.
    private struct Content {
        var bytes: Data
        var next: Int64
    }

    private static let types: [any Entity.Type] = [
        Picture<SlotPicture.A>.self, Picture<SlotPicture.B>.self, Picture<SlotPicture.C>.self,
    ]

    /// Returns the tables of a next version, and the changes to them.
    private func next(
        _ tables: [Table], _ random: inout SeededGenerator
    ) -> (tables: [Table], changes: [DataChange]) {
        var (next, changes) = (tables, [DataChange]())
        let free = ["one", "two", "three", "four"].filter { name in
            !tables.contains { $0.name == name }
        }
        for index in next.indices where Bool.random(using: &random) {
            // A spent decision may go.
            (next[index].from, next[index].imageFrom) = ([], [])
        }
        let moved = Int.random(in: next.indices, using: &random)
        if let name = free.randomElement(using: &random) {
            changes.append(.renameTable(from: next[moved].name, to: name))
            next[moved].from.insert(next[moved].name, at: 0)
            next[moved].name = name
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            let index = Int.random(in: next.indices, using: &random)
            let new = next[index].image == "image" ? "scan" : "image"
            changes.append(
                .rename(DataPath(next[index].name, [next[index].image]), to: new))
            next[index].imageFrom.insert(next[index].image, at: 0)
            next[index].image = new
        }
        for index in next.indices {
            let own = next[index]
            next[index].from.removeAll { $0 == own.name }
            next[index].imageFrom.removeAll { $0 == own.image }
        }
        return (next, changes)
    }

    /// Uses the tables of a version from here on.
    private func use(_ tables: [Table]) {
        SlotPicture.tables.withLock { slots in
            slots = tables.map { table in
                SlotPicture.A.make(
                    table.name, from: table.from, image: table.image, imageFrom: table.imageFrom)
            }
        }
    }

    private func check<S: PictureShape>(
        _ shape: S.Type, _ store: any EntityStore, _ schema: StoreSchema, _ content: inout Content,
        _ random: inout SeededGenerator, _ comment: Comment
    ) async throws {
        let pictures = PictureRepository<S>(
            RepositoryContext(store: store, schema: schema, fullScans: .allow))
        let found = try await pictures.fetch()
        #expect(found.map(\.id) == [1], comment)
        try await #expect(found.first?.image?.load() == content.bytes, comment)
        try await #expect(pictures.findAll(note: "\(S.self)").map(\.id) == [1], comment)
        // Some versions give no id, so that only what was carried tells the next one.
        guard Bool.random(using: &random) else { return }
        let given = try await IDAssignment<Picture<S>>(store: pictures.context.store).take(1)
        #expect(given == content.next, comment)
        content.next += 1
    }

    private static let seeds =
        0..<(ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1" ? 24 : 3)

    @Test("All bytes, found records and next ids are as before", arguments: seeds)
    func random(_ seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed) &* 77 &+ RandomSettings.seed)
        let folder = TemporaryFolder()
        let driver = SmallDriver()
        func store() -> any EntityStore {
            seed % 3 == 0
                ? DocumentStore(driver, transformer: JSONDataTransformer())
                : FileSystemStore(directory: folder.url)
        }
        var tables = ["one", "two", "three"].map { Table(name: $0) }
        var contents = (0..<3).map {
            Content(bytes: Bytes.random(900 + $0), next: 2 + 3 * Int64($0))
        }
        var chain = VersionChain()
        use(tables)
        chain.release(Self.types)
        try await fill(SlotPicture.A.self, store(), try chain.schema(Self.types), contents[0])
        try await fill(SlotPicture.B.self, store(), try chain.schema(Self.types), contents[1])
        try await fill(SlotPicture.C.self, store(), try chain.schema(Self.types), contents[2])
        for version in 2..<9 {
            let (new, changes) = next(tables, &random)
            tables = new
            use(tables)
            chain.release(Self.types, changes)
            // Programs of some versions never open the data.
            guard version == 8 || Bool.random(using: &random) else { continue }
            let schema = try chain.schema(Self.types)
            let comment: Comment = "seed \(seed), version \(version)"
            try await check(
                SlotPicture.A.self, store(), schema, &contents[0], &random, comment)
            try await check(
                SlotPicture.B.self, store(), schema, &contents[1], &random, comment)
            try await check(
                SlotPicture.C.self, store(), schema, &contents[2], &random, comment)
        }
    }

    /// Stores a record, and gives ids up to the next one of the content.
    private func fill<S: PictureShape>(
        _ shape: S.Type, _ store: any EntityStore, _ schema: StoreSchema, _ content: Content
    ) async throws {
        let pictures = PictureRepository<S>(
            RepositoryContext(store: store, schema: schema, fullScans: .allow))
        for id in 1..<Int(content.next) {
            try await pictures.create(
                Picture(id: .init(id), image: ExternalData(content.bytes), note: "\(S.self)"))
            if id > 1 { try await pictures.delete(.init(id)) }
        }
    }
}

/// Tables of pictures that change while the test runs.
private enum SlotPicture {
    /// The tables of the present version.
    static let tables = Mutex<[EntityTable]>([])

    static func table(_ index: Int) -> EntityTable { tables.withLock { $0[index] } }

    enum A: PictureShape { static var table: EntityTable { SlotPicture.table(0) } }
    enum B: PictureShape { static var table: EntityTable { SlotPicture.table(1) } }
    enum C: PictureShape { static var table: EntityTable { SlotPicture.table(2) } }
}
