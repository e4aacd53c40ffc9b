import Foundation
import RepositoryGeneratorCore
import RepositoryRuntime
import RepositorySchema
import RepositorySchemaParser
import Testing

@testable import RepositoryTesting

/// The index that a refused query names can be declared in the schema as it stands there.
@Suite("Indexes that refused queries name")
struct SuggestedIndexTests {
    private static let schemas = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/RepositoryTesting/Schemas").standardizedFileURL

    private let set = Conformance(
        context: RepositoryContext(
            store: InMemoryStore(), schema: Conformance.schema, fullScans: .refuse))

    /// What is said of a query that is refused.
    private func refusal(_ body: () async throws -> Void) async throws -> String {
        do {
            try await body()
        } catch let error as CRUDRepositoryError where error.code == .fullScanRefused {
            return error.localizedDescription
        }
        Issue.record("the query was answered")
        return ""
    }

    /// The entry of `indexes` in a message.
    private func entry(_ message: String) throws -> String {
        let match = try #require(message.firstMatch(of: /`indexes: \[(\{.*?\})\]`/), "\(message)")
        return String(match.1)
    }

    /// What is wrong with the schemas of the suite where an entity has one more index.
    private static func problems(_ entity: String, _ entry: String) throws -> [String] {
        var sources: [SchemaSource] = []
        var settings: SchemaSource?
        for file in try FileManager.default.contentsOfDirectory(atPath: schemas.path) {
            let text = try String(contentsOf: schemas.appending(path: file), encoding: .utf8)
            let documents = text.components(separatedBy: "---\n").map { document in
                guard document.hasPrefix("entity: \(entity)\n") else { return document }
                return document.contains("\nindexes:\n")
                    ? document.replacing("\nindexes:\n", with: "\nindexes:\n  - \(entry)\n")
                    : document + "indexes: [\(entry)]\n"
            }
            let bytes = Array(documents.joined(separator: "---\n").utf8)
            let source = SchemaSource(path: file, bytes: bytes)
            if file == "repositories.yaml" { settings = source } else { sources.append(source) }
        }
        let (set, diagnostics) = SchemaParser.parse(files: sources, settings: settings)
        return (diagnostics + Validator.validate(set)).map(\.message)
    }

    @Test("name references as the schema declares them")
    func references() async throws {
        let seat = Seat.ID(hallID: "a", row: 1, letter: "x")
        let message = try await refusal {
            _ = try await set.claims.fetch(
                .where { $0.seatID == seat }.sorted(by: \.id, .descending))
        }
        #expect(try entry(message) == "{ fields: [seat, -id] }")
        #expect(try Self.problems("Claim", entry(message)) == [])
        let link = try await refusal {
            _ = try await set.links.fetch(.where { $0.keeperID == "a" && $0.friendID > "b" })
        }
        #expect(try entry(link) == "{ fields: [keeper, friend] }")
        #expect(try Self.problems("Link", entry(link)) == [])
    }

    @Test("name components of ids and descending fields")
    func components() async throws {
        let message = try await refusal {
            _ = try await set.seats.fetch(
                .where { $0.row == 2 }.sorted(by: \.hallID, .descending).limit(3))
        }
        #expect(try entry(message) == "{ fields: [row, -hall] }")
        #expect(try Self.problems("Seat", entry(message)) == [])
    }

    @Test("have a name of their own where the usual one is taken")
    func names() async throws {
        let message = try await refusal {
            _ = try await set.articles.fetch(
                Query<Article>.sorted(by: \.section).sorted(by: \.rank).limit(3))
        }
        #expect(try entry(message) == "{ fields: [section, rank], name: by_section_2 }")
        #expect(try Self.problems("Article", entry(message)) == [])
    }

    @Test("hold no field that cannot be indexed")
    func lists() async throws {
        let message = try await refusal {
            _ = try await set.specimens.fetch(.where { $0.list == [1] })
        }
        #expect(message.contains("None could"), "\(message)")
    }

    @Test("are not needed for what begins an id, as the plan says")
    func explained() async throws {
        let explanation = try await set.seats.explain(
            .where { $0.hallID == "a" && $0.price > 1 })
        #expect(!explanation.plan.isFullScan)
        #expect(explanation.description.contains("finds by the id (hallID)"))
        #expect(try await set.seats.findAll(hallID: "a").isEmpty)
    }
}
