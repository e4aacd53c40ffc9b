import Foundation
import RepositoryGeneratorCore
import RepositoryRuntime
import RepositorySchema
import RepositorySchemaParser
import StoredSchema
import Testing

@testable import RepositoryTesting

/// The verdicts about older programs, beside what the runtime does when an older program meets data
/// that a newer one has changed.
@Suite("Verdicts about older programs")
struct OlderProgramVerdictTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "../Reference/changes").standardizedFileURL

    /// The cases with two successive schemas.
    static let cases =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { !$0.hasPrefix(".") }.sorted()

    /// The settings and the schemas of a case; nil for schemas that it does not have.
    private static func set(_ name: String, _ file: String, _ settings: String) -> SchemaSet? {
        func source(_ file: String) -> SchemaSource? {
            (try? Data(contentsOf: folder.appending(path: "\(name)/\(file)"))).map {
                SchemaSource(path: file, bytes: [UInt8]($0))
            }
        }
        guard let schema = source(file) else { return nil }
        return SchemaParser.parse(files: [schema], settings: source(settings)).set
    }

    /// The programs before and after the change.
    private struct Programs {
        let old: StoreSchema
        let new: StoreSchema
        let oldHistory: SchemaHistory
        let newHistory: SchemaHistory

        /// Creates the programs of two schemas; nil if their entities cannot be declared from their
        /// descriptions.
        init?(from old: SchemaSet, to new: SchemaSet) throws {
            func history(
                _ versions: [SchemaSet], _ present: SchemaSet
            ) -> SchemaHistory {
                VersionHistory(
                    versions: versions.enumerated().map {
                        .init(number: $0 + 1, hash: "hash \($0)", set: $1)
                    }, present: present, isReleased: true
                ).stored
            }
            oldHistory = history([old], old)
            newHistory = history([old, new], new)
            func program(_ set: SchemaSet, _ history: SchemaHistory) throws -> StoreSchema? {
                let program = try OldProgram(
                    history.lastNumber, tables: StoredTables.of(set, .foldedColumns).sortedTables,
                    history, name: "Library")
                guard program.problems.isEmpty else { return nil }
                let functions = Set(
                    history.changes(after: 0).flatMap { $0.changes.compactMap(\.function) })
                let keeping: MigrationFunction = { _, _ in true }
                return StoreSchema(
                    "Library", program.schema.entities, history: history.textParts,
                    functions: MigrationFunctions(
                        Dictionary(uniqueKeysWithValues: functions.map { ($0, keeping) })))
            }
            guard let before = try program(old, oldHistory),
                let after = try program(new, newHistory)
            else { return nil }
            self.old = before
            self.new = after
        }

        /// Returns what the older program finds after the newer one has opened its data.
        func reopening(_ form: SchemaComparison.Form) throws -> (works: Bool, why: [String])? {
            let written = SchemaOpening(old, in: nil, form: form, history: oldHistory)
            let changed = SchemaOpening(
                new, in: written.result, form: form, history: newHistory)
            guard written.messages.isEmpty, changed.messages.isEmpty else { return nil }
            let again = SchemaOpening(old, in: changed.result, form: form, history: oldHistory)
            let running = try changed.result.misfits(of: old, form: form).map(\.description)
            return (again.messages.isEmpty && running.isEmpty, again.messages + running)
        }
    }

    @Test("are what the runtime does", arguments: cases)
    func agree(name: String) throws {
        let between = Self.set(name, "between.yaml", "between-settings.yaml")
        let before = try #require(
            between ?? Self.set(name, "before.yaml", "before-settings.yaml"))
        let after = try #require(Self.set(name, "after.yaml", "settings.yaml"))
        let comparison = VersionComparison(from: before, number: 1, to: after)
        guard between == nil, comparison.isDecided else { return }
        guard let programs = try Programs(from: before, to: after) else { return }
        let grades = comparison.changes.map { ChangeGrades($0) }
        for form in [SchemaComparison.Form.columns, .foldedColumns, .documents] {
            guard let found = try programs.reopening(form) else { continue }
            let works = grades.allSatisfy { grade in
                switch form {
                case .columns: grade.olderOnColumns == .works
                case .foldedColumns:
                    (grade.olderOnPostgreSQL ?? grade.olderOnColumns) == .works
                case .documents: grade.olderOnDocuments == .works
                }
            }
            #expect(
                found.works == works,
                "\(name), \(form): \(comparison.changes.map(\.code)), verdict \(works ? "works" : "refused"), \(found.why)"
            )
        }
    }
}
