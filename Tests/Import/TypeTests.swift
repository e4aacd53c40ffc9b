import Foundation
import RepositoryImport
import Testing

/// How types are inferred.
@Suite("Inferred types")
struct TypeTests {
    /// Returns the line of a field of the only entity.
    private func line(_ column: String, _ values: [String]) throws -> String {
        let rows = values.map { "(\($0))" }.joined(separator: ", ")
        let folder = try DatabaseFolder(
            """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, \(column));
            INSERT INTO notes (x) VALUES \(rows);
            """)
        let text = try DatabaseImport(sqlite: folder.path).files[1].text
        let line = text.split(separator: "\n").first {
            $0.hasPrefix("  x:") || $0.hasPrefix("# column")
        }
        return line.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    }

    @Test("follow one contrary value among thousands")
    func contrary() throws {
        let texts = (0..<3000).map { _ in "'2026-11-22 10:00:00'" }
        #expect(
            try line("x TEXT", texts) == "x: { type: Date?, storedAs: { sqlite: textSeconds } }")
        #expect(
            try line("x TEXT", texts + ["'2026-11-22T10:00:00Z'"])
                == "x: { type: Date?, storedAs: { sqlite: text } }")
        #expect(try line("x TEXT", texts + ["'soon'"]) == "x: String?")
        let numbers = (0..<3000).map { _ in "1" }
        #expect(try line("x BOOLEAN", numbers) == "x: Bool?")
        #expect(try line("x BOOLEAN", numbers + ["2"]) == "x: Int?")
        #expect(try line("x INTEGER", numbers + ["1.5"]) == "x: Double?")
        #expect(
            try line("x INTEGER", numbers + ["'one'"]) == "x: { type: String?, readAs: text }")
        #expect(
            try line("x INTEGER", numbers + ["x'00'"]).hasPrefix(
                "# column \"x\": values of several"))
    }

    @Test("are dates and truth values only where they are declared so")
    func declared() throws {
        #expect(try line("x INTEGER", ["0", "1"]) == "x: Int?")
        #expect(try line("x TINYINT(1)", ["0", "1"]) == "x: Bool?")
        #expect(try line("x INTEGER", ["1795361330"]) == "x: Int?")
        #expect(
            try line("x DATETIME", ["1795361330"])
                == "x: { type: Date?, storedAs: { sqlite: integer } }")
        #expect(try line("x DATETIME", ["1795361330123456"]) == "x: Date?")
        #expect(
            try line("x DATETIME", ["1795361330123"])
                == "x: { type: Date?, storedAs: { sqlite: milliseconds } }")
        #expect(
            try line("x DATETIME", ["2461367.145", "2451180"])
                == "x: { type: Date?, storedAs: { sqlite: julianDay } }")
        #expect(
            try line("x DATETIME", ["1795361330.5"])
                == "x: { type: Date?, storedAs: { sqlite: real } }")
        #expect(try line("x DATETIME", ["817054130.5"]) == "x: Double?")
        #expect(try line("x REAL", ["2461367.145"]) == "x: Double?")
    }

    @Test("are days only if there is no time, and no dates if they have a zone or do not exist")
    func dates() throws {
        #expect(try line("x DATE", ["'2026-11-22'"]) == "x: LocalDate?")
        #expect(try line("x TEXT", ["'2026-11-22T10:00:00+02:00'"]) == "x: String?")
        #expect(try line("x TEXT", ["'2026-02-30'"]) == "x: String?")
        #expect(try line("x TEXT", ["'2026-11-22 24:00:00'"]) == "x: String?")
        #expect(
            try line("x TEXT", ["'0000-01-01'"]) == "x: { type: Date?, storedAs: { sqlite: text } }"
        )
    }

    @Test("hold every integer exactly")
    func largeIntegers() throws {
        #expect(
            try line("x NUMERIC", ["9223372036854775807", "-9223372036854775808"]) == "x: Int?")
        #expect(
            try line("x", ["9007199254740993", "0.5"]) == "x: { type: String?, readAs: text }")
        #expect(try line("x DECIMAL(10,2)", ["9e999"]) == "x: Double?")
        #expect(try line("x REAL", ["-0.0", "1e308"]) == "x: Double?")
    }
}
