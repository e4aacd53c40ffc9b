import Foundation
import RepositoryRuntime
import RepositorySQLCore
import Testing

@testable import RepositorySQLite
@testable import RepositoryTesting

/// Moments as text: written, read, and compared by SQLite as they are read.
@Suite struct SQLiteDateTextTests {
    private func read(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { SQLiteDateText.microseconds($0) }
    }

    @Test func writesTheDocumentedForm() {
        #expect(SQLiteDateText.text(microseconds: 0) == "1970-01-01 00:00:00.000")
        #expect(SQLiteDateText.text(microseconds: -1) == "1969-12-31 23:59:59.999999")
        #expect(
            SQLiteDateText.text(microseconds: 951_782_400_123_000) == "2000-02-29 00:00:00.123")
        #expect(SQLiteDateText.text(microseconds: -62_167_219_200_000_000) != nil)
        #expect(SQLiteDateText.text(microseconds: -62_167_219_200_000_001) == nil)
        #expect(
            SQLiteDateText.text(microseconds: 253_402_300_799_999_999)
                == "9999-12-31 23:59:59.999999")
        #expect(SQLiteDateText.text(microseconds: 253_402_300_800_000_000) == nil)
    }

    @Test func refusesWhatIsNoMoment() {
        let texts = [
            "", "now", "2021", "2021-13-01", "2021-00-01", "2021-01-32", "2021-01-01x",
            "2021-01-01 ", "2021-01-01 24:00", "2021-02-29", "2021-01-01 10", "2021-01-01 10:60",
            "2021-01-01 10:00:60", "2021-01-01 10:00:00.", "2021-01-01 10:00:00+2:00",
            "2021-01-01 10:00+02:00", "10:00", "2459215.5", "-2021-01-01", "2021-01-01 10:00:00ZZ",
        ]
        for text in texts { #expect(read(text) == nil, "\(text)") }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func isReadAsSQLiteReadsIt(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let database = try PlainDatabase(":memory:")
        let dialect = SQLiteDialect()
        let column = try #require(dialect.comparable("t", as: .dateText, isForeign: false)).text
        for _ in 0..<500 {
            let moment = Int64.random(in: -62_100_000_000...253_300_000_000, using: &random)
            let fraction: Int64 = random.one(of: [0, 0, 1, 999_999, 123_000, 500_000, 123_456])
            let whole: Int64 = moment * 1_000_000 + fraction
            let form: String? = SQLiteDateText.text(microseconds: whole)
            let written: String = try #require(form)
            #expect(read(written) == whole, "seed \(seed): \(written)")
            let zone = random.one(of: ["", "", "Z", "+02:00", "-11:30"])
            let digits = random.one(of: [
                "", ".5", ".25", ".999999", ".9999999", ".0000004", ".123456",
            ])
            let zoned: String = String(written.prefix(19)) + digits + zone
            let forms: [String] = [
                written, String(written.prefix(10)), String(written.prefix(16)), zoned,
                zoned.replacing(" ", with: "T"),
            ]
            for text in forms {
                let found = try database.value("SELECT \(column) FROM (SELECT '\(text)' AS t)")
                let value: Int64? = read(text)
                #expect(found.flatMap { Int64($0) } == value, "seed \(seed): \(text)")
                let bounds = SQLiteDateText.bounds(microseconds: value ?? 0)
                let isWithin = bounds.lower <= text && text <= bounds.upper
                #expect(isWithin, "seed \(seed): \(text)")
            }
        }
    }
}
