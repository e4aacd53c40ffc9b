import Foundation
import Testing

@testable import RepositoryRuntime

@Suite("JSONTestSuite")
struct JSONTestSuiteTests {
    private static let folder = TestData.folder("json")

    private func cases() throws -> [(name: String, data: Data)] {
        let folder = try #require(Self.folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }.sorted()
            .map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) }
    }

    @Test(
        "Well-formed texts are read, malformed ones are refused",
        .enabled(if: folder != nil, "no shared data: set REPOSITORY_TEST_DATA"))
    func verdicts() throws {
        var counts = ["y": 0, "n": 0, "i": 0]
        for (name, data) in try cases() {
            let kind = String(name.prefix(1))
            counts[kind, default: 0] += 1
            let isRead = data.withUnsafeBytes { JSONReader.isWellFormed($0) }
            let isItem = readsAsItem(data)
            if kind == "i" { continue }
            #expect(isRead == (kind == "y"), "\(name)")
            #expect(isItem == (kind == "y"), "\(name) as an item")
        }
        print("JSONTestSuite: \(counts)")
        #expect(counts == ["y": 95, "n": 188, "i": 35])
    }

    private func readsAsItem(_ data: Data) -> Bool {
        do {
            let _: AnyValue = try JSONDataTransformer().decode(data: data)
            return true
        } catch {
            let code = (error as? CRUDRepositoryError)?.code
            #expect(code == .invalidRecord || code == .itemTypeMismatch)
            return false
        }
    }

    @Test(
        "Inside of a record too, as a member that nobody asks for",
        .enabled(if: folder != nil, "no shared data: set REPOSITORY_TEST_DATA"))
    func insideRecords() throws {
        let record = try JSONDataTransformer().encodeRecord(Specimen("s"), SpecimenMapper.self)
        for (name, data) in try cases() where !name.hasPrefix("i") {
            let document = Data(#"{"other":"#.utf8) + data + Data(",".utf8) + record.dropFirst()
            let read = try? JSONDataTransformer().decodeRecord(document, SpecimenMapper.self)
            #expect((read != nil) == name.hasPrefix("y"), "\(name)")
        }
    }
}
