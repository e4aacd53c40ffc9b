import Foundation
import RepositoryRuntime
import RepositorySQLCore
import Testing

@testable import RepositorySQLite
@testable import RepositoryTesting

/// Columns of folded text in a database that other programs write to, without any function of the
/// store's.
@Suite struct SQLiteFoldedColumnTests {
    private func withMembers(
        _ body: (Conformance, SQLiteStore, PlainDatabase, String) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let store = SQLiteStore(path: path)
            let set = Conformance(store)
            try await set.members.create(Member(id: "a", email: "a", handle: "Änne"))
            try await set.members.create(Member(id: "n", email: "n"))
            try await body(set, store, try PlainDatabase(path), path)
        }
    }

    private func ids(_ set: Conformance, _ handle: String) async throws -> [String] {
        try await set.members.fetch(.where { $0.handle == handle }).map(\.id.rawValue).sorted()
    }

    @Test func noFunctionOfTheStoreIsInTheDatabase() async throws {
        try await withMembers { set, _, other, _ in
            try await set.open()
            #expect(
                try other.value(
                    "SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%repository_casefold%'")
                    == "0")
            try other.run("VACUUM")
            #expect(try other.rows("PRAGMA integrity_check") == [["ok"]])
            try other.run("REINDEX")
        }
    }

    @Test func rowsOfAnotherProgramAreFound() async throws {
        try await withMembers { set, store, other, _ in
            try other.run("INSERT INTO members (id, email, handle) VALUES ('b', 'b', 'ÖZ')")
            try other.run("INSERT INTO members (id, email, handle) VALUES ('c', 'c', 'anton')")
            #expect(try await ids(set, "öz") == ["b"])
            #expect(try await ids(set, "ÄNNE") == ["a"])
            #expect(
                try await set.members.fetch(.where { $0.handle.hasPrefix("AN") }).map(\.id) == ["c"]
            )
            let sorted = Query<Member>.where { $0.handle != nil }.sorted(by: \.handle)
            #expect(try await set.members.fetch(sorted).map(\.id) == ["c", "a", "b"])
            #expect(try await set.members.fetch(.where { $0.handle == nil }).map(\.id) == ["n"])
            #expect(try await set.members.find(handle: "öZ")?.id == "b")
            let snapshot = Conformance(try await store.snapshot())
            #expect(try await ids(snapshot, "öz") == ["b"])
            let inside = try await set.transaction { set in try await ids(set, "öz") }
            #expect(inside == ["b"])
            #expect(
                try other.value("SELECT repository_folded_handle FROM members WHERE id = 'b'")
                    == "NULL")
            try await store.rebuildIndexes()
            #expect(
                try other.value("SELECT repository_folded_handle FROM members WHERE id = 'b'")
                    == "öz")
            #expect(try await ids(set, "öz") == ["b"])
        }
    }

    @Test func whatAnotherProgramChangesIsFound() async throws {
        try await withMembers { set, _, other, _ in
            try other.run("UPDATE members SET handle = 'Berta', email = 'x' WHERE id = 'a'")
            #expect(try await ids(set, "änne") == [])
            #expect(try await ids(set, "BERTA") == ["a"])
            try other.run("UPDATE members SET handle = NULL")
            #expect(try await ids(set, "BERTA") == [])
            #expect(try await set.members.fetch(.where { $0.handle == nil }).count == 2)
        }
    }

    @Test func aWriteRefusesWhatAnotherProgramHasTaken() async throws {
        try await withMembers { set, store, other, _ in
            try other.run("INSERT INTO members (id, email, handle) VALUES ('b', 'b', 'ÖZ')")
            try await expectError(.constraintViolated, id: "c") {
                try await set.members.create(Member(id: "c", email: "c", handle: "öz"))
            }
            try await set.transaction { set in
                try await expectError(.constraintViolated, id: "c") {
                    try await set.members.create(Member(id: "c", email: "c", handle: "öZ"))
                }
                try await set.members.create(Member(id: "d", email: "d", handle: "D"))
            }
            let error = try await expectError(.constraintViolated, id: "c") {
                _ = try await set.members.saveAll([Member(id: "c", email: "c", handle: "Öz")])
            }
            #expect(error.field == "handle")
            #expect(error.constraint == "members_handle")
            #expect(try await set.members.count() == 4)
            // A spelling changes, and the row stays one that indexes find.
            var member = try await set.members.read("b")
            member.handle = "öz"
            try await set.members.update(member)
            member.handle = "ÖZ"
            _ = try await set.members.save(member)
            #expect(
                try other.value(
                    "SELECT count(*) FROM members WHERE repository_folded_handle = 'öz'")
                    == "1")
            _ = store
        }
    }

    @Test func whatAnotherProgramHasDoubledIsReportedAndReadRight() async throws {
        try await withMembers { set, store, other, _ in
            try other.run("INSERT INTO members (id, email, handle) VALUES ('b', 'b', 'ÄNNE')")
            #expect(try await ids(set, "änne") == ["a", "b"])
            let error = try await expectError(.constraintViolated) {
                try await store.rebuildIndexes()
            }
            #expect(error.constraint == "members_handle")
            try await set.members.create(Member(id: "c", email: "c", handle: "c"))
            #expect(try await ids(set, "änne") == ["a", "b"])
            try await set.members.delete("a")
            try await store.rebuildIndexes()
            #expect(try await ids(set, "änne") == ["b"])
        }
    }

    @Test func renamesAndNewIndexesKeepTheColumnsRight() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            func store(_ column: String, unique: Bool, indexed: Bool = true) async throws
                -> [String]
            {
                let earlier = ["nick", "handle", "alias"].filter { $0 != column }
                var table = EntityTable("people", entity: "Person")
                table.field("id", .text, key: true)
                table.field(
                    column, .text, optional: true, ignoringCase: true,
                    renamedFrom: earlier, columnsRenamedFrom: earlier)
                if indexed { table.index("people_nick", [column], unique: unique) }
                let store = SQLiteStore(path: path)
                try await store.open(StoreSchema("People", [table]))
                let other = try PlainDatabase(path)
                #expect(try other.rows("PRAGMA integrity_check") == [["ok"]])
                try other.run(
                    "INSERT INTO people (id, \(column)) VALUES (hex(randomblob(8)), hex(randomblob(8)))"
                )
                try await store.rebuildIndexes()
                return try other.rows("SELECT name FROM pragma_table_info('people') ORDER BY name")
                    .map { $0[0] }
            }
            var columns = try await store("nick", unique: false, indexed: false)
            #expect(columns == ["id", "nick"])
            columns = try await store("nick", unique: false)
            #expect(columns == ["id", "nick", "repository_folded_nick"])
            columns = try await store("handle", unique: true)
            #expect(columns == ["handle", "id", "repository_folded_handle"])
            columns = try await store("alias", unique: true, indexed: false)
            #expect(columns == ["alias", "id"])
            columns = try await store("alias", unique: true)
            #expect(columns == ["alias", "id", "repository_folded_alias"])
        }
    }

    @Test func namesOfTheStoresOwnAreRefused() async throws {
        var table = EntityTable("people", entity: "Person")
        table.field("id", .text, key: true)
        table.field("Repository_Folded_id", .text)
        let error = try await expectError(.unsupported) {
            try await SQLiteStore.inMemory().open(StoreSchema("People", [table]))
        }
        #expect(error.table == "people")
    }
}
