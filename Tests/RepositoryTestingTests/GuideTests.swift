import Foundation
import RecordedSections
import Testing

/// The guide shows the example store as it is tested.
@Suite("The guide to stores of one's own")
struct GuideTests {
    private let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func showsTheExampleStoreAsItIs() throws {
        let file = package.appending(path: "Tests/RepositoryTestingTests/JournalDriver.swift")
        let guide = package.appending(
            path: "Sources/RepositoryTesting/Documentation.docc/WriteYourOwnStore.md")
        let code = try String(contentsOf: file, encoding: .utf8)
        let text = try String(contentsOf: guide, encoding: .utf8)
        let wanted = try RecordedSection("<!-- The whole of the driver: make record. -->")
            .replaced(in: text, with: "```swift\n\(code)```")
        if Chosen.variable("RECORD") == "1" {
            try wanted.write(to: guide, atomically: true, encoding: .utf8)
        }
        let recorded = try String(contentsOf: guide, encoding: .utf8)
        #expect(recorded == wanted, "'make record' writes the listing")
        #expect(code.filter { $0 == "\n" }.count < 160)
    }
}
