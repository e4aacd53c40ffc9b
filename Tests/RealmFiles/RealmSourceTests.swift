import Foundation
import RepositoryMoving
import RepositoryRuntime
import RepositorySQLite
import Testing

@testable import RepositoryRealm

/// Realm files that are read with the schemas of their import, and copied.
@Suite("Realm files as sources")
struct RealmSourceTests {
    private static func url(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "RealmFormat/Files/\(name).realm")
    }

    private static func records<E: Entity>(
        _ type: E.Type, of file: RealmFile
    ) async throws -> (records: [E], failures: [RecordFailure]) {
        var found: (records: [E], failures: [RecordFailure]) = ([], [])
        var last: E.ID?
        while true {
            let page = try await file.page(type, after: last, limit: 7)
            found.records += page.records
            found.failures += page.failures
            guard let next = page.last else { return found }
            last = next
        }
    }

    @Test("A file is copied into a store, with links, lists and embedded objects")
    func copied() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "realm-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = SQLiteStore(path: folder.appending(path: "owners.sqlite").path)
        let file = RealmFile(Self.url("20-migration-v5"))
        #expect(try await file.mappingProblems(Owners.schema) == [])
        let report = try await Owners.copy(from: file, to: store)
        #expect(!report.tables.map(\.isEqual).contains(false))
        #expect(report.tables.map(\.sourceCount).reduce(0, +) == 10)

        let library = Owners(store)
        let persons = try await library.persons.fetch().sorted { $0.age < $1.age }
        #expect(persons.map(\.fullName) == ["John Doe", "Jane Doe", "John Smith"])
        #expect(persons.map(\.address?.street) == ["Broadway", nil, nil])
        let first = try #require(persons.first)
        let pets = try await library.personPets.fetch()
            .filter { $0.personID == first.id }.sorted { $0.position < $1.position }
        var names: [String] = []
        for pet in pets { names.append(try await library.pets.read(pet.petID).name) }
        #expect(names == ["Marley", "Lassie"])

        // The same objects have the same ids the next time.
        let again = RealmFile(Self.url("20-migration-v5"))
        let comparison = try await Owners.compare(again, store)
        #expect(!comparison.tables.map(\.isEqual).contains(false))
    }

    @Test("Every type is read; what does not fit is named by its object and field")
    func allTypes() async throws {
        let file = RealmFile(Self.url("24-all-types"))
        let problems = try await file.mappingProblems(AllTypes.schema)
        #expect(!problems.isEmpty)
        #expect(problems.allSatisfy { $0.kind == .convertedField && !$0.isFatal })
        let all = try await Self.records(All.self, of: file)
        #expect(all.records.count + all.failures.count == 84)
        #expect(try await file.count(All.self) == 84)
        #expect(all.records.count == 35)
        #expect(
            Set(all.failures.map(\.reason)) == [
                "is a date that no store can hold", "is not a finite number",
            ])
        #expect(all.failures.contains { $0.field == "dateList" })
        #expect(all.failures.allSatisfy { $0.id.hasPrefix("All/") })
        #expect(all.records.map(\.id) == all.records.map(\.id).sorted())
        let others = try await Self.records(Other.self, of: file).records.map(\.id.rawValue)
        #expect(others == ["one", "three", "two"])

        #expect(try await Self.records(AllLink.self, of: file).records.count == 3)
        #expect(try await file.count(AllLink.self) == 3)
        #expect(try await Self.records(AllLinkSet.self, of: file).records.count == 2)
        let entries = try await Self.records(AllLinkDict.self, of: file).records
        #expect(entries.count == 1)
        let found = try await file.record(AllLinkDict.self, id: try #require(entries.first?.id))
        #expect(found == entries.first)
        // A value of any type that is a link, and one that is a number.
        let values = all.records.compactMap(\.any)
        #expect(values.contains { if case .linkOther = $0 { true } else { false } })
        #expect(values.contains { if case .int = $0 { true } else { false } })
    }

    @Test("What the mapping and the file do not have in common is reported")
    func otherFile() async throws {
        let file = RealmFile(Self.url("10-ios-alltypes"))
        let problems = try await file.mappingProblems(Owners.schema)
        #expect(
            Set(problems.map(\.kind)) == [.missingTable, .unusedTable])
        #expect(
            problems.filter { $0.kind == .unusedTable }.map(\.table) == ["IOSAllTypes", "IOSChild"])
        #expect(try await Self.records(Person.self, of: file).records == [])
    }

    @Test("A file that cannot be read is an error with a code, never an empty source")
    func errors() async throws {
        for (name, key, code) in [
            ("no-such-file", nil, RealmError.Code.unreadable),
            ("hostile-text", nil, .notRealm), ("10-ios-alltypes-encrypted", nil, .notRealm),
            ("10-ios-alltypes-encrypted", Data(repeating: 2, count: 64), .wrongKey),
            ("20-core", Data(repeating: 2, count: 64), .notEncrypted),
            ("hostile-format-25", nil, .unknownFormat), ("hostile-cut-in-half", nil, .damaged),
        ] {
            let file = RealmFile(Self.url(name), key: key)
            for attempt in [
                { _ = try await file.state() }, { _ = try await file.count(Person.self) },
                { _ = try await file.page(Person.self, after: nil, limit: 1) },
                { _ = try await file.mappingProblems(Owners.schema) },
            ] as [() async throws -> Void] {
                let error = await #expect(throws: RealmError.self) { try await attempt() }
                #expect(error?.code == code)
            }
        }
        let encrypted = RealmFile(
            Self.url("10-ios-alltypes-encrypted"), key: Data(repeating: 1, count: 64))
        #expect(try await encrypted.state() != nil)
    }

    @Test("The state is another one when the file was written")
    func state() async throws {
        let copy = FileManager.default.temporaryDirectory
            .appending(path: "realm-\(UUID().uuidString).realm")
        try FileManager.default.copyItem(at: Self.url("20-migration-v5"), to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        let file = RealmFile(copy)
        let before = try await file.state()
        #expect(try await file.state() == before)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: copy.path)
        #expect(try await file.state() != before)
    }

    @Test("Ids of objects without a primary key are UUIDs of version 5")
    func namespaces() throws {
        // Appendix A.4 of RFC 9562.
        let dns = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
        #expect(
            UUID(namespace: dns, name: "www.example.com").uuidString
                == "2ED6657D-E927-568B-95E1-2665A8AEA6A2")
    }
}
