import Foundation
import Generated
import RepositoryRuntime
import Testing

/// An item that no schema knows.
private struct Note: Codable, Hashable, Sendable {
    var text: String
    var tags: [String?] = ["a", nil]
    var counts: [String: Int] = ["b": 2, "a": 1]
    var inner: [Inner] = [Inner(when: Date(timeIntervalSinceReferenceDate: 86_400))]

    struct Inner: Codable, Hashable, Sendable {
        var when: Date
        var price: Decimal = -12.5
        var link: URL? = URL(string: "https://example.org/a?b=c")
        var bytes = Data([0, 1, 255])
    }
}

private enum Shape: Codable, Hashable {
    case point
    case circle(radius: Double)
    case named(String, sides: Int)
}

/// Uses every kind of container, a key twice, and a super encoder.
private struct ByHand: Codable {
    var seen: [String] = []

    enum Key: String, CodingKey { case twice, nested, list, other }

    init() {}

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("twice 1", forKey: .twice)
        try container.encode("twice 2", forKey: .twice)
        var nested = container.nestedContainer(keyedBy: Key.self, forKey: .nested)
        try nested.encode("inner", forKey: .twice)
        var list = container.nestedUnkeyedContainer(forKey: .list)
        try list.encode(1)
        try list.encodeNil()
        var inner = list.nestedContainer(keyedBy: Key.self)
        try inner.encode("list 3", forKey: .other)
        var innermost = list.nestedUnkeyedContainer()
        try innermost.encode(4)
        try "super".encode(to: container.superEncoder())
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        seen.append(try container.decode(String.self, forKey: .twice))
        let nested = try container.nestedContainer(keyedBy: Key.self, forKey: .nested)
        seen.append(try nested.decode(String.self, forKey: .twice))
        var list = try container.nestedUnkeyedContainer(forKey: .list)
        seen.append("\(try list.decode(Int.self))")
        seen.append(try list.decodeNil() ? "nil" : "")
        seen.append(try String(from: try container.superDecoder()))
        let inner = try list.nestedContainer(keyedBy: Key.self)
        seen.append(try inner.decode(String.self, forKey: .other))
        var innermost = try list.nestedUnkeyedContainer()
        seen.append("\(try innermost.decode(Int.self))")
    }
}

@Suite("Transformers with items of any Codable type")
struct GenericItemTests {
    static let transformers: [any DataTransformer] = [
        JSONDataTransformer(),
        XMLDataTransformer(),
        CBORDataTransformer(),
        BinaryPropertyListDataTransformer(),
        CoderDataTransformer(JSONEncoder(), JSONDecoder(), formatExtension: "json"),
        CoderDataTransformer(
            formatExtension: "json", encode: { try JSONEncoder().encode($0) },
            decode: { try JSONDecoder().decode($0, from: $1) }),
    ]

    private func roundTrip<T: Codable & Equatable>(
        _ value: T, _ transformer: any DataTransformer,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let bytes = try await transformer.encode(value)
        let read: T = try await transformer.decode(data: bytes)
        #expect(read == value, "\(transformer)", sourceLocation: location)
    }

    @Test("Structs, lists, maps and bare values come back", arguments: transformers)
    func roundTrips(_ transformer: any DataTransformer) async throws {
        try await roundTrip(Note(text: "a\r\n<&>\"é😀"), transformer)
        try await roundTrip([Note(text: ""), Note(text: "x")], transformer)
        try await roundTrip("text & more", transformer)
        try await roundTrip("", transformer)
        try await roundTrip(42, transformer)
        try await roundTrip(Int64.min, transformer)
        try await roundTrip(1.5, transformer)
        try await roundTrip(true, transformer)
        try await roundTrip([1, 2, 3], transformer)
        try await roundTrip([Int](), transformer)
        try await roundTrip(["a": [1], "b": []], transformer)
        try await roundTrip(Date(timeIntervalSinceReferenceDate: 1e9), transformer)
        try await roundTrip(Data([1, 2]), transformer)
        try await roundTrip(UUID(), transformer)
        try await roundTrip(Decimal(1) / 4, transformer)
        try await roundTrip(Client(id: "c", name: "C", email: "c@d"), JSONDataTransformer())
        try await roundTrip([1, nil] as [Int?], transformer)
        try await roundTrip(nil as Int?, transformer)
    }

    @Test(
        "Another shape is a type mismatch, broken bytes are a broken record",
        arguments: transformers)
    func errors(_ transformer: any DataTransformer) async throws {
        let bytes = try await transformer.encode(["a": 1])
        await expectCode(.itemTypeMismatch) {
            let _: [String] = try await transformer.decode(data: bytes)
        }
        await expectCode(.itemTypeMismatch) {
            let _: Note = try await transformer.decode(data: bytes)
        }
        await expectCode(.invalidRecord) {
            let _: Note = try await transformer.decode(data: bytes.prefix(bytes.count - 3))
        }
        await expectCode(.invalidRecord) {
            let _: Note = try await transformer.decode(data: Data())
        }
    }

    private func expectCode(
        _ code: CRUDRepositoryError.Code, _ location: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        await #expect(sourceLocation: location) {
            try await body()
        } throws: { error in
            (error as? CRUDRepositoryError)?.code == code
        }
    }

    @Test("Types that write themselves by hand", arguments: transformers)
    func byHand(_ transformer: any DataTransformer) async throws {
        let bytes = try await transformer.encode(ByHand())
        let read: ByHand = try await transformer.decode(data: bytes)
        #expect(read.seen == ["twice 2", "inner", "1", "nil", "super", "list 3", "4"])
        try await roundTrip(Shape.circle(radius: 1.5), transformer)
        try await roundTrip([Shape.point, .named("x", sides: 3)], transformer)
        try await roundTrip([1: "a", -2: "b"], transformer)
        try await roundTrip([UInt64.max, 0], transformer)
        try await roundTrip([[[Int?]]](), transformer)
    }

    @Test("XML refuses the characters that it lacks")
    func controlCharacters() {
        for text in ["\u{1}", "\u{0}", "a\u{b}", "\u{FFFE}", "\u{FFFF}"] {
            #expect {
                try XMLDataTransformer().encode(["key": text])
            } throws: { error in
                (error as? CRUDRepositoryError)?.code == .unsupported
            }
        }
    }
}
