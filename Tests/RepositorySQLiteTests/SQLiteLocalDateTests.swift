import Foundation
import RepositoryRuntime
import RepositorySQLite
import Testing

@testable import RepositoryTesting

/// Days in columns, as other programs see them.
@Suite struct SQLiteLocalDateTests {
    /// The columns hold ISO text, which SQLite's date functions read.
    @Test func daysAreTextThatSQLReads() async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let set = Conformance(SQLiteStore(path: path))
            let day = try #require(LocalDate("2024-02-29"))
            try await set.holidays.create(
                Holiday(day: .init(day), name: "leap day", observedOn: day.adding(days: 1)))
            let database = try PlainDatabase(path)
            #expect(
                try database.rows(
                    """
                    SELECT day, typeof(day), date(observed_on, '+1 month'),
                        strftime('%w', observed_on) FROM holidays
                    """) == [["2024-02-29", "text", "2024-04-01", "5"]])
            // The bound of the field applies to other programs as well.
            #expect(throws: PlainDatabase.Failure.self) {
                try database.run("UPDATE holidays SET observed_on = '1899-12-31'")
            }
            try database.run("UPDATE holidays SET observed_on = '2024-12-24'")
            let found = try await set.holidays.read(.init(day))
            #expect(found.observedOn == LocalDate("2024-12-24"))
        }
    }

    /// A text that another program wrote and that is no day is reported with the record.
    @Test(arguments: ["2024-02-30", "2024-12-24 00:00:00", "tomorrow"])
    func anotherTextIsNoDay(text: String) async throws {
        try await withFolder { folder in
            let path = folder + "/data.sqlite"
            let set = Conformance(SQLiteStore(path: path))
            let day = try #require(LocalDate("2024-02-29"))
            try await set.holidays.create(Holiday(day: .init(day), name: "x"))
            try PlainDatabase(path).run("UPDATE holidays SET observed_on = '\(text)'")
            let error = await #expect(throws: CRUDRepositoryError.self) {
                _ = try await set.holidays.read(.init(day))
            }
            #expect(error?.code == .invalidRecord)
            let message = error?.description ?? ""
            #expect(message.contains("2024-02-29") && message.contains("LocalDate"), "\(message)")
        }
    }
}
