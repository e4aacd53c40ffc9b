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
        let process = Process()
        let pipe = Pipe()
        process.executableURL = CommandLineTests.program
        process.currentDirectoryURL = Self.package
        process.arguments = ["diagram", "--schemas", schemas, "--format", "svg"]
        process.standardOutput = pipe
        try process.run()
        let drawn = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        if ProcessInfo.processInfo.environment["RECORD"] == "1" { try drawn.write(to: file) }
        #expect(try Data(contentsOf: file) == drawn, "make record draws \(path) anew")
        let text = try String(
            contentsOf: Self.package.appending(path: "README.md"), encoding: .utf8)
        #expect(text.contains("](\(path))"))
    }
}
