import Foundation
import Testing

/// The pictures that the README shows are what `diagram` draws of the schemas as they are.
@Suite("pictures of the README")
struct PictureTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "show the schemas", .enabled(if: CommandLineTests.isBuilt),
        arguments: [("Schemas", "library"), ("Tests/MusicStore/Schemas", "music-store")])
    func pictures(_ schemas: String, _ name: String) throws {
        let path = "Sources/repository-generator/Documentation.docc/Resources/\(name).svg"
        let file = Self.package.appending(path: path)
        let (status, drawn) = try CommandLineTests().run(
            ["diagram", "--schemas", schemas, "--format", "svg"], in: Self.package)
        try #require(status == 0, "\(drawn)")
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try drawn.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(
            try String(contentsOf: file, encoding: .utf8) == drawn, "make record draws \(path) anew"
        )
        let text = try String(
            contentsOf: Self.package.appending(path: "README.md"), encoding: .utf8)
        #expect(text.contains("](\(path))"))
    }
}
