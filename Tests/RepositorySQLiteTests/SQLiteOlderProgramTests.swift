import Foundation
import RepositorySQLite
import StoredSchema
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// Programs that are opened on data of a version that they do not know.
@Suite("Older programs on newer data")
struct SQLiteOlderProgramTests {
    private typealias Old = VersionedRecord<ThingVersions.Bare>
    private typealias New = VersionedRecord<ThingVersions.Reused>

    private func repository<S: VersionShape>(
        _ shape: S.Type, _ path: String, _ schema: StoreSchema
    ) -> VersionedRepository<S> {
        VersionedRepository(
            RepositoryContext(
                store: SQLiteStore(path: path), schema: schema, fullScans: .allow))
    }

    /// Version 1, and version 2 with a further field or another change.
    private func schemas(
        _ new: any Entity.Type, _ changes: [DataChange] = []
    ) throws -> (old: StoreSchema, new: StoreSchema) {
        var chain = VersionChain()
        chain.release([Old.self])
        let old = try chain.schema([Old.self])
        chain.release([new], changes)
        return (old, try chain.schema([new]))
    }

    @Test func goOnBesideANewOptionalField() async throws {
        try await withFolder { folder in
            let path = folder + "/things.sqlite"
            let schemas = try schemas(New.self)
            try await repository(ThingVersions.Bare.self, path, schemas.old).create(Old("a"))
            let new = repository(ThingVersions.Reused.self, path, schemas.new)
            try await new.update(New("a", .text("kept")))
            let plain = try PlainDatabase(path)
            let before = try plain.rows("SELECT description FROM repository_schema")
            // The old program is started again, as after a rollback.
            for _ in 0..<2 {
                let old = repository(ThingVersions.Bare.self, path, schemas.old)
                #expect(try await old.fetch().contains(Old("a")))
                try await old.save(Old("a"))
                try await old.save(Old("b"))
            }
            #expect(try plain.rows("SELECT description FROM repository_schema") == before)
            let again = repository(ThingVersions.Reused.self, path, schemas.new)
            let records = try await again.fetch()
            #expect(Set(records.map(\.id)) == ["a", "b"])
            #expect(records.first { $0.id == "a" }?.values == [.text("kept")])
            #expect(records.first { $0.id == "b" }?.values == [.null])
        }
    }

    @Test func areRefusedWhereTheyWouldBreakData() async throws {
        typealias Required = VersionedRecord<ThingVersions.Noted>
        try await withFolder { folder in
            let path = folder + "/things.sqlite"
            let note = DataPath("things", ["note"])
            let schemas = try schemas(
                Required.self,
                [.add(note, .single("text"), isOptional: false, value: .text("filled"))])
            try await repository(ThingVersions.Bare.self, path, schemas.old).create(Old("a"))
            let new = repository(ThingVersions.Noted.self, path, schemas.new)
            #expect(try await new.fetch() == [Required("a", .text("filled"))])
            let old = repository(ThingVersions.Bare.self, path, schemas.old)
            let error = await #expect(throws: CRUDRepositoryError.self) { try await old.fetch() }
            #expect(error?.code == .schemaMismatch)
            #expect(error?.message.contains("newer program") == true)
        }
    }
}
