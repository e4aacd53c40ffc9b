import Foundation
import RepositoryGeneratorCore
import RepositorySchema
import RepositorySchemaParser
import StoredSchema
import Testing

/// A case with what has changed.
private struct ComparedCase {
    /// The comparisons, the oldest first.
    var comparisons: [VersionComparison]
    /// `stores` of the settings.
    var stores: [Located<String>]
    /// The diagnostics of the last comparison as text.
    var problems: String
    /// What the last change does to stored data.
    var changes: [DataChange]
    /// Why stores cannot carry it out.
    var refusals: [String]
}

/// Each folder `changes/<case>` holds a schema `before.yaml`, the schema `after.yaml`, and in
/// `verdicts.txt` and `verdicts.json` what has changed, byte for byte. With `between.yaml` there
/// are two released versions. The settings of the last schema are in `settings.yaml`.
///
/// `REFERENCE_RECORD=1` in the environment writes the files instead of comparing them.
@Suite("Changes of schemas")
struct ChangeCaseTests {
    /// The names of the case folders, in order.
    static let cases = ReferenceFolder.cases(of: "changes")

    /// The comparisons of a case, the oldest first, and the text of their diagnostics.
    private static func compare(
        _ name: String
    ) throws -> ComparedCase {
        let folder = ReferenceFolder.root.appending(path: "changes/\(name)")
        func source(_ name: String, as path: String) -> SchemaSource? {
            let file = folder.appending(path: name)
            return (try? Data(contentsOf: file)).map {
                SchemaSource(path: path, bytes: [UInt8]($0), displayPath: path)
            }
        }
        var versions: [VersionHistory.Version] = []
        var last: NormalizedSchema?
        var texts: [String: SourceText] = [:]
        for (schema, settings) in [
            ("before.yaml", "before-settings.yaml"), ("between.yaml", "between-settings.yaml"),
            ("after.yaml", "settings.yaml"),
        ] {
            guard let file = source(schema, as: schema) else { continue }
            let set = try parse(file, source(settings, as: "repositories.yaml"))
            guard schema != "after.yaml" else {
                let history = VersionHistory(
                    versions: versions, present: set, isReleased: false)
                texts[schema] = SourceText(bytes: file.bytes)
                let comparisons = history.comparisons(since: 1)
                let renderer = DiagnosticText(sources: texts)
                return ComparedCase(
                    comparisons: comparisons, stores: set.settings.stores,
                    problems: renderer.render(
                        DiagnosticText.sorted(comparisons.last?.diagnostics ?? [])),
                    changes: history.stored.unreleased ?? [],
                    refusals: history.problems.map(\.message))
            }
            let number = versions.count + 1
            let normal = NormalizedSchema(set)
            let text = VersionFile.text(of: normal.keepingDecisions(since: last, number: number))
            let path = "Versions/\(VersionFile.name(number: number))"
            let version = SchemaSource(
                path: path, bytes: Array(text.utf8), displayPath: path)
            let (read, problems) = SchemaParser.parse(version: version)
            #expect(problems.map(\.message) == [])
            texts[path] = SourceText(bytes: version.bytes)
            versions.append(.init(number: number, hash: "", set: read))
            last = normal
        }
        Issue.record("the case \(name) has no 'after.yaml'")
        return ComparedCase(comparisons: [], stores: [], problems: "", changes: [], refusals: [])
    }

    private static func parse(_ file: SchemaSource, _ settings: SchemaSource?) throws -> SchemaSet {
        let (set, found) = SchemaParser.parse(files: [file], settings: settings)
        let problems =
            found + Validator.validate(set, options: ValidationOptions(moduleName: "Reference"))
        #expect(problems.map(\.message) == [], "\(file.path)")
        return set
    }

    @Test("are graded as recorded", arguments: cases)
    func recorded(name: String) throws {
        let compared = try Self.compare(name)
        let (comparisons, problems) = (compared.comparisons, compared.problems)
        let report = ChangeReport(comparisons, last: comparisons.count, stores: compared.stores)
        let folder = ReferenceFolder.root.appending(path: "changes/\(name)")
        let text = report.text(as: .text) + (problems.isEmpty ? "" : "\n\(problems)\n")
        for (file, text) in [("verdicts.txt", text), ("verdicts.json", report.text(as: .json))] {
            let recorded = folder.appending(path: file)
            if ReferenceFolder.isRecording {
                try Data(text.utf8).write(to: recorded)
                continue
            }
            let expected = try String(decoding: Data(contentsOf: recorded), as: UTF8.self)
            #expect(text == expected, "the case \(name):\n\(text)")
        }
    }

    /// Cases whose change is an error of its own, because no store can carry it out yet: a
    /// migration of several tables together.
    private static let notCarriedOut: Set = ["tables-by-code", "tables-merged-by-code"]

    /// What generated code does to stored data is what the verdicts say.
    @Test("are carried out as graded", arguments: cases)
    func carriedOut(name: String) throws {
        let compared = try Self.compare(name)
        if Self.notCarriedOut.contains(name) { return }
        guard let comparison = compared.comparisons.last, comparison.isDecided else { return }
        let managed = comparison.changes.filter { !$0.isUnmanaged }
        #expect(compared.refusals == [])
        let functions = Set(comparison.functions.map(\.name))
        #expect(functions == Set(compared.changes.compactMap(\.function)))
        let grades = managed.map { ChangeGrades($0).data }
        let isRewritten = compared.changes.contains { change in
            switch change {
            case .records, .tables: true
            default: false
            }
        }
        if !isRewritten, managed.count == comparison.changes.count {
            // A name that is declared again drops nothing more: its data is gone.
            let drops = managed.contains {
                $0.code != .nameReused && ChangeGrades($0).data == .dropped
                    || $0.code == .unionCaseRemoved
            }
            #expect(drops == compared.changes.contains(where: \.dropsData))
        }
        if compared.changes.isEmpty {
            #expect(!grades.contains(.needsCode))
        }
    }

    @Test("are of each kind")
    func codes() throws {
        var seen: Set<ChangeCode> = []
        var rules: Set<Diagnostic.Rule> = []
        for name in Self.cases {
            for comparison in try Self.compare(name).comparisons {
                seen.formUnion(comparison.changes.map(\.code))
                rules.formUnion(comparison.diagnostics.map(\.rule))
                // Every undecided change has an error, and each error belongs to a change.
                if comparison.changes.contains(where: \.isUndecided) {
                    #expect(!comparison.isDecided, "\(name)")
                }
            }
        }
        #expect(Set(ChangeCode.allCases).subtracting(seen) == [])
        #expect(rules == [.undecided, .dependsOnData, .unusedDecision])
        #expect(Self.cases.count >= 100)
        print("\(Self.cases.count) pairs of schemas compared, with \(seen.count) kinds of changes")
    }

    @Test("are found exactly if the versions differ")
    func differences() throws {
        let sets = try GoodCaseTests.cases.map { name in
            let folder = ReferenceFolder.root.appending(path: "good/\(name)")
            let (files, settings) = try ReferenceFolder.sources(in: folder)
            return SchemaParser.parse(files: files, settings: settings).set
        }
        var count = 0
        for (index, old) in sets.enumerated() {
            for new in sets.dropFirst(index).prefix(20) {
                let difference = NormalizedSchema(new)
                    .differences(from: NormalizedSchema(old), number: 2)
                let changes = VersionComparison(from: old, number: 1, to: new).changes
                #expect(changes.isEmpty == difference.isEmpty)
                count += 1
            }
        }
        print("\(count) pairs of good schemas compared")
    }
}
