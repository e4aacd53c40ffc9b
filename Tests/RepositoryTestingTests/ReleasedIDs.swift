import Foundation
import RepositoryRuntime

@testable import RepositoryTesting

extension ReleasedSchemas {
    /// Three versions of a museum in which ids change by functions: references in fields, lists,
    /// maps, embedded values, unions and composite ids, to the own table, in a circle and in a
    /// chain.
    static func museum(isReleased: Bool = true) throws -> ReleasedSchemas {
        try ReleasedSchemas(
            [museumFirst, museumSecond, museumThird],
            settings: [3: "name: Library\nremoved: [Room]\n"], isReleased: isReleased)
    }

    /// The functions of the museum. That of the artists is not pure.
    static let museumFunctions: [String: MigrationFunction] = [
        "artistIdTo2": { _, new in
            new.set(UUID(), "id")
            return true
        },
        "roomIdTo2": { old, new in
            new.set("room \(try old.value("id", as: Int.self))", "id")
            return true
        },
        "placeTo2": { old, new in
            new.set(1, "floor")
            return try old.value("number", as: Int.self) % 5 != 0
        },
        "workPriceTo3": { old, new in
            let price: Int? = try old.value("price")
            new.set(price.map { "\($0)" } ?? "none", "price")
            return true
        },
        "workCodeTo3": { old, new in
            new.set(UUID(), "code")
            return true
        },
    ]

    private static let museumFirst = """
        entity: Artist
        id: { name: id, type: Int }
        fields:
          name: String
          teacher: Artist?
          room: Room?
          best: { type: Work?, onDelete: none }
        ---
        entity: Work
        id: { name: code, type: String, minLength: 2 }
        fields:
          title: String
          price: Int?
          artist: { type: Artist, index: true }
          helper: { type: Artist?, onDelete: none }
          others: "[Artist]"
          guests: "[Artist?]"
          roles: "[String: Artist]"
          origin: Origin
          seal: Seal?
        ---
        entity: Place
        id: [work, number]
        fields: { work: Work, number: Int, room: Room?, note: String }
        ---
        entity: Label
        fields: { place: { type: "Place?", onDelete: none }, text: String }
        ---
        entity: Sheet
        id: { name: work, type: Work }
        fields: { text: String }
        ---
        entity: Page
        fields: { sheet: Sheet, number: Int }
        ---
        entity: Room
        id: { name: id, type: Int }
        fields: { name: String, beside: Room? }
        ---
        value: Origin
        fields: { by: Artist?, year: Int }
        ---
        union: Seal
        cases: { wax: { by: Artist, color: String }, ink: { by: Artist? } }
        """

    private static let museumSecond = """
        entity: Artist
        id: { name: id, type: UUID, convert: code }
        fields:
          name: String
          teacher: Artist?
          room: Room?
          best: { type: Work?, onDelete: none }
        ---
        entity: Work
        id: { name: code, type: String, minLength: 2 }
        fields:
          title: String
          price: Int?
          artist: { type: Artist, index: true }
          helper: { type: Artist?, onDelete: none }
          others: "[Artist]"
          guests: "[Artist?]"
          roles: "[String: Artist]"
          origin: Origin
          seal: Seal?
        ---
        entity: Place
        migrate: code
        id: [work, floor, number]
        fields: { work: Work, floor: Int, number: Int, room: Room?, note: String }
        ---
        entity: Label
        fields: { place: { type: "Place?", onDelete: none }, text: String }
        ---
        entity: Sheet
        id: { name: work, type: Work }
        fields: { text: String }
        ---
        entity: Page
        fields: { sheet: Sheet, number: Int }
        ---
        entity: Room
        id: { name: id, type: String, convert: code }
        fields: { name: String, beside: Room? }
        ---
        value: Origin
        fields: { by: Artist?, year: Int }
        ---
        union: Seal
        cases: { wax: { by: Artist, color: String }, ink: { by: Artist? } }
        """

    private static let museumThird = """
        entity: Painter
        renamedFrom: Artist
        id: { name: id, type: UUID }
        fields:
          name: String
          teacher: Painter?
          room: String?
          best: { type: Work?, onDelete: none }
        ---
        entity: Work
        id: { name: code, type: UUID, convert: code }
        fields:
          title: String
          price: { type: String, convert: code }
          artist: { type: Painter, index: true }
          helper: { type: Painter?, onDelete: none }
          others: "[Painter]"
          guests: "[Painter?]"
          roles: "[String: Painter]"
          origin: Origin
          seal: Seal?
        ---
        entity: Place
        id: [work, floor, number]
        removed: room
        fields: { work: Work, floor: Int, number: Int, note: String }
        ---
        entity: Label
        fields: { place: { type: "Place?", onDelete: none }, text: String }
        ---
        entity: Sheet
        id: { name: work, type: Work }
        fields: { text: String }
        ---
        entity: Page
        fields: { sheet: Sheet, number: Int }
        ---
        value: Origin
        fields: { by: Painter?, year: Int }
        ---
        union: Seal
        cases: { wax: { by: Painter, color: String }, ink: { by: Painter? } }
        """
}
