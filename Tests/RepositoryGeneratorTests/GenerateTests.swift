import Foundation
import Testing

@testable import repository_generator

/// What `generate` writes, deletes and refuses.
@Suite("generate")
struct GenerateTests {
    static let note = "Generated/Note.generated.swift"
    static let set = "Generated/Repositories.repositories.generated.swift"

    @Test("writes a file for each schema file and one for the set")
    func writes() throws {
        let shop = try Workshop([
            "people/Author.yaml": "entity: Author\n", "Book.yaml": "entity: Book\n",
        ])
        #expect(shop.generate() == .success)
        #expect(shop.exists("Generated/Book.generated.swift"))
        #expect(shop.exists("Generated/people/Author.generated.swift"))
        #expect(shop.exists(Self.set))
        #expect(shop.output.hasSuffix("3 written, 0 deleted, 0 unchanged."))
        #expect(
            try shop.text("Generated/people/Author.generated.swift").contains(
                " Schemas/people/Author.yaml."))
    }

    @Test("touches no file whose text stays the same")
    func unchanged() throws {
        let shop = try Workshop(["A.yaml": "entity: A\n", "B.yaml": "entity: B\n"])
        #expect(shop.generate() == .success)
        let before = try shop.snapshot()
        shop.forget()
        #expect(shop.generate() == .success)
        #expect(try shop.snapshot() == before)
        #expect(shop.output == "0 written, 0 deleted, 3 unchanged.")
        try shop.write("entity: B\nfields: { x: Int }\n", to: "Schemas/B.yaml")
        shop.forget()
        #expect(shop.generate() == .success)
        #expect(shop.output.hasSuffix("1 written, 0 deleted, 2 unchanged."))
        #expect(
            try shop.snapshot()["Generated/A.generated.swift"]
                == before["Generated/A.generated.swift"])
    }

    @Test("refuses a file edited by hand, names it and writes nothing")
    func edited() throws {
        let shop = try Workshop(["A.yaml": "entity: A\n", "B.yaml": "entity: B\n"])
        #expect(shop.generate() == .success)
        try shop.edit("Generated/A.generated.swift")
        try shop.write("entity: A\nfields: { x: Int }\n", to: "Schemas/A.yaml")
        try shop.write("entity: B\nfields: { x: Int }\n", to: "Schemas/B.yaml")
        let before = try shop.snapshot()
        #expect(shop.generate() == .drift)
        #expect(
            shop.complaints.contains(
                "Generated/A.generated.swift: error: the file was edited by hand"))
        #expect(!shop.complaints.contains("B.generated.swift"))
        #expect(try shop.snapshot() == before)
        #expect(shop.generate(force: true) == .success)
        #expect(try !shop.text("Generated/A.generated.swift").contains("by hand"))
    }

    @Test("refuses a file of its name that it did not write", arguments: ["struct Note {}\n", ""])
    func foreign(text: String) throws {
        let shop = try Workshop()
        try shop.write(text, to: Self.note)
        #expect(shop.generate() == .drift)
        #expect(shop.complaints.contains("the generator did not write this file"))
        #expect(try shop.text(Self.note) == text)
        #expect(!shop.exists(Self.set))
    }

    @Test("makes a file with Git's conflict marks anew")
    func conflict() throws {
        let shop = try Workshop()
        #expect(shop.generate() == .success)
        let text = try shop.text(Self.note)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let conflicted =
            ([lines[0], "<<<<<<< ours", lines[1], "=======", lines[1] + "0", ">>>>>>> theirs"]
            + lines[2...]).joined(separator: "\n")
        try shop.write(conflicted, to: Self.note)
        #expect(shop.generate() == .success)
        #expect(try shop.text(Self.note) == text)
    }

    @Test("deletes its own files whose schema is gone, and folders that are empty then")
    func stale() throws {
        let shop = try Workshop(["deep/er/A.yaml": "entity: A\n", "B.yaml": "entity: B\n"])
        #expect(shop.generate() == .success)
        try shop.remove("Schemas/deep")
        try shop.write("// mine\n", to: "Generated/Mine.generated.swift")
        try shop.write("// mine\n", to: "Generated/Mine.swift")
        shop.forget()
        #expect(shop.generate() == .success)
        #expect(shop.output.contains("deleted "))
        #expect(!shop.exists("Generated/deep"))
        #expect(shop.exists("Generated/Mine.generated.swift"))
        #expect(shop.exists("Generated/Mine.swift"))
    }

    @Test("refuses to delete a file edited by hand")
    func staleEdited() throws {
        let shop = try Workshop(["A.yaml": "entity: A\n", "B.yaml": "entity: B\n"])
        #expect(shop.generate() == .success)
        try shop.edit("Generated/A.generated.swift")
        try shop.remove("Schemas/A.yaml")
        #expect(shop.generate() == .drift)
        #expect(shop.exists("Generated/A.generated.swift"))
        #expect(shop.complaints.contains("its schema is gone"))
        #expect(shop.generate(force: true) == .success)
        #expect(!shop.exists("Generated/A.generated.swift"))
    }

    @Test("gives the same bytes wherever the folder lies")
    func samePlace() throws {
        let (one, two) = (try Workshop(), try Workshop())
        #expect(one.generate() == .success)
        #expect(two.generate() == .success)
        #expect(try one.text(Self.note) == two.text(Self.note))
        #expect(try !one.text(Self.note).contains(one.root.lastPathComponent))
    }

    @Test("writes to the folder that the settings name")
    func outputSetting() throws {
        let shop = try Workshop([
            "Note.yaml": "entity: Note\n", "repositories.yaml": "name: Library\noutput: Made\n",
        ])
        #expect(shop.generate() == .success)
        #expect(shop.exists("Made/Library.repositories.generated.swift"))
        #expect(!shop.exists("Generated"))
    }

    @Test("leaves no temporary file, and removes those of runs that were killed")
    func temporaries() throws {
        let shop = try Workshop()
        // No process has the largest number, and this one is alive.
        let dead = "Generated/.Note.generated.swift.2147483647.tmp"
        let alive =
            "Generated/.Note.generated.swift.\(ProcessInfo.processInfo.processIdentifier).tmp"
        try shop.write("half", to: dead)
        #expect(shop.generate() == .success)
        #expect(!shop.exists(dead))
        try shop.write("half", to: alive)
        #expect(shop.generate() == .success)
        #expect(shop.exists(alive))
        try shop.remove(alive)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: shop.root.appending(path: "Generated").path)
        #expect(names.allSatisfy { $0.hasSuffix(".generated.swift") })
    }
}
