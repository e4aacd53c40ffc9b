import RepositoryRuntime
import Testing

/// What a description shows of embedded records with sensitive fields.
@Suite("Descriptions")
struct EntityDescriptionTests {
    struct Card: EmbeddedValue {
        enum Mapper: RecordMapper {
            static let layout = FieldLayout(
                "Card",
                [
                    FieldDescription("owner", .text),
                    FieldDescription("number", .text, sensitive: true),
                ])

            static func encode<E: FieldEncoder>(_ card: Card, to fields: inout E) throws {
                try fields.encode(card.owner, at: 0)
                try fields.encode(card.number, at: 1)
            }

            static func decode<D: FieldDecoder>(from fields: inout D) throws -> Card {
                let owner = try fields.decode(String.self, at: 0)
                return Card(owner: owner, number: try fields.decode(String.self, at: 1))
            }
        }

        var owner: String
        var number: String
    }

    struct Wallet: EmbeddedValue {
        enum Mapper: RecordMapper {
            static let layout = FieldLayout(
                "Wallet",
                [
                    FieldDescription("first", .object(Card.Mapper.layout)),
                    FieldDescription("others", .list(.object(Card.Mapper.layout))),
                    FieldDescription("named", .map(.object(Card.Mapper.layout))),
                ])

            static func encode<E: FieldEncoder>(_ wallet: Wallet, to fields: inout E) throws {
                try fields.encode(wallet.first, at: 0)
                try fields.encode(wallet.others, at: 1)
                try fields.encode(wallet.named, at: 2)
            }

            static func decode<D: FieldDecoder>(from fields: inout D) throws -> Wallet {
                let first = try fields.decode(Card.self, at: 0)
                let others = try fields.decode([Card].self, at: 1)
                return Wallet(
                    first: first, others: others,
                    named: try fields.decode([String: Card].self, at: 2))
            }
        }

        var first: Card
        var others: [Card]
        var named: [String: Card]
    }

    @Test("hide sensitive fields however deep they stand")
    func nested() {
        let card = Card(owner: "Ada", number: "4111")
        let wallet = Wallet(first: card, others: [card, card], named: ["work": card])
        let text = EntityDescription.description(of: wallet)
        #expect(!text.contains("4111"))
        #expect(text.contains("Ada"))
        #expect(text.contains("•••"))
        var dumped = ""
        dump(EntityDescription.mirror(wallet).children.map { "\($0.value)" }, to: &dumped)
        #expect(!dumped.contains("4111"))
    }
}
