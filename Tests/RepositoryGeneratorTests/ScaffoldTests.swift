import Foundation
import Testing

@testable import repository_generator

/// What `init` writes.
@Suite("init")
struct ScaffoldTests {
    @Test("writes schemas and output, and says what to add to the manifest")
    func fresh() throws {
        let shop = try Workshop([:])
        #expect(shop.scaffold("Library") == .success)
        #expect(shop.exists("Schemas/Note.yaml"))
        #expect(shop.exists("Generated/Note.generated.swift"))
        #expect(
            try shop.text("Generated/Library.repositories.generated.swift").contains(
                "struct Library"))
        #expect(shop.output.contains(".target("))
        #expect(shop.check() == .success)
    }

    @Test("overwrites nothing")
    func existing() throws {
        let shop = try Workshop(["Note.yaml": "entity: Note\nfields: { mine: Int }\n"])
        #expect(shop.scaffold("Library") == .success)
        #expect(try shop.text("Schemas/Note.yaml").contains("mine"))
        #expect(shop.output.contains("kept "))
        let before = try shop.snapshot()
        #expect(shop.scaffold("Other") == .success)
        #expect(try shop.snapshot() == before)
    }

    @Test("refuses a name that Swift does not take", arguments: ["", "1st", "a-b", "class"])
    func name(name: String) throws {
        let shop = try Workshop([:])
        #expect(shop.scaffold(name) == .schemaErrors)
        #expect(!shop.exists("Schemas"))
    }

    @Test(
        "writes nothing where the name meets what the first schema generates, or a module",
        arguments: ["Note", "NoteRepository", "NoteMapper", "Foundation", "Self"])
    func takenName(name: String) throws {
        let shop = try Workshop([:])
        #expect(shop.scaffold(name) == .schemaErrors)
        #expect(try shop.snapshot().isEmpty)
        #expect(shop.output.isEmpty)
        #expect(shop.complaints.hasPrefix("error: '\(name)' cannot be the name of "))
        #expect(shop.complaints.hasSuffix("\nNothing was written."))
    }

    @Test("writes nothing where the schemas that are there have errors")
    func wrongSchemas() throws {
        let shop = try Workshop(["Other.yaml": "entity: Other\nfields: { x: Strin }\n"])
        let before = try shop.snapshot()
        #expect(shop.scaffold("Library") == .schemaErrors)
        #expect(try shop.snapshot() == before)
        #expect(shop.complaints.contains("Other.yaml:2:14: error: "))
        #expect(shop.complaints.hasSuffix("nothing was written."))
        let twice = try Workshop(["Mine.yaml": "entity: Note\n"])
        let present = try twice.snapshot()
        #expect(twice.scaffold("Library") == .schemaErrors)
        #expect(try twice.snapshot() == present)
    }

    @Test("writes nothing where another file is in the way of the output")
    func blockedOutput() throws {
        let shop = try Workshop([:])
        try shop.write("mine\n", to: "Generated/Note.generated.swift")
        let before = try shop.snapshot()
        #expect(shop.scaffold("Library") == .drift)
        #expect(try shop.snapshot() == before)
        let other = try Workshop([:])
        try other.write("mine\n", to: "Generated")
        #expect(other.scaffold("Library") == .unreadable)
        #expect(!other.exists("Schemas"))
        #expect(try other.text("Generated") == "mine\n")
        #expect(other.output.isEmpty)
    }

    @Test("shows the exclusion of schemas that lie in a target")
    func fragment() {
        let nested = Scaffold(
            name: "Library",
            locations: Locations(schemas: "Sources/App/Schemas", output: nil, module: nil))
        #expect(nested.packageFragment.contains("exclude: [\"Schemas\"]"))
        #expect(nested.packageFragment.contains("name: \"App\""))
        let top = Scaffold(
            name: "Library", locations: Locations(schemas: "Schemas", output: nil, module: nil))
        #expect(!top.packageFragment.contains("exclude"))
        #expect(top.packageFragment.contains("path: \"Generated\""))
    }

    @Test(
        "puts the output beside the schemas",
        arguments: [
            ("Schemas", "Generated"), ("./Schemas/", "Generated"), ("a/Schemas", "a/Generated"),
            ("/a/Schemas", "/a/Generated"), ("/Schemas", "/Generated"), (".", "../Generated"),
        ])
    func beside(schemas: String, output: String) {
        let locations = Locations(schemas: schemas, output: nil, module: nil)
        #expect(locations.outputFolder(named: "Generated") == output)
    }
}
