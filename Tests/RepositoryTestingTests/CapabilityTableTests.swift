#if PostgreSQL
    import Foundation
    import RecordedSections
    import Testing

    /// The documentation says of the stores what they declare.
    @Suite("The table of stores and capabilities")
    struct CapabilityTableTests {
        private static let section = RecordedSection(
            "<!-- Made of the stores' own declarations: make record. -->")

        @Test func isThatOfTheStores() throws {
            let article = URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
                .appending(
                    path: "Sources/RepositoryRuntime/Documentation.docc/StoresAndCapabilities.md")
            let text = try String(contentsOf: article, encoding: .utf8)
            let wanted = try Self.section.replaced(in: text, with: CapabilityTable.text)
            if Chosen.variable("RECORD") == "1" {
                try wanted.write(to: article, atomically: true, encoding: .utf8)
            }
            let recorded = try String(contentsOf: article, encoding: .utf8)
            #expect(recorded == wanted, "'make record' writes the table")
        }
    }
#endif
