import Foundation
import Testing

@testable import repository_generator

/// What the tool says when it cannot go on; nothing is written then.
@Suite("bad input")
struct BadInputTests {
    @Test("all errors of all files are printed, and nothing is written")
    func schemaErrors() throws {
        let shop = try Workshop([
            "A.yaml": "entity: A\nfields: { x: Strng }\n", "B.yaml": "entity: B\nfeilds: {}\n",
        ])
        #expect(shop.generate() == .schemaErrors)
        #expect(shop.complaints.contains("A.yaml:2:14: error: "))
        #expect(shop.complaints.contains("B.yaml:2:1: error: "))
        #expect(!shop.exists("Generated"))
        #expect(shop.check() == .schemaErrors)
    }

    @Test("a schema folder that is not there")
    func noFolder() throws {
        let shop = try Workshop([:])
        #expect(shop.generate() == .unreadable)
        #expect(shop.complaints.contains("there is no such folder"))
        try shop.write("", to: "Schemas")
        shop.forget()
        #expect(shop.generate() == .unreadable)
        #expect(shop.complaints.contains("is not a folder"))
    }

    @Test("a folder and a symbolic link that are called like schemas")
    func notFiles() throws {
        let shop = try Workshop()
        try shop.write("entity: A\n", to: "Schemas/x.yaml/A.yaml")
        #expect(shop.generate() == .unreadable)
        #expect(shop.complaints.contains("x.yaml: error: is a folder, and a schema is a file"))
        try shop.remove("Schemas/x.yaml")
        shop.forget()
        try FileManager.default.createSymbolicLink(
            at: shop.root.appending(path: "Schemas/x.yaml"),
            withDestinationURL: shop.root.appending(path: "Schemas/Note.yaml"))
        #expect(shop.generate() == .unreadable)
        #expect(
            shop.complaints.contains("x.yaml: error: is a symbolic link, and a schema is a file"))
        #expect(!shop.exists("Generated"))
    }

    @Test("a file of the wrong ending, and hidden files")
    func endings() throws {
        let shop = try Workshop(["Note.yml": "entity: Note\n"])
        #expect(shop.generate() == .schemaErrors)
        #expect(shop.complaints.contains("rename it to 'Note.yaml'"))
        let other = try Workshop([
            "Note.yaml": "entity: Note\n", ".#Note.yaml": "{", "README.md": "{",
        ])
        #expect(other.generate() == .success)
    }

    @Test("a file past the bound is not read whole")
    func tooLarge() throws {
        let shop = try Workshop()
        let url = shop.root.appending(path: "Schemas/Large.yaml")
        #expect(FileManager.default.createFile(atPath: url.path, contents: nil))
        let file = try FileHandle(forWritingTo: url)
        try file.truncate(atOffset: 1 << 40)
        try file.close()
        #expect(shop.generate() == .schemaErrors)
        #expect(shop.complaints.contains("Large.yaml:1:1: error: the file is larger than 16 MiB"))
    }

    @Test("a file where the output folder should be, a folder where a file should be")
    func outputTaken() throws {
        let shop = try Workshop()
        try shop.write("", to: "Generated")
        #expect(shop.generate() == .unreadable)
        try shop.remove("Generated")
        try shop.write("", to: "Generated/Note.generated.swift/x")
        shop.forget()
        #expect(shop.generate() == .unreadable)
        #expect(shop.complaints.contains("is a folder where a file must be written"))
        #expect(shop.check() == .unreadable)
    }
}
