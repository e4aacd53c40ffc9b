import Foundation
import RecordedSections
import StoredSchema
import Testing

@testable import RepositoryGeneratorCore

/// The table of verdicts: its page, and its codes beside those of stored schemas.
@Suite("The table of verdicts")
struct ChangeGradeTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(
            path: "../../../Sources/repository-generator/Documentation.docc/Verdicts.md"
        ).standardizedFileURL

    /// The table as the page has it.
    private static var table: String {
        let lines = ChangeCode.allCases.map { code in
            let grades = ChangeGrades.table(code)
            let (columns, documents) = (grades.olderOnColumns, grades.olderOnDocuments)
            let older =
                columns == documents
                ? columns.rawValue
                : "columns: \(columns.rawValue); documents: \(documents.rawValue)"
            let lock = grades.lock == .none ? "" : ", lock: \(grades.lock.rawValue)"
            return "| `\(code.rawValue)` | \(grades.data.rawValue) | "
                + (grades.breaks.map { "break: \($0)" } ?? "compatible")
                + " | \(older) | \(grades.sqlite.rawValue) | \(grades.documents.rawValue) | "
                + "\(grades.postgresql.rawValue)\(lock) |"
        }
        return """
            | code | stored data | Swift callers | older programs | sqlite | files, userDefaults \
            | postgresql |
            |---|---|---|---|---|---|---|

            """ + lines.joined(separator: "\n")
    }

    /// `RECORD=1` in the environment writes the table instead of comparing it.
    @Test("is documented")
    func documented() throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let wanted = try RecordedSection("<!-- The table of verdicts: make record. -->")
            .replaced(in: page, with: Self.table)
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try wanted.write(to: Self.page, atomically: true, encoding: .utf8)
        }
        #expect(
            try String(contentsOf: Self.page, encoding: .utf8) == wanted,
            "'make record' writes the table")
    }

    @Test("has the codes of stored schemas, apart from those without a change of the schema")
    func codes() {
        /// Codes of stores that group several kinds of changes, or that are no change of a schema.
        let own: [SchemaChangeCode: [ChangeCode]] = [
            .casesChanged: [
                .caseAdded, .caseRenamed, .rawValueChanged, .unknownCaseAdded,
                .unknownCaseRemoved,
            ],
            .membersChanged: [.memberAdded, .memberRenamed],
            .checksChanged: [.checkAdded, .checkRemoved, .checkChanged],
            .columnTaken: [], .tableShared: [], .formatChanged: [], .recordsOutdated: [],
            .newerProgram: [],
        ]
        for code in SchemaChangeCode.allCases where own[code] == nil {
            #expect(ChangeCode(rawValue: code.rawValue) != nil, "\(code.rawValue)")
        }
        for code in own.keys { #expect(ChangeCode(rawValue: code.rawValue) == nil) }
        #expect(Set(ChangeCode.allCases.map(\.rawValue)).count == ChangeCode.allCases.count)
    }

    @Test("knows that what converts or drops data is never compatible with older programs")
    func consistent() {
        for code in ChangeCode.allCases {
            let grades = ChangeGrades.table(code)
            switch grades.data {
            case .converted, .dropped, .needsCode, .asDeclared:
                // Another representation of columns does not concern documents.
                #expect(grades.olderOnColumns == .refused, "\(code)")
                #expect(
                    grades.olderOnDocuments == .refused
                        || [.columnTypeChanged, .encryptionChanged].contains(code), "\(code)")
            case .dependsOnData:
                #expect(
                    grades.olderOnColumns == .refused || code == .unknownCaseRemoved, "\(code)")
            case .kept, .undecided: break
            }
            #expect(grades.data != .undecided)
            #expect((grades.lock == .writers) == (grades.postgresql == .rewritesAll), "\(code)")
        }
    }
}
