import Foundation
import RepositorySchema
import Testing

@testable import RepositorySchemaParser

/// The 402 cases of yaml-test-suite: reading never crashes, and what is YAML to libyaml is YAML here,
/// apart from what is refused by design.
///
/// The cases lie in the folder `yaml` of `REPOSITORY_TEST_DATA`, or of `../shared/data` beside the
/// package; without them the test is skipped.
@Suite("yaml-test-suite")
struct YAMLSuiteTests {
    /// The folder of the cases, if it is there.
    static let folder: URL? = {
        let named = ProcessInfo.processInfo.environment["REPOSITORY_TEST_DATA"].map {
            URL(filePath: $0)
        }
        let package = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let data = named ?? package.appending(path: "../shared/data").standardizedFileURL
        let folder = data.appending(path: "yaml")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    @Test(
        "gets libyaml's verdict",
        .enabled(if: folder != nil, "no folder 'yaml' in REPOSITORY_TEST_DATA or ../shared/data"))
    func verdicts() throws {
        let folder = try #require(Self.folder)
        let table = try String(
            decoding: Data(contentsOf: folder.appending(path: "verdicts.tsv")), as: UTF8.self)
        var (agreed, refused, unlikeTheSuite) = (0, 0, 0)
        for line in table.split(separator: "\n") {
            let columns = line.split(separator: "\t")
            let name = String(columns[0])
            let bytes = [UInt8](try Data(contentsOf: folder.appending(path: "\(name).yaml")))
            let ours = YAMLDocuments(bytes: bytes, path: name)
            let theirs = Self.isAccepted(bytes)
            if theirs != (columns[1] == "valid") { unlikeTheSuite += 1 }
            if ours.diagnostics.isEmpty == theirs {
                agreed += 1
            } else {
                let messages = ours.diagnostics.map(\.message)
                #expect(theirs, "\(name) is no YAML to libyaml, and was accepted")
                #expect(messages.allSatisfy(Self.isByDesign), "\(name): \(messages)")
                refused += 1
            }
        }
        print(
            "yaml-test-suite: \(agreed) cases as libyaml, \(refused) refused by design; "
                + "libyaml itself differs from the suite in \(unlikeTheSuite)")
        #expect(agreed + refused == 402)
    }

    private static func isByDesign(_ message: String) -> Bool {
        let beginnings = [
            "tags such as", "merge keys", "a list or a mapping cannot be a key", "a key is missing",
            "the key '", "a value contains the character U+0000", "no anchor", "the alias",
            "the anchor",
        ]
        return beginnings.contains(where: message.hasPrefix)
    }

    /// What libyaml alone says.
    private static func isAccepted(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress, !buffer.isEmpty else { return true }
            do {
                let marked = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
                let reader = try YAMLEventReader(base + marked, count: buffer.count - marked)
                while true {
                    if case .streamEnd = try reader.next().kind { return true }
                }
            } catch {
                return false
            }
        }
    }
}
