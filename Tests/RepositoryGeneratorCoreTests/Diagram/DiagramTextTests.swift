import RepositorySchema
import Testing

@testable import RepositoryGeneratorCore

/// The diagram as text: Mermaid and DOT.
@Suite("The diagram as text")
struct DiagramTextTests {
    private static let club = """
        entity: Club
        fields: { name: { type: String, unique: true }, seats: "[Seat]", level: Level?, pk: Int }
        ---
        entity: Person
        id: { name: number, type: Int }
        fields:
          club: Club?
          mentor: { type: Person?, onDelete: setNull }
          friends: [Person]
          home: { type: Club?, unique: true }
          scores: { type: "[String: [Int?]]" }
        ---
        entity: Class
        id: [club, person]
        fields: { club: Club, person: Person }
        ---
        value: Seat
        fields: { row: Int, owner: Person? }
        ---
        enum: Level
        cases: [low, high]
        """

    @Test("in Mermaid's language")
    func mermaid() {
        let diagram = EntityDiagram(DiagramSets.set(Self.club))
        #expect(
            diagram.mermaid == """
                erDiagram
                    Club {
                        UUID id PK
                        String name UK
                        Seat[] seats
                        Level level "optional"
                        Int _pk
                    }
                    Person {
                        Int number PK
                        Club club FK "optional"
                        Person mentor FK "optional"
                        Person[] friends
                        Club home FK, UK "optional"
                        Map(Optional(Int)[]) scores
                    }
                    "Class" {
                        Club club PK, FK
                        Person person PK, FK
                    }
                    Person }o--o{ Club : "seats.owner"
                    Club |o--o{ Person : "club"
                    Person |o--o{ Person : "mentor"
                    Person }o--o{ Person : "friends"
                    Club |o--o| Person : "home"
                    Club ||--o{ "Class" : "club"
                    Person ||--o{ "Class" : "person"

                """)
    }

    @Test("with values and enums")
    func types() {
        let diagram = EntityDiagram(
            DiagramSets.set(Self.club), options: EntityDiagram.Options(showsTypes: true))
        let text = diagram.mermaid
        #expect(text.contains("    Seat {\n        Int row\n        Person owner \"optional\"\n"))
        #expect(text.contains("    Level {\n        String low\n        String high\n    }\n"))
        #expect(text.contains("    Seat }o..|| Club : \"seats\"\n"))
        #expect(text.contains("    Level |o..o{ Club : \"level\"\n"))
        #expect(text.contains("    Person |o--o{ Seat : \"owner\"\n"))
    }

    @Test("with unions, whose rows are the fields of their cases")
    func unions() {
        let set = DiagramSets.set(
            """
            entity: Note
            fields: { body: Body }
            ---
            union: Body
            cases: { text: { text: String }, from: { note: Note }, blank: {} }
            """)
        let whole = EntityDiagram(set, options: EntityDiagram.Options(showsTypes: true))
        #expect(
            whole.mermaid.contains(
                "    Body {\n        String text_text\n        Note from_note\n        Body blank\n    }\n"
            ))
        #expect(whole.mermaid.contains("    Body ||..|| Note : \"body\"\n"))
        #expect(whole.mermaid.contains("    Note |o--o{ Body : \"from.note\"\n"))
        #expect(whole.dot.contains(#""Body" [label="union Body|<f0> text.text: String\l|"#))
        let entities = EntityDiagram(set)
        #expect(entities.mermaid.contains("    Note |o--o{ Note : \"body.from.note\"\n"))
    }

    @Test("in Graphviz's language")
    func dot() {
        let diagram = EntityDiagram(
            DiagramSets.set(Self.club), options: EntityDiagram.Options(showsTypes: true))
        let text = diagram.dot
        #expect(text.hasPrefix("digraph \"Repositories\" {\n    graph [rankdir=RL"))
        #expect(text.hasSuffix("]\n}\n"))
        #expect(
            text.contains(
                #""Class" [label="Class|<f0> club: Club PK FK\l|<f1> person: Person PK FK\l"]"#))
        #expect(text.contains(#""Seat" [label="value Seat|<f0> row: Int\l|"#))
        #expect(
            text.contains(
                #""Person":f1 -> "Club" [arrowtail=crowodot, arrowhead=teeodot, label="club"]"#))
        #expect(
            text.contains(
                #""Club":f2 -> "Seat" [arrowtail=teetee, arrowhead=crowodot, label="seats", style=dashed]"#
            ))
    }

    @Test("of names beyond ASCII")
    func names() {
        let diagram = EntityDiagram(
            DiagramSets.set("entity: Öl\nfields: { größe: Int, aº: Int, pkö: Int }\n"))
        #expect(diagram.mermaid.contains("    \"Öl\" {\n"))
        #expect(diagram.mermaid.contains("        Int größe\n        Int a_\n        Int _pkö\n"))
    }

    @Test("of names that join with what is behind them, and texts that look like code")
    func joiningNames() {
        // U+0D4E makes one `Character` with the quote, the bracket or the colon behind it.
        let joining = "a\u{D4E}"
        let set = DiagramSets.set(
            """
            entity: "Z\(joining)"
            doc: "</title><script>\\u0301 & \\\" ]]> \\n--> {{x}}"
            fields: { \(joining): "Z\(joining)?", pk\u{301}: Int }
            """)
        let diagram = EntityDiagram(set, options: EntityDiagram.Options(showsTypes: true))
        #expect(diagram.dot.utf8.contains("\"Z\(joining)\":f1 -> \"Z\(joining)\" [arrowtail=".utf8))
        #expect(
            diagram.dot.utf8.contains(
                "<f1> \(joining): Z\(joining)? FK\\l|<f2> pk\u{301}: Int\\l".utf8))
        #expect(diagram.dot.utf8.count { $0 == UInt8(ascii: "\"") }.isMultiple(of: 2))
        #expect(diagram.mermaid.utf8.contains("    \"Z\(joining)\" {\n".utf8))
        #expect(diagram.mermaid.utf8.contains("        Int _pk\u{301}\n".utf8))
        #expect(
            diagram.svg.utf8.contains(
                "&lt;/title&gt;&lt;script&gt;\u{301} &amp; &quot; ]]&gt;".utf8))
        let harmless = DiagramSets.set(
            "entity: Note\ndoc: x\nfields: { a: \"Note?\", pk: Int }\n")
        let plain = EntityDiagram(harmless, options: EntityDiagram.Options(showsTypes: true))
        let isTag = { (byte: UInt8) in byte == UInt8(ascii: "<") }
        #expect(diagram.svg.utf8.count(where: isTag) == plain.svg.utf8.count(where: isTag))
    }

    @Test("is the same each time, for the whole corpus")
    func deterministic() throws {
        for set in try DiagramSets.corpus() + [DiagramSets.library(), DiagramSets.musicStore()] {
            let texts = (0..<3).map { _ in
                let diagram = EntityDiagram(set, options: EntityDiagram.Options(showsTypes: true))
                return diagram.mermaid + diagram.dot + diagram.svg
            }
            #expect(Set(texts).count == 1)
        }
    }
}
