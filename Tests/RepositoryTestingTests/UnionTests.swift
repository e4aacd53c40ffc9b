import Foundation
import RepositoryRuntime
import RepositoryTesting
import Testing

/// The enum that somebody would write by hand, with the coding that Swift gives it.
private enum PlainMessage: Codable, Equatable {
    case text(text: String)
    case picture(file: URL, caption: String?, takenAt: Date?)
    case price(amount: Decimal)
    case blank
}

@Suite("Unions")
struct UnionTests {
    @Test(
        "are written as Swift writes enums with associated values, and read what Swift wrote",
        arguments: [
            (Message.text(text: "a\"b"), PlainMessage.text(text: "a\"b")),
            (.blank, .blank), (.price(amount: 2), .price(amount: 2)),
            (
                .picture(file: Self.file, caption: nil, takenAt: nil),
                .picture(file: Self.file, caption: nil, takenAt: nil)
            ),
            (
                .picture(file: Self.file, caption: "c", takenAt: Date(timeIntervalSince1970: 7)),
                .picture(file: Self.file, caption: "c", takenAt: Date(timeIntervalSince1970: 7))
            ),
        ])
    private func synthesised(message: Message, plain: PlainMessage) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let written = try encoder.encode(message)
        #expect(try written == encoder.encode(plain))
        #expect(try JSONDecoder().decode(PlainMessage.self, from: written) == plain)
        #expect(try JSONDecoder().decode(Message.self, from: encoder.encode(plain)) == message)
    }

    @Test(
        "hold exactly one case",
        arguments: [
            ("{}", "has no case of Message"), ("{\"letter\":{}}", "has no case of Message"),
            ("{\"blank\":{},\"text\":{\"text\":\"\"}}", "has several cases of Message"),
        ])
    func single(json: String, reason: String) {
        let error = #expect(throws: RecordDecodingError.self) {
            try JSONDecoder().decode(Message.self, from: Data(json.utf8))
        }
        #expect(error?.reason == reason)
    }

    private static let file = URL(fileURLWithPath: "/pictures/1.png")
}
