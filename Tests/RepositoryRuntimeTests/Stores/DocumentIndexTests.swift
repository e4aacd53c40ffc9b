import Foundation
import Synchronization
import Testing

@testable import RepositoryRuntime

/// Documents in memory, shared by all stores over them, that count how many records are read.
final class ReadCountingDriver: DocumentDriver {
    struct Content: Sendable {
        var documents: [String: [String: Data]] = [:]
        var notes: [String: Data] = [:]
        var generation: UInt64 = 0
        var records = 0
        var pages = 0
    }

    let content = Mutex(Content())
    private let lock = NSRecursiveLock()
    private let hasStamps: Bool
    let name = "counting"
    let isDurable = false

    init(hasStamps: Bool = true) { self.hasStamps = hasStamps }

    func get(_ key: String, in collection: String) -> Data? {
        content.withLock { content in
            if DocumentIndexNames.table(of: collection) == nil {
                content.records += 1
            } else {
                content.pages += 1
            }
            return content.documents[collection]?[key]
        }
    }

    func contains(_ key: String, in collection: String) -> Bool {
        content.withLock { $0.documents[collection]?[key] != nil }
    }

    func keys(in collection: String) -> [String] {
        content.withLock { Array(($0.documents[collection] ?? [:]).keys) }
    }

    func apply(_ change: DocumentChange) -> Bool {
        let isThere = contains(change.key, in: change.collection)
        switch change.condition {
        case .absent where isThere, .present where !isThere: return false
        default: applyAll([change])
        }
        return true
    }

    func applyAll(_ changes: [DocumentChange]) {
        content.withLock { content in
            for change in changes {
                content.documents[change.collection, default: [:]][change.key] = change.data
            }
            content.generation += 1
        }
    }

    func recover() {}

    func withLock<R>(_ body: () throws -> R) throws -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    func stamp(of collection: String) -> DocumentStamp? {
        hasStamps ? DocumentStamp(generation: content.withLock { $0.generation }) : nil
    }

    func note(_ name: String) -> Data? { content.withLock { $0.notes[name] } }
    func setNote(_ name: String, _ data: Data?) { content.withLock { $0.notes[name] = data } }

    /// How many records were read since the last time this was asked.
    func takeRecords() -> Int {
        content.withLock { content in
            defer { content.records = 0 }
            return content.records
        }
    }
}

/// Indexes in documents beside the records.
@Suite struct DocumentIndexTests {
    private static let own = DocumentIndexNames.collection(of: "volumes")

    private func repository(_ driver: ReadCountingDriver) -> VolumeRepository {
        VolumeRepository(over: DocumentStore(driver, transformer: JSONDataTransformer()))
    }

    private func filled(
        _ driver: ReadCountingDriver, count: Int = 1000
    ) async throws -> VolumeRepository {
        let volumes = repository(driver)
        try await volumes.createAll(
            (0..<count).map { number in
                var volume = Volume(code: Volume.ID(String(format: "v%03d", number)))
                volume.state = number < 10 ? .lent : .new
                volume.grade = number % 10 == 0 ? .good : .fair
                volume.pages = number
                return volume
            })
        _ = driver.takeRecords()
        return volumes
    }

    private let lent = Query<Volume>.where { $0.state == .lent }
    private let longest = Query<Volume>.where { $0.grade == .fair }
        .sorted(by: \.pages, .descending).limit(5)

    @Test(arguments: [true, false])
    func aQueryReadsWhatItReturns(hasStamps: Bool) async throws {
        let driver = ReadCountingDriver(hasStamps: hasStamps)
        let volumes = try await filled(driver)
        // The second one is as if it were of another process.
        for repository in [volumes, self.repository(driver)] {
            for _ in 0..<2 {
                #expect(try await repository.fetch(lent).count == 10)
                #expect(driver.takeRecords() == 10)
                #expect(
                    try await repository.fetch(longest).map(\.pages) == [999, 998, 997, 996, 995])
                #expect(driver.takeRecords() == 5)
                #expect(try await repository.fetch(.where { $0.token == UUID() }).isEmpty)
                #expect(driver.takeRecords() == 0)
            }
        }
        var changed = try await volumes.read("v500")
        changed.state = .lent
        try await volumes.update(changed)
        _ = driver.takeRecords()
        #expect(try await repository(driver).fetch(lent).count == 11)
        #expect(driver.takeRecords() == 11)
    }

    @Test func aFreshStoreReadsFewPages() async throws {
        let driver = ReadCountingDriver()
        _ = try await filled(driver)
        let fresh = repository(driver)
        driver.content.withLock { $0.pages = 0 }
        #expect(try await fresh.fetch(longest).count == 5)
        // The state, five directories, and the pages in which the five stand.
        #expect(driver.content.withLock { $0.pages } <= 8)
    }

    @Test func aWriteChangesFewDocuments() async throws {
        let driver = ReadCountingDriver()
        let volumes = try await filled(driver)
        let before = driver.content.withLock { $0.documents[Self.own] ?? [:] }
        var volume = try await volumes.read("v500")
        volume.title = "in no index"
        try await volumes.update(volume)
        #expect(driver.content.withLock { $0.documents[Self.own] ?? [:] } == before)
        volume.state = .gone
        try await volumes.update(volume)
        let after = driver.content.withLock { $0.documents[Self.own] ?? [:] }
        #expect(after.filter { before[$0.key] != $0.value }.count <= 3)
    }

    @Test func whatOthersWroteIsFound() async throws {
        let driver = ReadCountingDriver()
        let volumes = try await filled(driver)
        // Somebody who knows nothing of indexes.
        let data = try #require(driver.get("v000", in: "volumes"))
        let text = String(decoding: data, as: UTF8.self).replacing("v000", with: "w000")
        _ = driver.apply(DocumentChange("w000", in: "volumes", data: Data(text.utf8)))
        _ = driver.apply(DocumentChange("v001", in: "volumes", data: nil))
        let expected: [String] = ["v000"] + (2..<10).map { "v00\($0)" } + ["w000"]
        for repository in [volumes, self.repository(driver)] {
            let found: [String] = try await repository.ids(lent).map(\.rawValue)
            #expect(found == expected)
        }
        // Once made anew they are kept.
        _ = driver.takeRecords()
        #expect(try await repository(driver).count(lent) == 10)
        #expect(driver.takeRecords() == 10)
    }

    @Test func whatIsBrokenIsMadeAnew() async throws {
        let driver = ReadCountingDriver()
        let volumes = try await filled(driver, count: 60)
        let names = driver.keys(in: Self.own).sorted()
        // The state, and a directory and a page of each index.
        #expect(names.count == 1 + 2 * Volume.Mapper.table.indexes.count)
        for name in names {
            for isLost in [true, false] {
                driver.content.withLock { content in
                    let data = content.documents[Self.own]?[name] ?? Data()
                    content.documents[Self.own]?[name] =
                        isLost ? nil : Data(data.map { $0 ^ 1 })
                }
                let fresh = repository(driver)
                for index in Volume.Mapper.table.indexes.indices {
                    let found = try await fresh.context.store.plannedFind(index, fresh)
                    #expect(found.count == 60, "\(name) \(isLost)")
                }
                var volume = try await fresh.read("v050")
                volume.pages += 1
                try await fresh.update(volume)
                volume.pages -= 1
                try await fresh.update(volume)
            }
        }
        #expect(try await volumes.fetch(lent).count == 10)
    }

    @Test func whatOldStoresLackIsMadeAtFirstUse() async throws {
        let driver = ReadCountingDriver()
        _ = try await filled(driver)
        driver.content.withLock { $0.documents[Self.own] = nil }
        let volumes = repository(driver)
        #expect(try await volumes.count() == 1000)
        #expect(driver.takeRecords() == 0)
        #expect(try await volumes.fetch(lent).count == 10)
        #expect(driver.takeRecords() == 1010)
        #expect(try await repository(driver).fetch(lent).count == 10)
        #expect(driver.takeRecords() == 10)
    }

    @Test func anotherFormatOrFormIsMadeAnew() async throws {
        let table = Volume.Mapper.table
        #expect(
            table.indexFingerprint(format: "json") != table.indexFingerprint(format: "cbor"))
        var other = table
        other.index("by_title", ["title"])
        #expect(other.indexFingerprint(format: "json") != table.indexFingerprint(format: "json"))
    }

    @Test func filesOfIndexesLieInTheStoresOwnFolder() async throws {
        let folder = TemporaryFolder()
        let store = FileSystemStore(directory: folder.url)
        let volumes = VolumeRepository(over: store)
        try await volumes.createAll((0..<9).map { Volume(code: Volume.ID("v\($0)")) })
        #expect(folder.names() == ["volumes"])
        #expect(folder.names("volumes").count == 9)
        #expect(folder.names(".repository").contains("index_volumes"))
        // A file written by hand is found by the next query.
        let text = try folder.text("volumes/item_v3.json").replacing("v3", with: "x3")
            .replacing("new", with: "on_loan")
        try folder.write(text, to: "volumes/item_x3.json")
        #expect(try await volumes.ids(lent) == ["x3"])
        #expect(
            try await VolumeRepository(over: FileSystemStore(directory: folder.url)).ids(lent)
                == ["x3"])
        try await store.reset(StoreSchema("Volumes", [Volume.self]))
        #expect(!folder.names(".repository").contains("index_volumes"))
    }

    @Test func tablesWithoutIndexesHaveNoFilesForThem() async throws {
        let driver = ReadCountingDriver()
        let store = DocumentStore(driver, transformer: JSONDataTransformer())
        try await store.open(StoreSchema("Spots", [Plain.self]))
        try await store.create(Plain(code: "a"))
        #expect(driver.content.withLock { Array($0.documents.keys) } == ["plains"])
        #expect(driver.content.withLock { $0.pages } == 0)
        var reserved = EntityTable(".index.books", entity: "Book")
        reserved.field("id", .text, key: true)
        let schema = StoreSchema("Bad", [reserved])
        #expect(await errorCode { try await store.open(schema) } == .unsupported)
    }
}

extension EntityStore {
    fileprivate func plannedFind(
        _ index: Int, _ repository: VolumeRepository
    ) async throws -> [Volume] {
        try await repository.context.open()
        return try await find(Volume.self, IndexScan(index), limit: .max)
    }
}

/// A record without indexes.
private struct Plain: Entity {
    typealias ID = EntityID<Plain, String>
    typealias Mapper = PlainMapper
    let code: ID
    var id: ID { code }

    struct Fields: QueryFields {
        typealias QueryRoot = Plain
        init() {}
    }
}

private enum PlainMapper: EntityMapper {
    static let table: EntityTable = {
        var table = EntityTable("plains", entity: "Plain")
        table.field("code", .text, key: true)
        return table
    }()

    static func encode<E: FieldEncoder>(_ plain: Plain, to fields: inout E) throws {
        try fields.encode(plain.code, at: 0)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Plain {
        Plain(code: try fields.decode(Plain.ID.self, at: 0))
    }
}
