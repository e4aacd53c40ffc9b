import Foundation
import StoredSchema
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// A required field that a version adds with a fill other than its default.
private enum FilledShapes {
    enum Bare: VersionShape {
        static let table = make("things") { _ in }
    }

    enum Filled: VersionShape {
        static let table = make("things") { table in
            table.field("note", .text, default: .text("default"))
            table.field("kind", .text)
            table.index("things_kind", ["kind"])
        }
    }

    /// The default of a field with a fill is another one.
    enum Changed: VersionShape {
        static let table = make("things") { table in
            table.field("note", .text, default: .text("other"))
            table.field("kind", .text)
            table.index("things_kind", ["kind"])
        }
    }

    /// A field with a fill has another name.
    enum Renamed: VersionShape {
        static let table = make("things") { table in
            table.field("note", .text, default: .text("default"))
            table.field("sort", .text, renamedFrom: ["kind"])
            table.index("things_kind", ["sort"])
        }
    }

    /// The fill breaks a rule of the field.
    enum Strict: VersionShape {
        static let table = make("things") { table in
            table.field("note", .text, default: .text("default"), rules: FieldRules(maxLength: 3))
            table.field("kind", .text)
        }
    }
}

@Suite("Fills of fields that documents lack")
struct FillReadingTests {
    private typealias Bare = VersionedRecord<FilledShapes.Bare>
    private typealias Filled = VersionedRecord<FilledShapes.Filled>
    private typealias Changed = VersionedRecord<FilledShapes.Changed>
    private typealias Renamed = VersionedRecord<FilledShapes.Renamed>
    private typealias Strict = VersionedRecord<FilledShapes.Strict>

    private static let note = DataPath("things", ["note"])
    private static let kind = DataPath("things", ["kind"])
    private static let adding: [DataChange] = [
        .add(note, .single("text"), isOptional: false, value: .text("fill")),
        .add(kind, .single("text"), isOptional: false, value: .text("plain")),
    ]

    /// Formats with and without a mapper of their own.
    private static let formats: [any DataTransformer] = [
        JSONDataTransformer(),
        CoderDataTransformer(JSONEncoder(), JSONDecoder(), formatExtension: "json"),
    ]

    private func records<S: VersionShape>(
        _ shape: S.Type, _ folder: TemporaryFolder, _ schema: StoreSchema,
        _ format: any DataTransformer = JSONDataTransformer(),
        _ operations: any FileOperations = POSIXFileOperations()
    ) -> VersionedRepository<S> {
        let driver = FileDriver(
            root: folder.url, formatExtension: "json", providesStamps: true, operations: operations)
        return VersionedRepository(
            RepositoryContext(
                store: DocumentStore(driver, transformer: format), schema: schema,
                fullScans: .allow))
    }

    private func bytes(_ folder: TemporaryFolder) throws -> Data {
        try Data(contentsOf: folder.url.appending(path: "things/item_a.json"))
    }

    /// A folder with one record of version 1, and the versions.
    private func filled() async throws -> (folder: TemporaryFolder, chain: VersionChain) {
        let folder = TemporaryFolder()
        var chain = VersionChain()
        chain.release([Bare.self])
        let old = try chain.schema([Bare.self])
        try await records(FilledShapes.Bare.self, folder, old).create(Bare("a"))
        chain.release([Filled.self], Self.adding)
        return (folder, chain)
    }

    @Test("are read from the description, and no document is rewritten", arguments: [0, 1])
    func reads(format number: Int) async throws {
        let format = Self.formats[number]
        let (folder, chain) = try await filled()
        let before = try bytes(folder)
        let schema = try chain.schema([Filled.self])
        let new = records(FilledShapes.Filled.self, folder, schema, format)
        let record = Filled("a", .text("fill"), .text("plain"))
        #expect(try await new.fetch() == [record])
        #expect(try await new.read("a") == record)
        #expect(try await new.find(index: 0, [.text("plain")]) == [record])
        #expect(try bytes(folder) == before)
        // A later program knows it from the description alone.
        let later = records(FilledShapes.Filled.self, folder, schema, format)
        #expect(try await later.read("a") == record)
        // What is written has the field.
        let changed = Filled("a", .text("fill"), .text("special"))
        _ = try await later.update(changed)
        #expect(String(decoding: try bytes(folder), as: UTF8.self).contains("\"fill\""))
        #expect(try await later.find(index: 0, [.text("special")]) == [changed])
        #expect(try await later.find(index: 0, [.text("plain")]).isEmpty)
    }

    @Test("stay when the field is renamed, and are written when its default changes")
    func later() async throws {
        let (folder, chain) = try await filled()
        let before = try bytes(folder)
        let second = try chain.schema([Filled.self])
        try await records(FilledShapes.Filled.self, folder, second).context.open()
        var renaming = chain
        renaming.release([Renamed.self], [.rename(Self.kind, to: "sort")])
        let third = try renaming.schema([Renamed.self])
        let renamed = records(FilledShapes.Renamed.self, folder, third)
        #expect(try await renamed.fetch() == [Renamed("a", .text("fill"), .text("plain"))])
        #expect(try bytes(folder) == before)

        let (other, otherChain) = try await filled()
        try await records(FilledShapes.Filled.self, other, second).context.open()
        var changing = otherChain
        changing.release([Changed.self])
        let changed = records(
            FilledShapes.Changed.self, other, try changing.schema([Changed.self]))
        #expect(try await changed.fetch() == [Changed("a", .text("fill"), .text("plain"))])
        #expect(try bytes(other) != before)
    }

    @Test("that break a rule of the field are refused when the records are rewritten")
    func rules() async throws {
        let (folder, chain) = try await filled()
        var strict = VersionChain()
        strict.release([Bare.self])
        strict.release([Strict.self], Self.adding)
        let schema = try strict.schema([Strict.self])
        let before = try bytes(folder)
        do {
            try await records(FilledShapes.Strict.self, folder, schema).context.open()
            Issue.record("The fill has four characters.")
        } catch let error as CRUDRepositoryError {
            #expect(error.code == .schemaMismatch)
            #expect(error.message.contains("is longer than 3"))
        }
        #expect(try bytes(folder) == before)
        _ = chain
    }

    @Test("and renames and removals are opened without listing or reading documents")
    func constantTime() async throws {
        let (folder, chain) = try await filled()
        var counts: [Int] = []
        for count in [1, 50] {
            let copy = TemporaryFolder()
            try FileManager.default.copyItem(at: folder.url, to: copy.url)
            let old = try VersionChain.first([Bare.self]).schema([Bare.self])
            let records = self.records(FilledShapes.Bare.self, copy, old)
            _ = try await records.createAll((0..<count).map { Bare("more \($0)") })
            let operations = FailingFileOperations()
            try await self.records(
                FilledShapes.Filled.self, copy, try chain.schema([Filled.self]),
                JSONDataTransformer(), operations
            ).context.open()
            counts.append(operations.operationCount)
        }
        #expect(counts[0] == counts[1])
        print("Opening needs \(counts[0]) operations of the file system")
    }
}

extension VersionChain {
    /// A chain with one version.
    fileprivate static func first(_ entities: [any Entity.Type]) -> VersionChain {
        var chain = VersionChain()
        chain.release(entities)
        return chain
    }
}
