import Foundation
import Generated
import RepositoryRuntime
import RepositorySchema
import RepositorySchemaParser
import RepositoryTesting
import StoredSchema
import Testing

@testable import RepositoryGeneratorCore

/// The descriptions that the generator makes of schemas, beside those that the runtime makes of the
/// generated code.
@Suite("The generator describes stored tables as the runtime does")
struct StoredTablesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    /// Compares everything, including earlier names, which `==` ignores.
    private func compare(_ set: SchemaSet, _ schema: StoreSchema) {
        for form in [SchemaComparison.Form.documents, .columns] {
            let (own, other) = (StoredTables.of(set, form), DeclaredSchema.of(schema, form))
            #expect(own.name == other.name)
            #expect(own.names == other.names)
            #expect(own.tables.map(\.name) == other.tables.map(\.name))
            for (table, twin) in zip(own.tables, other.tables) {
                #expect(table == twin, "\(form)")
                #expect(Self.earlierNames(table) == Self.earlierNames(twin), "\(form)")
            }
            #expect(own.fingerprint == other.fingerprint)
            #expect(own.casesDigest == other.casesDigest)
        }
    }

    /// The earlier names of a table and of everything in it, in order.
    private static func earlierNames(_ table: StoredTable) -> [[String]] {
        func names(_ shape: StoredShape) -> [[String]] {
            switch shape {
            case .single: []
            case .composite(let members), .object(let members):
                members.flatMap { [$0.renamedFrom.names] + names($0.type) }
            case .list(let element, _), .map(let element, _): names(element)
            }
        }
        return [table.renamedFrom.names]
            + table.fields.flatMap {
                [$0.renamedFrom.names, $0.columnsRenamedFrom.names] + names($0.type)
            }
    }

    @Test("for the library")
    func library() throws { compare(try DiagramSets.library(), Library.schema) }

    @Test("for the conformance suite")
    func conformance() throws {
        let folder = Self.root.appending(path: "Sources/RepositoryTesting/Schemas")
        compare(try DiagramSets.set(in: folder), Conformance.schema)
    }

    /// `PinnedFingerprintTests` compares the same literals with the runtime.
    @Test("for the music store")
    func musicStore() throws {
        let set = try DiagramSets.musicStore()
        let pinned = "36f5095edb274421c859cfa35adba3e21612b43c3260a0821571169a3f1b6f4d"
        #expect(StoredTables.of(set, .documents).fingerprint == pinned)
        #expect(StoredTables.of(set, .columns).fingerprint == pinned)
    }

    /// `PinnedFingerprintTests` compares the same literals with the runtime.
    @Test("for the databases of other programs")
    func foreignDatabases() throws {
        let folder = Self.root.appending(path: "Tests/ForeignDatabases/Schemas")
        let set = try DiagramSets.set(in: folder)
        #expect(
            StoredTables.of(set, .documents).fingerprint
                == "ea68cb2f8dade8ed3253210a8f1e04ac9b46b8703b4a65039e7a38e7ac43cf74")
        #expect(
            StoredTables.of(set, .columns).fingerprint
                == "a6685f3b62d57bfc4935263140bae87fcd48088975c238c1c8455fa2c716659d")
    }

    /// A long condition, whose text contains the brackets of the runtime's tree.
    @Test("for a condition of more parts than a list of conditions has")
    func longCondition() throws {
        let parts = (0..<300).map { "n==\($0)" }
        let set = DiagramSets.set(
            """
            entity: Item
            fields: { n: Int }
            checks: { few: { where: "\(parts.joined(separator: "||"))", message: Few. } }
            """)
        let check = StoredTables.of(set, .documents).table("items")?.checks?.first
        var table = EntityTable("items", entity: "Item")
        table.field("id", .uuid, key: true)
        table.field("n", .int64)
        let n = QueryField<Book, Int>(1)
        // As the output joins them: in groups of four.
        var conditions = (0..<300).map { n == $0 }
        while conditions.count > 4 {
            conditions = stride(from: 0, to: conditions.count, by: 4).map { start in
                let group = conditions[start..<min(start + 4, conditions.count)]
                return group.dropFirst().reduce(group[start]) { $0 || $1 }
            }
        }
        let whole = conditions.dropFirst().reduce(conditions[0]) { $0 || $1 }
        table.check("few", whole, message: "Few.")
        let twin = DeclaredSchema.of(StoreSchema("Set", [table]), .documents).table("items")
        #expect(check?.condition == twin?.checks?.first?.condition)
        #expect((check?.condition.count ?? 0) > 2_000)
    }

    /// The fingerprints of all good cases are recorded, so that a change of any is seen.
    ///
    /// `REFERENCE_RECORD=1` in the environment rewrites the file.
    @Test("for the corpus, as recorded")
    func corpus() throws {
        let good = Self.root.appending(path: "Tests/Reference/good")
        let names = try FileManager.default.contentsOfDirectory(atPath: good.path).sorted()
            .filter { !$0.hasPrefix(".") }
        let lines = try names.map { name in
            let set = try DiagramSets.set(in: good.appending(path: "\(name)/Schemas"))
            let documents = StoredTables.of(set, .documents)
            let columns = StoredTables.of(set, .columns)
            let hashes = [documents.fingerprint, columns.fingerprint, documents.casesDigest]
            return ([name] + hashes.map { String($0.prefix(16)) }).joined(separator: " ")
        }
        let text = lines.joined(separator: "\n") + "\n"
        let file = Self.root.appending(path: "Tests/Reference/fingerprints.txt")
        if ProcessInfo.processInfo.environment["REFERENCE_RECORD"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        let recorded = try String(contentsOf: file, encoding: .utf8)
        for (line, twin) in zip(lines, recorded.split(separator: "\n")) { #expect(line == twin) }
        #expect(recorded == text)
    }
}
