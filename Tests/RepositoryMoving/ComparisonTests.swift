import Foundation
import RepositoryMoving
import RepositoryRuntime
import RepositorySQLite
import Testing

/// Comparisons of two stores.
@Suite("A comparison")
struct ComparisonTests {
    @Test("names each difference by table, id and field, and writes nothing")
    func differences() async throws {
        let stores = try OfficeStores()
        let (one, two) = (stores.store(.filesJSON, "a"), stores.store(.sqlite, "b"))
        try await OfficeStores.fill(one, people: 10)
        try await OfficeStores.fill(two, people: 10)
        #expect(try await Office.compare(one, two).isEqual)
        let (left, right) = (Office(one), Office(two))
        try await right.persons.update(.init("p4")) { $0.weight = 99 }
        try await left.bookings.delete(.init(personID: .init("ada"), day: 1))
        try await right.bookings.delete(.init(personID: .init("ada"), day: 2))
        let report = try await Office.compare(one, two, showingValues: true)
        #expect(!report.isEqual)
        let people = try #require(report.tables.first { $0.name == "persons" })
        #expect(people.different == 1 && people.equal == 9)
        #expect(people.sourceDigest != people.targetDigest)
        let difference = try #require(people.differences.first)
        #expect(difference.id == "p4")
        #expect(Set(difference.fields).isSuperset(of: ["weight", "revision"]))
        #expect(difference.values?["weight"]?.count == 2)
        let bookings = try #require(report.tables.first { $0.name == "bookings" })
        #expect(bookings.missing == 1 && bookings.surplus == 1 && bookings.equal == 3)
        let json = try report.json()
        let decoded = try JSONDecoder().decode(MoveReport.self, from: Data(json.utf8))
        #expect(decoded == report)
        #expect("\(report)".contains("different 'p4'"))
    }

    @Test("finds no difference in the sign of zero")
    func negativeZero() async throws {
        let stores = try OfficeStores()
        let (one, two) = (stores.store(.memory, "a"), stores.store(.sqlite, "b"))
        for (store, weight) in [(one, -0.0), (two, 0.0)] {
            let time = Date(timeIntervalSince1970: 5)
            let office = Office(store, now: { time })
            let team = try await office.teams.create(.named("n"))
            try await office.persons.create(
                Person(id: .init("p"), name: "n", teamID: team.id, weight: weight))
        }
        #expect(try await Office.compare(one, two).isEqual)
    }
}
