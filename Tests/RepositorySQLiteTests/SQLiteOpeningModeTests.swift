import Foundation
import RepositorySQLite
import StoredSchema
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// `opening: .resetIfUnreleased`, and tables that the store does not manage.
@Suite("The modes of opening an SQLite database")
struct SQLiteOpeningModeTests {
    private typealias Noted = VersionedRecord<ThingVersions.Noted>
    private typealias Counted = VersionedRecord<ThingVersions.Counted>

    private func repository<S: VersionShape>(
        _ shape: S.Type, _ path: String, _ schema: StoreSchema
    ) -> VersionedRepository<S> {
        VersionedRepository(
            RepositoryContext(store: SQLiteStore(path: path), schema: schema, fullScans: .allow))
    }

    @Test func resetsUnreleasedDataOnly() async throws {
        try await withFolder { folder in
            let path = folder + "/things.sqlite"
            let noted = StoreSchema("Versions", [Noted.self])
            let counted = StoreSchema("Versions", [Counted.self])
            try await repository(ThingVersions.Noted.self, path, noted)
                .create(Noted("a", .text("x")))
            // Off by default.
            _ = try await expectError(.schemaMismatch) {
                _ = try await repository(ThingVersions.Counted.self, path, counted).count()
            }
            #expect(try await repository(ThingVersions.Noted.self, path, noted).count() == 1)
            // What fits keeps its records.
            #expect(
                try await repository(
                    ThingVersions.Noted.self, path, noted.opening(.resetIfUnreleased)
                ).count() == 1)
            let new = repository(
                ThingVersions.Counted.self, path, counted.opening(.resetIfUnreleased))
            #expect(try await new.fetch() == [])
            try await new.create(Counted("b", .integer(1)))
            #expect(try await repository(ThingVersions.Counted.self, path, counted).count() == 1)
        }
    }

    @Test func keepsReleasedData() async throws {
        try await withFolder { folder in
            let path = folder + "/things.sqlite"
            var chain = VersionChain()
            chain.release([Noted.self])
            try await repository(
                ThingVersions.Noted.self, path, try chain.schema([Noted.self])
            ).create(Noted("a", .text("x")))
            // The program has released nothing, or something else.
            let schemas = [
                StoreSchema("Versions", [Counted.self]),
                try chain.schema(
                    [Counted.self],
                    unreleased: [
                        .convert(
                            DataPath("things", ["note"]), .single("int64"), isOptional: false)
                    ]),
            ]
            for schema in schemas {
                _ = try await expectError(.schemaMismatch) {
                    _ = try await repository(
                        ThingVersions.Counted.self, path, schema.opening(.resetIfUnreleased)
                    ).count()
                }
            }
            let old = repository(ThingVersions.Noted.self, path, try chain.schema([Noted.self]))
            #expect(try await old.fetch() == [Noted("a", .text("x"))])
        }
    }

    @Test func isNotAllowedInReleaseBuilds() throws {
        #expect(OpeningMode.isDebugBuild)
        try OpeningMode.resetIfUnreleased.requireAllowed()
        let error = #expect(throws: CRUDRepositoryError.self) {
            try OpeningMode.resetIfUnreleased.requireAllowed(isDebugBuild: false)
        }
        #expect(error?.code == .unsupported)
        try OpeningMode.migrate.requireAllowed(isDebugBuild: false)
        try OpeningMode.refuse.requireAllowed(isDebugBuild: false)
    }

    /// A version changed a table that the store does not manage: the difference is reported, and
    /// nothing is changed.
    @Test func unmanagedTablesAreNotMigrated() async throws {
        typealias Unmanaged = VersionedRecord<UnmanagedShape>
        try await withFolder { folder in
            let path = folder + "/things.sqlite"
            let plain = try PlainDatabase(path)
            try plain.run("CREATE TABLE foreign_things (id TEXT PRIMARY KEY NOT NULL)")
            try plain.run("INSERT INTO foreign_things VALUES ('a')")
            let text = try plain.rows("SELECT sql FROM sqlite_schema")
            var chain = VersionChain()
            chain.release([Unmanaged.self])
            chain.release(
                [Unmanaged.self],
                [
                    .add(
                        DataPath("foreign_things", ["note"]), .single("text"), isOptional: false,
                        value: .text("x"))
                ])
            let schema = try chain.schema([Unmanaged.self])
            let things = repository(UnmanagedShape.self, path, schema)
            let plan = try await things.context.store.migrationPlan(schema)
            #expect(plan.problems.contains { $0.contains("'note'") }, "\(plan)")
            #expect(plan.tables.isEmpty)
            let error = try await expectError(.schemaMismatch) { _ = try await things.count() }
            #expect(error.message.contains("'note'"), "\(error)")
            #expect(try plain.rows("SELECT sql FROM sqlite_schema") == text)
        }
    }
}

/// A table of another program.
private enum UnmanagedShape: VersionShape {
    static let table = {
        var table = EntityTable("foreign_things", entity: "Thing", managed: false)
        table.field("id", .text, key: true)
        table.field("note", .text)
        return table
    }()
}
