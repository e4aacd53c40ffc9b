import Foundation
import Testing

@testable import repository_generator

/// The templates of `Samples` with the schemas of the library, as the documentation shows them.
///
/// `REFERENCE_RECORD=1` in the environment writes the results anew instead of comparing them.
@Suite("samples of templates")
struct TemplateSampleTests {
    private static let samples = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Samples")
    private static let package = samples.appending(path: "../../..").standardizedFileURL
    private static let article = package.appending(
        path: "Sources/repository-generator/Documentation.docc/Templates.md")

    private static func generated(_ name: String) throws -> String {
        let shop = try Workshop([:])
        try FileManager.default.copyItem(
            at: package.appending(path: "Schemas"), to: shop.root.appending(path: "Schemas"))
        let locations = Locations(
            schemas: shop.root.appending(path: "Schemas").path, output: shop.root.path + "/Out",
            templates: samples.appending(path: "Templates").path)
        #expect(shop.tool().generate(locations, force: false) == .success)
        #expect(shop.complaints.isEmpty)
        return try shop.text("Out/\(name)")
    }

    @Test(
        "make what is recorded",
        arguments: ["Library.DataDictionary.generated.md", "Book.Names.generated.swift"])
    func recorded(name: String) throws {
        let text = try Self.generated(name)
        let file = Self.samples.appending(path: name + ".txt")
        if ProcessInfo.processInfo.environment["REFERENCE_RECORD"] == "1" {
            try Data(text.utf8).write(to: file)
            return
        }
        #expect(try text == String(contentsOf: file, encoding: .utf8), "\(name):\n\(text)")
    }

    @Test("are those that the documentation shows")
    func shown() throws {
        let article = try String(contentsOf: Self.article, encoding: .utf8)
        for name in ["DataDictionary.set.md.mustache", "Names.entity.swift.mustache"] {
            let text = try String(
                contentsOf: Self.samples.appending(path: "Templates/\(name)"), encoding: .utf8)
            #expect(article.contains(text), "\(name)")
        }
    }
}
