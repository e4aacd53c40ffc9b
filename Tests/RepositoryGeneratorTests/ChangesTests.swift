import Foundation
import RepositoryGeneratorCore
import Testing

@testable import repository_generator

/// The command `changes`, and what the other commands make of changes without a decision.
@Suite("changes")
struct ChangesTests {
    private static let undecided =
        "entity: Note\nfields: { text: String, stars: Int, mark: { type: String, fill: none } }\n"

    /// A folder with version 1, and a schema after it.
    private static func changed(_ text: String) throws -> Workshop {
        let shop = try Workshop()
        #expect(shop.release() == .success)
        try shop.write(text, to: "Schemas/Note.yaml")
        shop.forget()
        return shop
    }

    @Test("prints each change with its place and grades")
    func list() throws {
        let shop = try Self.changed("entity: Note\nfields: { text: String, stars: Int? }\n")
        #expect(shop.tool().changes(shop.locations) == .success)
        #expect(shop.complaints == "")
        let path = "\(shop.locations.schemas)/Note.yaml"
        #expect(
            shop.output == """
                1 change since version 1:

                \(path):2:25: field-added
                  the field 'stars' of the entity 'Note' is new
                    stored data     kept
                    Swift callers   compatible
                    older programs  works on columns, refused on documents
                    sqlite          at once
                    files           at once
                    userDefaults    at once
                """)
        shop.forget()
        #expect(shop.tool().changes(shop.locations, as: .markdown) == .success)
        #expect(shop.output.hasPrefix("**1 change since version 1**\n\n| code | change |"))
        shop.forget()
        #expect(shop.tool().changes(shop.locations, as: .json) == .success)
        let json = try JSONSerialization.jsonObject(with: Data(shop.output.utf8))
        let steps = (json as? [String: Any])?["steps"] as? [[String: Any]]
        let changes = steps?.first?["changes"] as? [[String: Any]]
        #expect(changes?.count == 1)
        #expect(changes?.first?["code"] as? String == "field-added")
        #expect(changes?.first?["file"] as? String == path)
        #expect(changes?.first?["line"] as? Int == 2)
    }

    @Test("prints nothing to do without versions or without changes")
    func nothing() throws {
        let shop = try Workshop()
        #expect(shop.tool().changes(shop.locations) == .success)
        #expect(shop.output.hasPrefix("No version has been released"))
        #expect(shop.release() == .success)
        shop.forget()
        #expect(shop.tool().changes(shop.locations) == .success)
        #expect(shop.output == "No changes since version 1.")
        #expect(!shop.exists("Generated"))
    }

    @Test("are errors without a decision, of every command, and are listed all the same")
    func undecided() throws {
        let shop = try Self.changed(Self.undecided)
        let before = try shop.snapshot()
        #expect(shop.tool().changes(shop.locations) == .schemaErrors)
        #expect(shop.output.contains("required-field-added\n"))
        #expect(shop.output.contains("    stored data     undecided\n"))
        let error =
            "Note.yaml:2:25: error: the field 'stars' of the entity 'Note' is new and required, and "
            + "stored records have no value for it\n"
        for status in [shop.generate(), shop.check(), shop.release(), shop.generate(force: true)] {
            #expect(status == .schemaErrors)
        }
        #expect(shop.complaints.components(separatedBy: error).count == 6)
        #expect(
            shop.complaints.contains(
                "write 'fill: 0', another value or 'fill: code' at the field 'stars'"))
        #expect(try shop.snapshot() == before)
        try shop.write(
            Self.undecided.replacing("stars: Int,", with: "stars: { type: Int, fill: 0 },"),
            to: "Schemas/Note.yaml")
        shop.forget()
        #expect(shop.generate() == .success)
        #expect(shop.check() == .success)
        #expect(
            shop.output.contains(
                """
                Since version 1:
                  required-field-added: the field 'stars' of the entity 'Note' is new (converted)
                  required-field-added: the field 'mark' of the entity 'Note' is new (converted)
                """))
        // A second run, which could be skipped, prints them, too.
        shop.forget()
        #expect(shop.check() == .success)
        #expect(shop.output.contains("Since version 1:"))
        #expect(shop.release() == .success)
        #expect(shop.generate() == .success)
        shop.forget()
        #expect(shop.check(released: true) == .success)
        #expect(!shop.output.contains("Since"))
    }

    @Test("are warnings where stored data may not fit")
    func depends() throws {
        let shop = try Self.changed(
            "entity: Note\nfields: { text: { type: String, unique: true } }\n")
        #expect(shop.generate() == .success)
        #expect(shop.complaints.contains("Note.yaml:2:11: warning: the index 'notes_text'"))
        var tool = shop.tool()
        tool.warningsAreErrors = true
        #expect(tool.generate(shop.locations, force: false) == .schemaErrors)
        #expect(tool.release(shop.locations) == .schemaErrors)
        #expect(shop.release() == .success)
    }

    @Test("are listed since any version or version file")
    func since() throws {
        let shop = try Self.changed("entity: Note\nfields: { text: String, stars: Int? }\n")
        #expect(shop.release() == .success)
        try shop.write(
            "entity: Note\nremoved: [stars]\nfields: { text: String }\n", to: "Schemas/Note.yaml")
        shop.forget()
        #expect(shop.tool().changes(shop.locations, since: "1") == .success)
        #expect(shop.output.contains("1 change in version 2:\n"))
        #expect(shop.output.contains("Versions/0002.yaml:"))
        #expect(shop.output.contains("1 change since version 2:\n"))
        shop.forget()
        let file = "\(shop.locations.schemas)/Versions/0001.yaml"
        #expect(shop.tool().changes(shop.locations, since: file) == .success)
        #expect(shop.output == "No changes since '\(file)'.")
        for since in ["3", "0", "-1"] {
            shop.forget()
            #expect(shop.tool().changes(shop.locations, since: since) == .unreadable)
            #expect(shop.complaints.contains("there is no version \(since); the newest is version 2"))
        }
        #expect(shop.tool().changes(shop.locations, since: "nowhere.yaml") == .unreadable)
        try shop.edit("Schemas/Note.yaml", adding: "docc: x\n")
        #expect(shop.tool().changes(shop.locations, since: file) == .schemaErrors)
        try shop.write("entity: Note\n", to: "old.yaml")
        try shop.write("entity: Note\nfields: { text: String }\n", to: "Schemas/Note.yaml")
        #expect(
            shop.tool().changes(
                shop.locations, since: shop.root.appending(path: "old.yaml").path)
                == .unreadable)
        #expect(shop.complaints.contains("the first line is not that of a version file"))
    }
}
