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
