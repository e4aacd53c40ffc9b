import Foundation
import StoredSchema
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// Migrations of files that need more space than they have in memory.
@Suite("Migrations of files with many new ids", .timeLimit(.minutes(60)))
struct ScratchMigrationTests {
    private typealias Thing = VersionedRecord<ThingVersions.Noted>
    private typealias Other = VersionedRecord<ThingVersions.Referring>

    private static let count = 300

    /// Programs of two versions. The ids of things change by a function.
    private struct Programs {
        let old: StoreSchema
        let new: StoreSchema

        init(_ id: @escaping @Sendable (String) -> String = { "new \($0)" }) throws {
            var chain = VersionChain()
            chain.release([Thing.self, Other.self])
            old = try chain.schema([Thing.self, Other.self])
            chain.release(
                [Thing.self, Other.self],
                [
                    .convertByCode(
                        DataPath("things", ["id"]), .single("text"), isOptional: false,
                        function: "id"),
                    .followID(
                        DataPath("others", ["thing"]), .single("text"), isOptional: true,
                        of: "things"),
                ])
            new = try chain.schema(
                [Thing.self, Other.self],
                functions: [
                    "id": { old, new in
                        new.set(id(try old.value("id", as: String.self)), "id")
                        return true
                    }
                ])
        }
    }

    private func records<S: VersionShape>(
        _ shape: S.Type, _ folder: URL, _ schema: StoreSchema,
        _ operations: any FileOperations = POSIXFileOperations()
    ) -> VersionedRepository<S> {
        let driver = FileDriver(
            root: folder, formatExtension: "json", providesStamps: true, operations: operations)
        return VersionedRepository(
            RepositoryContext(
                store: DocumentStore(driver, transformer: JSONDataTransformer()), schema: schema,
                fullScans: .allow))
    }

    private func fill(_ folder: URL, _ schema: StoreSchema) async throws {
        let numbers = 0..<Self.count
        try await records(ThingVersions.Noted.self, folder, schema).createAll(
            numbers.map { Thing("thing \($0)", .text("note \($0)")) })
        try await records(ThingVersions.Referring.self, folder, schema).createAll(
            numbers.map { Other("other \($0)", .text("thing \(Self.count - 1 - $0)")) })
    }

    private func checkNew(
        _ folder: URL, _ schema: StoreSchema, _ comment: Comment
    ) async throws {
        let things = try await records(ThingVersions.Noted.self, folder, schema).fetch()
        #expect(
            Set(things.map(\.id.rawValue)) == Set((0..<Self.count).map { "new thing \($0)" }),
            comment)
        let others = try await records(ThingVersions.Referring.self, folder, schema).fetch()
        #expect(others.count == Self.count, comment)
        for other in others {
            let number = Int(other.id.rawValue.dropFirst(6)) ?? -1
            #expect(other.values == [.text("new thing \(Self.count - 1 - number)")], comment)
        }
        let own = folder.appending(path: ".repository")
        for name in try FileManager.default.contentsOfDirectory(atPath: own.path) {
            #expect(name != "beside", comment)
            // A folder is what lay beside, which is removed in the background.
            guard name.hasPrefix("tmp-") else { continue }
            var isFolder: ObjCBool = false
            let isThere = FileManager.default.fileExists(
                atPath: own.appending(path: name).path, isDirectory: &isFolder)
            #expect(!isThere || isFolder.boolValue, "\(comment) \(name)")
        }
    }

    @Test(
        "If the disk is full or broken, the old data stays and nothing is left of the files",
        arguments: [FailingFileOperations.Fault.full, .broken])
    func failing(fault: FailingFileOperations.Fault) async throws {
        let programs = try Programs()
        let full = TemporaryFolder()
        try await fill(full.url, programs.old)
        let counted = FailingFileOperations(onlyScratch: true)
        let whole = TemporaryFolder()
        try FileManager.default.copyItem(at: full.url, to: whole.url)
        try await records(ThingVersions.Noted.self, whole.url, programs.new, counted).context
            .open()
        try await checkNew(whole.url, programs.new, "whole")
        let count = counted.operationCount
        #expect(count > Self.count, "The files are used.")
        // The hashes differ in each run, and the number of operations with them.
        for number in [1, 3, count / 4, count * 3 / 4] {
            let folder = TemporaryFolder()
            try FileManager.default.copyItem(at: full.url, to: folder.url)
            let operations = FailingFileOperations(
                failing: number, fault: fault, forEver: true, onlyScratch: true)
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await records(ThingVersions.Noted.self, folder.url, programs.new, operations)
                    .context.open()
            }
            #expect(
                error?.code == fault.storeCode && operations.hasFailed,
                "operation \(number) of \(count), \(operations.operationCount): \(error as Any)")
            #expect(error?.message.contains("'.repository/tmp-") == true, "\(error as Any)")
            let old = try await records(ThingVersions.Noted.self, folder.url, programs.old).fetch()
            #expect(old.count == Self.count)
            #expect(old.allSatisfy { $0.id.rawValue.hasPrefix("thing") }, "operation \(number)")
            try await checkNew(folder.url, programs.new, "operation \(number)")
        }
    }

    @Test("Two of many records that get one id are both named")
    func sameID() async throws {
        let folder = TemporaryFolder()
        let programs = try Programs { $0 == "thing 298" ? "new thing 17" : "new \($0)" }
        try await fill(folder.url, programs.old)
        let error = await #expect(throws: CRUDRepositoryError.self) {
            try await records(ThingVersions.Noted.self, folder.url, programs.new).context.open()
        }
        #expect(error?.code == .schemaMismatch)
        let message = error?.message ?? ""
        #expect(message.contains("'thing 17'") && message.contains("'thing 298'"), "\(message)")
        #expect(message.contains("1 pair"), "\(message)")
        let old = records(ThingVersions.Noted.self, folder.url, programs.old)
        #expect(try await old.count() == Self.count)
    }
}
