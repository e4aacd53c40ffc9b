import Foundation
import RepositoryGeneratorCore
import RepositoryRuntime
import StoredSchema
import Synchronization
import Testing

@testable import RepositoryTesting

/// Stores and functions that migrate wrongly.
@Suite("checkMigrations catches", .timeLimit(.minutes(60)))
struct WrongMigrationTests {
    /// The failure of a check of the books over a wrong store.
    private static func failure(
        of migrations: VersionedBooks.Functions = .init(), findsNothing: Bool = false,
        _ change: @escaping WrongMigrationStore.Change = { _, _ in }
    ) async throws -> MigrationCheckFailure {
        let harness = StoreHarness { place in
            WrongMigrationStore(HouseSQL.store(place), findsNothing: findsNothing, change)
        }
        let error = await #expect(throws: MigrationCheckFailure.self) {
            try await checkMigrations(
                VersionedBooks.self, migrations: migrations, stores: [harness], records: 20,
                seed: 11)
        }
        let failure = try #require(error)
        #expect(failure.seed == 11)
        #expect(failure.description.contains("seed: 11"))
        return failure
    }

    @Test("a lost record")
    func lostRecord() async throws {
        let failure = try await Self.failure { _, functions in
            let price = functions["price"]
            let count = CallCount()
            functions["price"] = { old, new in
                let isKept = try price?(old, &new) ?? true
                return isKept && count.next() != 5
            }
        }
        #expect(failure.message == "The record is lost.")
        #expect(failure.version == 1)
        #expect(failure.store == "SQLite")
        #expect(failure.table == "volumes")
        #expect(failure.record != nil)
        #expect(failure.actual == "no record")
    }

    @Test("a fill in the wrong field")
    func wrongField() async throws {
        let failure = try await Self.failure { history, functions in
            let path = DataPath("books", ["language"])
            history.versions[1].changes = history.versions[1].changes.map { change in
                guard change.path == path else { return change }
                return .addByCode(path, .single("text"), isOptional: false, function: "fill")
            }
            functions["fill"] = { _, new in
                new.set("en", "language")
                new.set("en", "title")
                return true
            }
        }
        #expect(failure.message == "The field 'headline' differs.")
        #expect(failure.version == 1)
        #expect(failure.record != nil)
        #expect(failure.actual == "text(\"en\")")
        #expect(failure.expected != failure.actual)
    }

    @Test("a table of which half is migrated")
    func halfATable() async throws {
        let failure = try await Self.failure { _, functions in
            let price = functions["price"]
            let count = CallCount()
            functions["price"] = { old, new in
                let isKept = try price?(old, &new) ?? true
                if count.next() > 10 {
                    let cents: Int64 = try old.value("price")
                    new.set(Decimal(abs(cents % 1_000_000)), "price")
                }
                return isKept
            }
        }
        #expect(failure.message == "The field 'price' differs.")
        #expect(failure.version == 1)
        #expect(failure.expected?.hasPrefix("decimal(") == true)
        #expect(failure.actual?.hasPrefix("decimal(") == true)
    }

    @Test("a function that is called twice")
    func calledTwice() async throws {
        let failure = try await Self.failure { _, functions in
            let price = functions["price"]
            functions["price"] = { old, new in
                var copy = new
                _ = try price?(old, &copy)
                return try price?(old, &new) ?? true
            }
        }
        #expect(failure.message.hasPrefix("The function 'price' is not called once"))
        #expect(failure.expected == "1")
        #expect(failure.actual == "2")
    }

    @Test("a function that is not called")
    func notCalled() async throws {
        let failure = try await Self.failure { _, functions in
            functions["price"] = { old, new in
                let cents: Int64 = try old.value("price")
                new.set(
                    StoredDecimal.decimal(scaledInteger: abs(cents % 1_000_000), scale: 2), "price")
                return true
            }
        }
        #expect(failure.message.hasPrefix("The function 'price' is not called once"))
        #expect(failure.actual == "0")
    }

    @Test("a function that is not pure")
    func impure() async throws {
        let count = CallCount()
        let failure = try await Self.failure(of: .init(price: { _ in Decimal(count.next()) }))
        #expect(failure.message.hasPrefix("The function 'price' is not pure."))
        #expect(failure.version == 1)
        #expect(failure.expected != failure.actual)
    }

    @Test("a function that throws")
    func throwing() async throws {
        struct Refusal: Error {}
        let failure = try await Self.failure(
            of: .init(price: { cents in
                if cents.isMultiple(of: 2) { throw Refusal() }
                return Decimal(cents)
            }))
        #expect(failure.message.hasPrefix("The function 'price' throws for ["))
        #expect(failure.message.contains("Refusal"))
    }

    @Test("a function whose result breaks a rule")
    func brokenRule() async throws {
        let failure = try await Self.failure(of: .init(price: { _ in -1 }))
        #expect(failure.message.hasPrefix("The data cannot be opened: "))
        #expect(failure.message.contains("'price'"))
    }

    @Test("a table and a function that no record tests, unless they are named")
    func untested() async throws {
        let note = """
            entity: Book
            fields: { pages: Int }
            ---
            entity: Note
            fields: { rank: Int, size: # }
            checks:
              never: { where: "rank > 3 && rank < 3", message: No number is both. }
            """
        let schemas = try ReleasedSchemas(
            ["Int", "{ type: String, convert: code }"].map { note.replacing("#", with: $0) })
        #expect(schemas.functions == ["noteSizeTo2"])
        let schema = schemas.schema(["noteSizeTo2": { _, _ in true }])
        func check(_ names: Set<String>) async throws -> MigrationCheckReport {
            try await MigrationCheck(
                schema, stores: [CheckMigrationTests.files], records: 5, seed: 1, untested: names
            ).run()
        }
        let table = await #expect(throws: MigrationCheckFailure.self) { try await check([]) }
        #expect(
            table?.message
                == "No record of the table 'notes' was tested: the check 'never' does not hold. Pass 'untested: [\"notes\"]' if that is right."
        )
        let function = await #expect(throws: MigrationCheckFailure.self) {
            try await check(["notes"])
        }
        #expect(function?.message.hasPrefix("The function 'noteSizeTo2' was not tested") == true)
        let report = try await check(["notes", "noteSizeTo2"])
        #expect(report.records == 10)
        #expect(report.leftOut.count == 2)
    }

    @Test("the first error, not what its own clean-up meets")
    func cleanUp() async throws {
        struct First: Error {}
        struct Second: Error {}
        await #expect(throws: First.self) {
            try await StoreLocation.withNew(cleanUp: { _ in throw Second() }) { _ in
                throw First()
            }
        }
        await #expect(throws: Second.self) {
            try await StoreLocation.withNew(cleanUp: { _ in throw Second() }) { _ in }
        }
    }

    @Test("an index that does not find the records")
    func emptyIndex() async throws {
        let failure = try await Self.failure(findsNothing: true)
        #expect(failure.message == "The index 'books_title' does not find the record.")
        #expect(failure.record != nil)
    }

    @Test("a record that should be dropped")
    func keptRecord() async throws {
        let schema = try ReleasedSchemas.library().schema(ReleasedSchemas.functions)
        let harness = StoreHarness { place in
            WrongMigrationStore(HouseSQL.store(place)) { _, functions in
                let loan = functions["loanTo3"]
                functions["loanTo3"] = { old, new in
                    let isKept = try loan?(old, &new) ?? true
                    if !isKept { new.set("kept", "remark") }
                    return true
                }
            }
        }
        let error = await #expect(throws: MigrationCheckFailure.self) {
            try await MigrationCheck(schema, stores: [harness], records: 40, seed: 3).run()
        }
        #expect(error?.message == "The record should not exist.")
        #expect(error?.table == "loans")
    }

    /// The failure of a check of the museum over a wrong store.
    private static func museumFailure(
        _ change: @escaping WrongMigrationStore.Change
    ) async throws -> MigrationCheckFailure {
        let schema = try ReleasedSchemas.museum().schema(ReleasedSchemas.museumFunctions)
        let harness = StoreHarness { place in
            WrongMigrationStore(HouseSQL.store(place), change)
        }
        let error = await #expect(throws: MigrationCheckFailure.self) {
            try await MigrationCheck(schema, stores: [harness], records: 30, seed: 4).run()
        }
        return try #require(error)
    }

    @Test("an id whose references do not follow")
    func unfollowedID() async throws {
        let failure = try await Self.museumFailure { history, _ in
            history.versions[1].changes = history.versions[1].changes.map { change in
                guard case .followID(let path, let shape, let isOptional, _) = change,
                    path == DataPath("artists", ["teacherID"])
                else { return change }
                return .followID(path, shape, isOptional: isOptional, of: "nothing")
            }
        }
        #expect(failure.message == "The field 'teacherID' differs.")
        #expect(failure.version == 1)
        #expect(failure.expected?.isEmpty == false && failure.expected != "null")
        #expect(failure.actual == "null")
    }

    @Test("a function of an id that is called twice")
    func idCalledTwice() async throws {
        let failure = try await Self.museumFailure { _, functions in
            let artist = functions["artistIdTo2"]
            functions["artistIdTo2"] = { old, new in
                _ = try artist?(old, &new)
                return try artist?(old, &new) ?? true
            }
        }
        #expect(failure.message.hasPrefix("The function 'artistIdTo2' is not called once"))
        #expect(failure.actual == "2")
    }

    @Test("a set without versions, and a history without tables")
    func withoutHistory() async throws {
        let bare = await #expect(throws: MigrationCheckFailure.self) {
            try await checkMigrations(Conformance.self, stores: [])
        }
        #expect(bare?.message.contains("has no released version") == true)
        var history = try ReleasedSchemas.library().history
        for index in history.versions.indices { history.versions[index].tables = nil }
        let schema = StoreSchema("Library", [], history: history.textParts)
        let old = await #expect(throws: MigrationCheckFailure.self) {
            try await MigrationCheck(schema, stores: [], records: 1, seed: 1).run()
        }
        #expect(old?.message.contains("generate it again") == true)
    }
}

/// Counts calls.
private final class CallCount: Sendable {
    private let count = Atomic(0)

    /// The number of calls so far, including this one.
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
