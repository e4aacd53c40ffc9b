import Foundation
import RepositoryRuntime

@testable import RepositoryTesting

/// Makes a record of random values whose kinds its mapper asks for. Values meet often.
struct RandomRecord: FieldDecoder {
    /// The ids that references point to.
    static let halls = ["a", "b", "c"]
    private static let texts = [
        "", "a", "A", "ab", "b", "a\"b", "a\\b", "é", "e\u{301}", "ß", "\u{FF5E}", "\u{1F600}",
        "it's", "\n", "1", "null",
    ]
    private static let integers: [Int64] = [0, 1, -1, 2, 7, 100, 127]
    private static let seconds = [0, 1, -1, 0.000_001, 1_700_000_000.123_456, -8e9]

    private static let days = ["0001-01-01", "2024-02-29", "2024-03-01", "9999-12-31"]

    var random: SeededGenerator
    /// Whether the elements of the list or map that is being decoded are days.
    private var hasDays = false
    private let layout: FieldLayout?
    private let id: String

    init(_ layout: FieldLayout?, id: String, _ random: SeededGenerator) {
        self.layout = layout
        self.id = id
        self.random = random
    }

    private func name(_ index: Int) -> String { layout?.fields[index].name ?? "" }

    private mutating func inside<R>(
        _ layout: FieldLayout?, _ body: (inout RandomRecord) throws -> R
    ) rethrows -> R {
        var inner = RandomRecord(layout, id: id, random)
        defer { random = inner.random }
        return try body(&inner)
    }

    mutating func contains(at index: Int) throws -> Bool { true }
    mutating func decodeNil(at index: Int) throws -> Bool { random.once(in: 3) }
    mutating func decodeBool(at index: Int) throws -> Bool { random.once(in: 2) }

    mutating func decodeInteger(at index: Int) throws -> Int64 {
        switch name(index) {
        case "digit": random.one(of: [1, -2, 9_007_199_254_740_993])
        case "row": random.one(of: [1, 2])
        case "int", "int64": random.one(of: Self.integers + [.max, .min, 9_007_199_254_740_993])
        case "int32": random.one(of: Self.integers + [-70_000])
        case let name where name.hasPrefix("uint"): random.one(of: [0, 1, 2, 255])
        default: random.one(of: Self.integers)
        }
    }

    mutating func decodeFloat(at index: Int) throws -> Float {
        random.one(of: [0, -0.0, 0.1, 1.5, -3, .greatestFiniteMagnitude])
    }
    mutating func decodeDouble(at index: Int) throws -> Double {
        random.one(of: [0, -0.0, 0.1, 1.5, -3, 1e300, .leastNonzeroMagnitude, 0.30000000000000004])
    }
    mutating func decodeDecimal(at index: Int) throws -> Decimal {
        random.one(of: [0, 1, -1, Decimal(5) / 10, Decimal(999) / 100, 10, 9])
    }
    mutating func decodeDate(at index: Int) throws -> Date {
        StoredDate.rounded(Date(timeIntervalSince1970: random.one(of: Self.seconds)))
    }
    mutating func decodeUUID(at index: Int) throws -> UUID {
        let byte = random.one(of: [0, 1, 0x7F, 0xFF] as [UInt8])
        return UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte))
    }
    mutating func decodeURL(at index: Int) throws -> URL {
        guard let url = URL(string: random.one(of: ["https://a.b/c", "x:y", "https://A.b/"]))
        else { throw RecordDecodingError("is no URL") }
        return url
    }

    mutating func decodeString(at index: Int) throws -> String {
        if hasDays || layout?.fields[index].type == .localDate {
            return random.one(of: Self.days)
        }
        return switch name(index) {
        case "id": id
        case "colour": random.one(of: ["red", "GREEN", "bleu ciel"])
        case "hue": random.one(of: ["warm", "cold", "odd"])
        case "stage": random.one(of: ["draft", "in_review", "published"])
        case "anchorID", "keeperID", "friendID", "rumourID", "hallID": random.one(of: Self.halls)
        case "letter": random.one(of: ["x", "y"])
        default: random.one(of: Self.texts)
        }
    }

    mutating func decodeData(at index: Int) throws -> Data {
        Data(random.one(of: [[], [0], [0, 1], [255], [1]] as [[UInt8]]))
    }
    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V {
        try inside(V.Mapper.layout) { try V.decodeComponents(from: &$0) }
    }
    mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V {
        try inside(V.Mapper.layout) { try V.Mapper.decode(from: &$0) }
    }
    mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
        let count = Int.random(in: 0..<4, using: &random)
        return try inside(nil) { inner in
            inner.hasDays = V.self == LocalDate.self
            return try (0..<count).map { try V.decode(from: &inner, at: $0) }
        }
    }
    mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V] {
        let keys = ["a", "b", "x y", "q\"", "é"].filter { _ in random.once(in: 3) }
        return try inside(nil) { inner in
            var map: [String: V] = [:]
            for key in keys { map[key] = try V.decode(from: &inner, at: 0) }
            return map
        }
    }
}
