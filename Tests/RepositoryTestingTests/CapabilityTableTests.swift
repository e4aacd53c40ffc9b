import Foundation
import Testing

/// The documentation says of the stores what they declare.
@Suite("The table of stores and capabilities")
struct CapabilityTableTests {
    private static let begin = "<!-- Made of the stores' own declarations: make record. -->\n"

    @Test func isThatOfTheStores() throws {
        let article = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(
                path: "Sources/RepositoryRuntime/Documentation.docc/StoresAndCapabilities.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let start = try #require(text.range(of: Self.begin))
        let wanted = text[..<start.upperBound] + CapabilityTable.text
        if Chosen.variable("RECORD") == "1" {
            try String(wanted).write(to: article, atomically: true, encoding: .utf8)
        }
        let recorded = try String(contentsOf: article, encoding: .utf8)
        #expect(recorded == wanted, "make record writes the table anew")
    }
}
