import Foundation
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
        let listing = "<!-- The whole of the driver. -->\n```swift\n\(code)```\n"
        if Chosen.variable("RECORD") == "1" {
            let start = try #require(text.range(of: "<!-- The whole of the driver. -->"))
            let end = try #require(
                text.range(of: "\n```\n", range: start.upperBound..<text.endIndex))
            let changed = text.replacingCharacters(
                in: start.lowerBound..<end.upperBound, with: listing)
            try changed.write(to: guide, atomically: true, encoding: .utf8)
        }
        let recorded = try String(contentsOf: guide, encoding: .utf8)
        #expect(recorded.contains(listing), "make record writes the listing anew")
        #expect(code.filter { $0 == "\n" }.count < 150)
    }
}
