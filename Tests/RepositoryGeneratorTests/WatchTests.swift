import Foundation
import Testing

@testable import repository_generator

/// `generate --watch`, as it runs at a terminal.
@Suite("generate --watch", .enabled(if: CommandLineTests.isBuilt))
struct WatchTests {
    private func watching(_ shop: Workshop) async throws -> StartedProgram {
        let program = try StartedProgram(["generate", "--watch"], in: shop.root)
        try await program.line(holding: "Watching Schemas.")
        return program
    }

    private func stop(_ program: StartedProgram, _ signal: Int32 = SIGTERM) async throws {
        program.send(signal)
        #expect(try await program.end() == 0)
    }

    @Test("generates again after a save, also one that renames, with a line for each")
    func saves() async throws {
        let shop = try Workshop()
        let program = try await watching(shop)
        try shop.write("entity: Note\nfields: { one: Int }\n", to: "Schemas/Note.yaml")
        let line = try await program.line(holding: "wrote Generated/Note.generated.swift (")
        #expect(line.hasSuffix(" ms)"))
        #expect(try shop.text(GenerateTests.note).contains("var one: Int"))
        try shop.write("entity: Note\nfields: { two: Int }\n", to: "Schemas/.Note.yaml.new")
        try shop.write("swap", to: "Schemas/.Note.yaml.swp")
        #expect(
            rename(
                shop.root.path + "/Schemas/.Note.yaml.new", shop.root.path + "/Schemas/Note.yaml")
                == 0)
        try await program.line(holding: "wrote Generated/Note.generated.swift (")
        #expect(try shop.text(GenerateTests.note).contains("var two: Int"))
        try await stop(program)
    }

    @Test("sees new and deleted files and folders, and the settings")
    func tree() async throws {
        let shop = try Workshop()
        let program = try await watching(shop)
        try shop.write("entity: Author\n", to: "Schemas/people/deep/Author.yaml")
        try await program.line(holding: "wrote Generated/people/deep/Author.generated.swift")
        // The new folder is watched, too.
        try shop.write(
            "entity: Author\nfields: { age: Int }\n", to: "Schemas/people/deep/Author.yaml")
        try await program.line(holding: "wrote Generated/people/deep/Author.generated.swift (")
        try shop.remove("Schemas/people")
        try await program.line(holding: "deleted Generated/people/deep/Author.generated.swift")
        #expect(!shop.exists("Generated/people"))
        try shop.write("name: Library\n", to: "Schemas/repositories.yaml")
        try await program.line(holding: "wrote Generated/Library.repositories.generated.swift")
        try await stop(program)
    }

    @Test("shows what is wrong, and that it is mended")
    func errors() async throws {
        let shop = try Workshop()
        let program = try await watching(shop)
        try shop.write("entity: Note\nfields: { text: Strng }\n", to: "Schemas/Note.yaml")
        try await program.line(holding: "Schemas/Note.yaml:2:17: error: ")
        try shop.write("entity: Note\nfields: { text: String }\n", to: "Schemas/Note.yaml")
        try await program.line(holding: "Mended: 0 written, 0 deleted, 2 unchanged. (")
        try await stop(program)
    }

    @Test("waits for a folder that is not there, and for one that comes back")
    func missingFolder() async throws {
        let shop = try Workshop([:])
        let program = try await watching(shop)
        try shop.write("entity: Note\n", to: "Schemas/Note.yaml")
        try await program.line(holding: "Mended: ")
        try shop.remove("Schemas")
        try await program.line(holding: "Schemas: error: there is no such folder")
        try shop.write("entity: Other\n", to: "Schemas/Other.yaml")
        try await program.line(holding: "Mended: ")
        #expect(shop.exists("Generated/Other.generated.swift"))
        try await stop(program)
    }

    @Test("ends when it is interrupted or terminated", arguments: [SIGINT, SIGTERM])
    func signals(signal: Int32) async throws {
        let shop = try Workshop()
        let program = try await watching(shop)
        try await stop(program, signal)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: shop.root.appending(path: "Generated").path)
        #expect(names.count == 2)
        #expect(names.allSatisfy { $0.hasSuffix(".generated.swift") })
    }
}
