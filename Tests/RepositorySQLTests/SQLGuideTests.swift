import Foundation
import RecordedSections
import Testing

/// The guide shows the driver as it is tested.
@Suite("The guide to SQL stores")
struct SQLGuideTests {
    private let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func showsTheDriverAsItIs() throws {
        let file = package.appending(path: "Tests/RepositorySQLTests/ExampleDriver.swift")
        let guide = package.appending(
            path: "Sources/RepositorySQL/Documentation.docc/WriteASQLStore.md")
        let code = try String(contentsOf: file, encoding: .utf8)
        let text = try String(contentsOf: guide, encoding: .utf8)
        let wanted = try RecordedSection("<!-- The whole of the driver: make record. -->")
            .replaced(in: text, with: "```swift\n\(code)```")
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try wanted.write(to: guide, atomically: true, encoding: .utf8)
        }
        let recorded = try String(contentsOf: guide, encoding: .utf8)
        #expect(recorded == wanted, "'make record' writes the listing")
        #expect(code.filter { $0 == "\n" }.count < 220)
    }
}
