import Foundation
import RepositoryGeneratorCore
import Testing

@testable import repository_generator

/// Recording of released versions, and what the other commands make of them.
@Suite("release")
struct ReleaseTests {
    /// Swift Testing has a type `ExitStatus`, too.
    private typealias Status = repository_generator.ExitStatus

    private static let first = "Schemas/Versions/0001.yaml"
    private static let second = "Schemas/Versions/0002.yaml"

    /// A folder with version 1.
    private static func released() throws -> Workshop {
        let shop = try Workshop()
        #expect(shop.release() == .success)
        shop.forget()
        return shop
    }

    @Test("writes version 1, and nothing without changes")
    func once() throws {
        let shop = try Workshop()
        #expect(shop.release() == .success)
        #expect(shop.output.contains("wrote \(shop.locations.schemas)/Versions/0001.yaml\n"))
        let lines = try shop.text(Self.first).split(separator: "\n", maxSplits: 1)
        #expect(lines[0].hasPrefix("# Released by repository-generator. Do not edit: sha256 "))
        #expect(
            lines[1] == """
                entity: Note
                table: notes
                id: { name: id, type: UUID, column: id, default: generated }
                fields:
                  text: { type: String, column: text }

                """)
        let before = try shop.snapshot()
        shop.forget()
        #expect(shop.release() == .success)
        #expect(shop.output == "Nothing has changed since version 1; nothing was written.")
        // Another notation of the same schema.
        try shop.write("entity: Note\ndoc: A note.\nfields: {text: String}", to: "Schemas/N.yaml")
        try shop.remove("Schemas/Note.yaml")
        #expect(shop.release() == .success)
        #expect(
            try shop.snapshot().filter { $0.key.contains("Versions/") }
                == before.filter { $0.key.contains("Versions/") })
    }

    @Test("writes the next version and names what has changed")
    func next() throws {
        let shop = try Self.released()
        try shop.write(
            "entity: Note\nfields: { body: { type: String, renamedFrom: text }, stars: Int? }\n",
            to: "Schemas/Note.yaml")
        #expect(shop.release() == .success)
        #expect(
            shop.output.contains(
                "  field-added: the field 'stars' of the entity 'Note' is new (kept)\n"))
        #expect(
            shop.output.hasSuffix(
                "Version 2 is released. Commit its file, do not edit it, and run 'repository-generator generate'."
            ))
        #expect(try shop.text(Self.second).contains("renamedFrom: [text]"))
        // The decision is spent: it may go or stay.
        #expect(shop.release() == .success)
        try shop.write(
            "entity: Note\nfields: { body: String, stars: Int? }\n", to: "Schemas/Note.yaml")
        #expect(shop.release() == .success)
        #expect(!shop.exists("Schemas/Versions/0003.yaml"))
        // A shape may return.
        try shop.write(
            "entity: Note\nremoved: stars\nfields: { text: { type: String, renamedFrom: body } }\n",
            to: "Schemas/Note.yaml")
        #expect(shop.release() == .success)
        let third = try shop.text("Schemas/Versions/0003.yaml")
        #expect(third.contains("removed: [stars]"))
        #expect(third.contains("text: { type: String, column: text, renamedFrom: [body] }"))
    }

    @Test("writes the decisions that the version used")
    func decisions() throws {
        let shop = try Workshop([
            "Note.yaml": "entity: Note\nfields: { text: String, day: Date? }\n",
            "Old.yaml": "entity: Old\n",
        ])
        #expect(shop.release() == .success)
        try shop.remove("Schemas/Old.yaml")
        try shop.write("removed: [Old, Older]\n", to: "Schemas/repositories.yaml")
        try shop.write(
            """
            entity: Note
            removed: [day, hour]
            fields:
              text: { type: String, convert: value }
              stars: { type: Int, fill: { value: 3, for: 2 } }
            """, to: "Schemas/Note.yaml")
        #expect(shop.release() == .success)
        let lines = try shop.text(Self.second).split(separator: "\n", maxSplits: 1)
        #expect(
            lines[1] == """
                removed: [Old]
                ---
                entity: Note
                table: notes
                removed: [day]
                id: { name: id, type: UUID, column: id, default: generated }
                fields:
                  text: { type: String, column: text }
                  stars: { type: Int, column: stars, fill: 3 }

                """)
        // The decisions are no part of the schema.
        #expect(shop.check(released: true) == .drift)
        #expect(shop.generate() == .success)
        #expect(shop.check(released: true) == .success)
        try shop.remove("Schemas/repositories.yaml")
        try shop.write(
            "entity: Note\nfields: { text: String, stars: Int }\n", to: "Schemas/Note.yaml")
        shop.forget()
        #expect(shop.release() == .success)
        #expect(shop.output == "Nothing has changed since version 2; nothing was written.")
    }

    @Test("records a function over several entities")
    func tables() throws {
        let shop = try Self.released()
        try shop.write("migrate: { code: [Note] }\n", to: "Schemas/repositories.yaml")
        #expect(shop.release() == .success)
        #expect(try shop.text(Self.second).contains("migrate: [{ code: [Note] }]"))
        shop.forget()
        #expect(shop.release() == .success)
        #expect(shop.output == "Nothing has changed since version 2; nothing was written.")
    }

    @Test("records a migration that changes no type")
    func migration() throws {
        let shop = try Self.released()
        try shop.write(
            "entity: Note\nmigrate: { code, for: 2 }\nfields: { text: String }\n",
            to: "Schemas/Note.yaml")
        shop.forget()
        #expect(shop.generate() == .success)
        #expect(shop.check(released: true) == .unreleased)
        #expect(
            shop.complaints.contains(
                "Note.yaml:2:10: error: 'migrate' of the entity 'Note' is new: code\n"))
        #expect(shop.release() == .success)
        #expect(try shop.text("Schemas/Versions/0002.yaml").contains("\nmigrate: code\n"))
        shop.forget()
        #expect(shop.release() == .success)
        #expect(shop.output == "Nothing has changed since version 2; nothing was written.")
        // The whole schema can go, too.
        try shop.write("removed: Note\n", to: "Schemas/repositories.yaml")
        try shop.write("# Nothing.\n", to: "Schemas/Note.yaml")
        #expect(shop.release() == .success)
        #expect(try shop.text("Schemas/Versions/0003.yaml").hasSuffix("\nremoved: [Note]\n"))
        #expect(shop.release() == .success)
        #expect(!shop.exists("Schemas/Versions/0004.yaml"))
    }

    @Test("writes nothing where a schema has an error, and reports all")
    func schemaErrors() throws {
        let shop = try Self.released()
        try shop.write("entity: Note\nfields: { text: Strng }\n", to: "Schemas/Note.yaml")
        try shop.edit(Self.first, adding: "# by hand\n")
        let before = try shop.snapshot()
        #expect(shop.release() == .schemaErrors)
        #expect(shop.complaints.contains("there is no type 'Strng'"))
        #expect(shop.complaints.contains("Versions/0001.yaml:1:57: error: the file was edited"))
        #expect(shop.complaints.contains("restore the file from version control"))
        #expect(try shop.snapshot() == before)
    }

    @Test("takes warnings as errors where it is asked to")
    func warnings() throws {
        let shop = try Workshop([
            "A.yaml": "entity: A\nfields: { a: { type: String, default: 1 } }\n"
        ])
        var tool = shop.tool()
        tool.warningsAreErrors = true
        #expect(tool.release(shop.locations) == .schemaErrors)
        #expect(!shop.exists("Schemas/Versions"))
        #expect(shop.release() == .success)
    }

    @Test("reports each file that is not a version, at its place")
    func folder() throws {
        let shop = try Self.released()
        let folder = shop.root.appending(path: "Schemas/Versions")
        try shop.write(try shop.text(Self.first), to: "Schemas/Versions/0003.yaml")
        try shop.write("", to: "Schemas/Versions/notes.txt")
        try shop.write("", to: "Schemas/Versions/.hidden")
        try shop.write("", to: "Schemas/Versions/side-x.yaml/file")
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "0004.yaml").path, withDestinationPath: "0003.yaml")
        try Data([0xFF]).write(to: folder.appending(path: "0005.yaml"))
        for status in [shop.release(), shop.generate(), shop.check()] {
            #expect(status == .schemaErrors)
        }
        for line in [
            "0003.yaml:1:1: error: version 2 is missing before version 3",
            "0004.yaml:1:1: error: this is a symbolic link, and a version is a file",
            "0005.yaml:1:1: error: the file is not UTF-8",
            "notes.txt:1:1: error: 'notes.txt' is not the file of a version",
            "side-x.yaml:1:1: error: this is a folder, and a version is a file",
        ] {
            #expect(shop.complaints.contains("/Versions/\(line)\n"), "\(line)")
        }
        #expect(!shop.complaints.contains(".hidden"))
    }

    @Test("keeps schemas out of the reserved folder")
    func reserved() throws {
        let shop = try Self.released()
        #expect(shop.generate() == .success)
        #expect(!shop.exists("Generated/Versions"))
        #expect(shop.check() == .success)
        // A folder of this name below is an ordinary one.
        try shop.write("entity: Draft\n", to: "Schemas/people/Versions/Draft.yaml")
        #expect(shop.generate() == .success)
        #expect(shop.exists("Generated/people/Versions/Draft.generated.swift"))
        try shop.write("entity: Other\n", to: "Schemas/versions/Other.yaml")
        shop.forget()
        #expect(shop.generate() == .unreadable)
        #expect(shop.complaints.contains("/Schemas/versions: error: the name is reserved"))
        try shop.remove("Schemas/versions")
        try shop.remove("Schemas/Versions")
        try FileManager.default.createSymbolicLink(
            atPath: shop.root.appending(path: "Schemas/Versions").path,
            withDestinationPath: "people")
        #expect(shop.release() == .unreadable)
        #expect(shop.complaints.contains("/Schemas/Versions: error: is a symbolic link"))
    }

    @Test("is seen by a run that would otherwise have nothing to do")
    func remembered() throws {
        let shop = try Self.released()
        #expect(shop.generate() == .success)
        #expect(shop.generate() == .success)
        try shop.edit(Self.first, adding: "# by hand\n")
        #expect(shop.generate() == .schemaErrors)
        #expect(shop.check() == .schemaErrors)
    }

    @Test("is asked for by 'check --released'")
    func checkReleased() throws {
        let shop = try Workshop()
        #expect(shop.generate() == .success)
        shop.forget()
        #expect(shop.check(released: true) == .unreleased)
        #expect(shop.complaints.contains("No version has been released"))
        #expect(shop.release() == .success)
        // The generated code contains the versions.
        #expect(shop.check(released: true) == .drift)
        #expect(shop.generate() == .success)
        shop.forget()
        #expect(shop.check(released: true) == .success)
        #expect(shop.output.hasSuffix("The schemas are those of version 1."))
        #expect(shop.complaints == "")
        try shop.write(
            "entity: Note\nremoved: text\nfields:\n  stars: Int?\n", to: "Schemas/Note.yaml")
        shop.forget()
        #expect(shop.check(released: true) == .drift)
        #expect(shop.complaints.contains("The schemas differ from version 1"))
        #expect(shop.generate() == .success)
        #expect(shop.check() == .success)
        shop.forget()
        #expect(shop.check(released: true) == .unreleased)
        #expect(
            shop.complaints.contains(
                "Note.yaml:4:3: error: the field 'stars' of the entity 'Note' is new\n"))
        #expect(
            shop.complaints.contains(
                "Versions/0001.yaml:6:3: error: the field 'text' of the entity 'Note' is no longer")
        )
        shop.forget()
        #expect(shop.tool(printing: .json).check(shop.locations, released: true) == .unreleased)
        #expect(shop.output.split(separator: "\n").count == 2)
        #expect(shop.output.contains(#""rule":"unreleased""#))
        #expect(shop.release() == .success)
        #expect(shop.generate() == .success)
        #expect(shop.check(released: true) == .success)
    }

    @Test("of another checkout is recorded beside the versions")
    func side() throws {
        let shop = try Self.released()
        let other = try Workshop([
            "Note.yaml":
                "entity: Note\nfields: { text: { type: String, renamedFrom: t }, lost: Int }\n"
        ])
        let path = "Schemas/Versions/side-beta.yaml"
        func release(_ name: String, of shop: Workshop = other, into target: Workshop) -> Status {
            target.tool().release(side: name, of: shop.locations, into: target.locations.schemas)
        }
        #expect(release("beta", into: shop) == .success)
        #expect(try shop.text(path).contains("\n  lost: { type: Int, column: lost }\n"))
        #expect(!(try shop.text(path).contains("renamedFrom")))
        #expect(!other.exists("Schemas/Versions"))
        let before = try shop.snapshot()
        shop.forget()
        #expect(release("beta", into: shop) == .success)
        #expect(release("gamma", into: shop) == .success)
        #expect(shop.output.contains("side-beta.yaml' is this schema; nothing was written."))
        // What a version has is not recorded again.
        let same = try Workshop()
        #expect(release("same", of: same, into: shop) == .success)
        #expect(shop.output.hasSuffix("0001.yaml' is this schema; nothing was written."))
        try other.write("entity: Note\nfields: { another: Int }\n", to: "Schemas/Note.yaml")
        #expect(release("Beta", into: shop) == .drift)
        #expect(shop.complaints.contains("the side version 'beta' is another schema"))
        #expect(try shop.snapshot() == before)
        #expect(shop.generate() == .success)
        // Side versions do not count.
        #expect(shop.check(released: true) == .success)
        try other.write("entity: Note\nfields: { another: Strng }\n", to: "Schemas/Note.yaml")
        #expect(release("delta", into: shop) == .schemaErrors)
        try other.remove("Schemas")
        #expect(release("delta", into: shop) == .unreadable)
    }

    @Test("does not replace a file that another run writes at the same time")
    func exclusive() throws {
        let shop = try Workshop()
        let path = shop.root.appending(path: "new/0001.yaml").path
        try AtomicFile.create("one", at: path)
        #expect(throws: FileProblem.self) { try AtomicFile.create("two", at: path) }
        #expect(try shop.text("new/0001.yaml") == "one")
        #expect(
            try FileManager.default.contentsOfDirectory(
                atPath: shop.root.appending(path: "new").path) == ["0001.yaml"])
    }

    @Test("removes what a killed run has left")
    func leftBehind() throws {
        let shop = try Workshop()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["true"]
        try process.run()
        process.waitUntilExit()
        let path = "Schemas/Versions/.0001.yaml.\(process.processIdentifier).tmp"
        try shop.write("entity: ", to: path)
        #expect(shop.release() == .success)
        #expect(!shop.exists(path))
    }

    @Test("by several runs at once writes one version", .enabled(if: CommandLineTests.isBuilt))
    func concurrent() async throws {
        let shop = try Workshop()
        let programs = try (0..<4).map { _ in try StartedProgram(["release"], in: shop.root) }
        var statuses: [Int32] = []
        for program in programs { statuses.append(try await program.end()) }
        #expect(statuses.contains(0))
        #expect(statuses.allSatisfy { $0 == 0 || $0 == 3 })
        #expect(
            try FileManager.default.contentsOfDirectory(
                atPath: shop.root.appending(path: "Schemas/Versions").path) == ["0001.yaml"])
        #expect(shop.check() == .drift)
    }

    @Test("exits with 0, 1, 2, 3, 4 and 64", .enabled(if: CommandLineTests.isBuilt))
    func exitCodes() throws {
        let shop = try Workshop()
        let line = CommandLineTests()
        #expect(try line.run(["generate"], in: shop.root).0 == 0)
        #expect(try line.run(["check", "--released"], in: shop.root).0 == 4)
        #expect(try line.run(["release"], in: shop.root).0 == 0)
        #expect(try line.run(["release"], in: shop.root).0 == 0)
        #expect(try line.run(["check", "--released"], in: shop.root).0 == 1)
        #expect(try line.run(["generate"], in: shop.root).0 == 0)
        #expect(try line.run(["check", "--released"], in: shop.root).0 == 0)
        for arguments in [
            ["--side", "a"], ["--side", "a/b", "--schemas", "Other"], ["--into", "Schemas"],
            ["--side", "a", "--schemas", "Schemas"], ["--side", "a", "--schemas", "./Schemas/"],
        ] {
            #expect(try line.run(["release"] + arguments, in: shop.root).0 == 64, "\(arguments)")
        }
        try shop.write("entity: Note\nfields: { a: Int }\n", to: "Other/Note.yaml")
        let side = ["release", "--side", "a", "--schemas", "Other"]
        #expect(
            try line.run(side, in: shop.root) == (0, "wrote Schemas/Versions/side-a.yaml\n"))
        try shop.write("entity: Note\nfields: { b: Int }\n", to: "Other/Note.yaml")
        #expect(try line.run(side, in: shop.root).0 == 1)
        try shop.write("# by hand\n", to: "Schemas/Versions/0001.yaml")
        #expect(try line.run(["release"], in: shop.root).0 == 2)
        #expect(try line.run(["release", "--schemas", "None"], in: shop.root).0 == 3)
    }
}
