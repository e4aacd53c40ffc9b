import Foundation
import Testing

@testable import repository_generator

/// What is odd about schemas: said, and no obstacle unless that is asked for.
@Suite("warnings")
struct WarningTests {
    private static let odd = [
        "Note.yaml": "entity: Note\nfields: { text: String }\n---\nenum: Mood\ncases: [good]\n"
    ]

    private static let line = "/Schemas/Note.yaml:4:7: warning: no field is of the enum 'Mood'\n"

    @Test("do not keep files from being written")
    func written() throws {
        let shop = try Workshop(Self.odd)
        #expect(shop.generate() == .success)
        #expect(shop.exists("Generated/Note.generated.swift"))
        #expect(shop.complaints.contains(Self.line + "  enum: Mood\n        ^~~~\nhelp: remove it"))
        #expect(shop.complaints.hasSuffix("\n\n1 warning."))
        shop.forget()
        #expect(shop.check() == .success)
        #expect(shop.complaints.contains(Self.line))
    }

    @Test("are errors when that is asked for")
    func errors() throws {
        let shop = try Workshop(Self.odd)
        var tool = shop.tool()
        tool.warningsAreErrors = true
        #expect(tool.generate(shop.locations, force: false) == .schemaErrors)
        #expect(tool.check(shop.locations) == .schemaErrors)
        #expect(!shop.exists("Generated"))
        #expect(shop.complaints.contains("Note.yaml:4:7: error: no field is of the enum 'Mood'\n"))
        #expect(shop.complaints.hasSuffix("\n\n1 problem found; nothing was written."))
    }

    @Test("are not mixed with errors, which hide what is used")
    func errorsAlone() throws {
        let shop = try Workshop(Self.odd)
        try shop.write("entity: Other\nfields: { mood: Moood }\n", to: "Schemas/Other.yaml")
        #expect(shop.generate() == .schemaErrors)
        #expect(!shop.complaints.contains("warning"))
    }

    @Test("are diagnostics for programs, too")
    func programs() throws {
        let shop = try Workshop(Self.odd)
        #expect(shop.tool(printing: .json).generate(shop.locations, force: false) == .success)
        #expect(shop.output.contains(#""severity":"warning","rule":"unused-type","message":"#))
        shop.forget()
        #expect(shop.tool(printing: .sarif).check(shop.locations) == .success)
        #expect(shop.output.contains("\"ruleId\": \"unused-type\""))
        #expect(shop.output.contains("\"level\": \"warning\""))
        #expect(try shop.text("Generated/Note.generated.swift").contains("enum Mood"))
    }

    @Test("are taken as errors by an option", .enabled(if: CommandLineTests.isBuilt))
    func option() throws {
        let shop = try Workshop(Self.odd)
        let program = CommandLineTests()
        for command in ["generate", "check"] {
            let strict = try program.run([command, "--warnings-as-errors"], in: shop.root)
            #expect(strict.0 == 2)
            #expect(strict.1.hasPrefix("Schemas/Note.yaml:4:7: error: "))
            #expect(!shop.exists("Generated"))
        }
        let lenient = try program.run(["generate"], in: shop.root)
        #expect(lenient.0 == 0)
        #expect(lenient.1.hasPrefix("Schemas/Note.yaml:4:7: warning: "))
    }
}
