import Foundation
import RepositoryGeneratorCore
import Testing

@testable import repository_generator

/// Whose a generated file is: after Git converted the ends of its lines, and beside files of other
/// schema folders.
@Suite("ownership of generated files")
struct OwnershipTests {
    /// The bytes of a text as Git checks it out with `core.autocrlf`.
    private static func converted(_ text: String) -> String {
        text.replacing("\n", with: "\r\n")
    }

    @Test("does not depend on how lines end")
    func lineEnds() throws {
        let body = "\nstruct A {}\n"
        let text = try Workshop.generated("entity: A\n")
        #expect(FileOwnership(of: text) == .generated)
        #expect(FileOwnership(of: Self.converted(text)) == .generated)
        #expect(FileOwnership(of: Self.converted(text) + body) == .edited)
        #expect(
            FileOwnership(of: Self.converted(text + "<<<<<<< a\n=======\n>>>>>>> b\n"))
                == .conflicted)
        let (ownership, source) = FileOwnership.judge(Array(Self.converted(text).utf8))
        #expect(ownership == .generated && source == "Schemas/A.yaml")
        // A text that had such line ends when it was hashed.
        let old = FileHeader(source: "Schemas/A.yaml", body: "a\r\nb\n")
        #expect(old.hash != FileHeader(source: "Schemas/A.yaml", body: "a\nb\n").hash)
    }

    @Test("files that Git converted are up to date, and are not written again")
    func convertedFiles() throws {
        let shop = try Workshop([
            "A.yaml": "entity: A\ndoc: One.\n", "people/B.yaml": "entity: B\n",
        ])
        try shop.write("# {{name}}\n", to: "Templates/Doc.set.md.mustache")
        try shop.write("templates: Templates\n", to: "Schemas/repositories.yaml")
        #expect(shop.generate() == .success)
        let paths = [
            "A.generated.swift", "people/B.generated.swift", "Repositories.Doc.generated.md",
            "Repositories.repositories.generated.swift",
        ].map { "Generated/" + $0 }
        for path in paths { try shop.write(Self.converted(shop.text(path)), to: path) }
        let before = try shop.snapshot()
        shop.forget()
        #expect(shop.check() == .success)
        #expect(shop.generate() == .success)
        #expect(shop.output.hasSuffix("0 written, 0 deleted, 4 unchanged."))
        #expect(try shop.snapshot() == before)
        // They are the generator's own: changed and deleted like all others.
        try shop.write("entity: A\ndoc: Two.\n", to: "Schemas/A.yaml")
        try shop.remove("Schemas/people")
        shop.forget()
        #expect(shop.check() == .drift)
        #expect(shop.output.contains("-/// One.\n+/// Two.\n"))
        #expect(!shop.output.contains("\r"))
        #expect(shop.generate() == .success)
        #expect(!shop.exists("Generated/people"))
        // One that was edited is still refused.
        try shop.write(Self.converted(shop.text(paths[0])) + "// by hand\r\n", to: paths[0])
        #expect(shop.generate() == .drift)
        #expect(shop.complaints.contains("edited by hand"))
    }

    @Test("schemas and templates that Git converted generate the same")
    func convertedInputs() throws {
        let schema =
            "entity: A\ndoc: |\n  One.\n\n  Two.\nfields:\n  a: { type: String, default: \"x\n\n    y\" }\n"
        let template = "{{#entities}}\n# {{name}}\n{{/entities}}\nEnd.\n"
        var outputs: [[String]] = []
        for convert in [{ $0 }, Self.converted] {
            let shop = try Workshop(["A.yaml": convert(schema)])
            try shop.write(convert(template), to: "Templates/Doc.set.md.mustache")
            try shop.write(convert("templates: Templates\n"), to: "Schemas/repositories.yaml")
            #expect(shop.generate() == .success)
            outputs.append([
                try shop.text("Generated/A.generated.swift"),
                try shop.text("Generated/Repositories.Doc.generated.md"),
            ])
        }
        #expect(outputs[0] == outputs[1])
        #expect(!outputs[1].joined().utf8.contains(UInt8(ascii: "\r")))
    }
}

/// Several schema folders whose output folders are the same or in each other.
@Suite("schema folders with one output folder")
struct SharedOutputTests {
    /// A folder with two sets.
    private func workshop(_ second: String) throws -> Workshop {
        let shop = try Workshop(["A.yaml": "entity: A\n", "people/B.yaml": "entity: B\n"])
        try shop.write("name: First\n", to: "Schemas/repositories.yaml")
        try shop.write("name: Second\n", to: "\(second)/repositories.yaml")
        try shop.write("entity: C\n", to: "\(second)/C.yaml")
        try shop.write("entity: D\n", to: "\(second)/people/D.yaml")
        return shop
    }

    private func generate(_ shop: Workshop, _ schemas: String, _ output: String)
        -> repository_generator.ExitStatus
    {
        shop.tool().generate(locations(shop, schemas, output), force: false)
    }

    private func locations(_ shop: Workshop, _ schemas: String, _ output: String) -> Locations {
        Locations(
            schemas: shop.root.appending(path: schemas).path,
            output: shop.root.appending(path: output).path)
    }

    @Test(
        "leave each other's files alone",
        arguments: [
            ("Drafts", "Generated"), ("Other/Schemas", "Generated"),
            ("Other/Schemas", "Generated/Other"), ("Generated/Schemas", "Generated/Other"),
            ("Schemas/../Other/Deep/Schemas", "Generated/people"),
            ("Generated/Schemas", "Generated"),
        ])
    func both(_ second: String, _ output: String) throws {
        let shop = try workshop(second)
        let first = [
            "A.generated.swift", "people/B.generated.swift", "First.repositories.generated.swift",
        ].map { "Generated/" + $0 }
        let others = [
            "C.generated.swift", "people/D.generated.swift", "Second.repositories.generated.swift",
        ].map { output + "/" + $0 }
        for _ in 0..<2 {
            #expect(generate(shop, "Schemas", "Generated") == .success)
            #expect(generate(shop, second, output) == .success)
        }
        #expect(shop.complaints.isEmpty)
        for path in first + others { #expect(shop.exists(path), "\(path)") }
        shop.forget()
        #expect(shop.tool().check(locations(shop, "Schemas", "Generated")) == .success)
        #expect(shop.tool().check(locations(shop, second, output)) == .success)
        // What is gone of one is deleted by that one only.
        try shop.remove("Schemas/people/B.yaml")
        try shop.remove("\(second)/C.yaml")
        #expect(generate(shop, "Schemas", "Generated") == .success)
        #expect(!shop.exists(first[1]))
        for path in others { #expect(shop.exists(path), "\(path)") }
        #expect(generate(shop, second, output) == .success)
        #expect(!shop.exists(others[0]))
        #expect(shop.exists(first[0]) && shop.exists(others[1]))
        // No header names a folder of this machine.
        for path in [first[0], others[1]] {
            #expect(try !shop.text(path).contains(shop.root.lastPathComponent))
        }
    }

    @Test("refuse to write one file from two schemas", arguments: ["Drafts", "Other/Schemas"])
    func sameFile(_ second: String) throws {
        let shop = try workshop(second)
        try shop.write("entity: A\nfields: { other: Int }\n", to: "\(second)/A.yaml")
        #expect(generate(shop, "Schemas", "Generated") == .success)
        let before = try shop.text("Generated/A.generated.swift")
        #expect(generate(shop, second, "Generated") == .drift)
        #expect(shop.complaints.contains("A.generated.swift: error: the file is generated from '"))
        #expect(shop.complaints.contains("Schemas/A.yaml'; choose another output folder"))
        #expect(try shop.text("Generated/A.generated.swift") == before)
        #expect(!shop.exists("Generated/C.generated.swift"))
    }

    @Test("a schema folder that is renamed or moved takes its files with it")
    func moved() throws {
        for folder in ["Models", "Sources/Model/Schemas"] {
            let shop = try Workshop(["A.yaml": "entity: A\n", "B.yaml": "entity: B\n"])
            #expect(generate(shop, "Schemas", "Generated") == .success)
            try FileManager.default.createDirectory(
                at: shop.root.appending(path: folder).deletingLastPathComponent(),
                withIntermediateDirectories: true)
            try FileManager.default.moveItem(
                at: shop.root.appending(path: "Schemas"), to: shop.root.appending(path: folder))
            try shop.remove("\(folder)/B.yaml")
            #expect(generate(shop, folder, "Generated") == .success)
            #expect(!shop.exists("Generated/B.generated.swift"))
            #expect(shop.complaints.isEmpty)
        }
    }

    @Test("headers written before know only the folder's name, and are recognised")
    func oldHeaders() throws {
        let shop = try Workshop(["A.yaml": "entity: A\n"])
        try shop.write("entity: A\nfields: { x: Int }\n", to: "Deep/Schemas/A.yaml")
        try shop.remove("Schemas")
        let body = "\nstruct Old {}\n"
        for name in ["A", "Gone"] {
            // The header of a version that wrote the folder's name wherever it was.
            try shop.write(
                Workshop.headed(body, from: "Schemas/\(name).yaml"),
                to: "Generated/\(name).generated.swift")
        }
        #expect(generate(shop, "Deep/Schemas", "Generated") == .success)
        #expect(shop.complaints.isEmpty)
        #expect(!shop.exists("Generated/Gone.generated.swift"))
        #expect(try shop.text("Generated/A.generated.swift").contains(" ../Deep/Schemas/A.yaml."))
    }

    @Test(
        "are named by their path from the output folder unless they are beside it",
        arguments: [
            ("/p/Schemas", "/p/Generated", "Schemas"),
            ("/p/a/Schemas", "/p/Generated", "../a/Schemas"),
            ("/p/Schemas", "/p/a/b/Generated", "../../../Schemas"),
            ("/p/g/Schemas", "/p/g", "./Schemas"),
            ("/p/g", "/p/g", "g"), ("/p", "/p/g", ".."),
            ("/home/me/Schemas", "/tmp/out", "Schemas"),
            ("/p/x/../Schemas/", "/p/./Generated", "Schemas"),
        ])
    func names(_ schemas: String, _ output: String, _ name: String) {
        #expect(OutputOwner(schemas: schemas, output: output).folderInHeaders == name)
    }
}

extension Workshop {
    /// What a schema generates.
    static func generated(_ schema: String) throws -> String {
        let shop = try Workshop(["A.yaml": schema])
        #expect(shop.generate() == .success)
        return try shop.text("Generated/A.generated.swift")
    }

    /// A text with the header that the generator would write.
    static func headed(_ body: String, from source: String) -> String {
        let digits = String(FileHeader(source: source, body: body).hash, radix: 16)
        let hash = String(repeating: "0", count: 16 - digits.count) + digits
        return
            "// swift-format-ignore-file\n// Generated by swift-repository-generator from \(source)."
            + " Do not edit: xxh64 \(hash)\n" + body
    }
}
