import Foundation

@testable import RepositoryRuntime

/// Values of one type, such that many are equal or differ in little.
enum RandomIndexValues {
    static let place = FieldLayout(
        "Place", [FieldDescription("hall", .text), FieldDescription("row", .int64)])

    static let types: [StoredType] = [
        .bool, .int64, .double, .decimal(scale: nil), .date, .text, .uuid, .data,
        .composite(place), .list(.int64),
    ]

    /// A value of a type, in one case of seven null.
    static func make(_ type: StoredType, _ random: inout SeededGenerator) -> StoredValue {
        if random.below(7) == 0 { return .null }
        switch type {
        case .bool: return .bool(random.below(2) == 0)
        case .double: return .double(number(&random))
        case .decimal: return .decimal(decimal(&random))
        case .date:
            return .date(
                StoredDate.rounded(Date(timeIntervalSinceReferenceDate: number(&random))))
        case .text: return .text(text(&random))
        case .uuid: return .uuid(uuid(&random))
        case .data: return .data(Data((0..<random.below(4)).map { _ in byte(&random) }))
        case .composite:
            return .object(["hall": .text(text(&random)), "row": .integer(integer(&random))])
        case .list:
            return .list((0..<random.below(4)).map { _ in .integer(integer(&random)) })
        default: return .integer(integer(&random))
        }
    }

    static func integer(_ random: inout SeededGenerator) -> Int64 {
        switch random.below(4) {
        case 0: Int64(random.below(5)) - 2
        case 1: random.pick([.min, .min + 1, .max - 1, .max, 255, 256, -256, -257], 0)
        default: Int64.random(in: .min ... .max, using: &random) >> Int64(random.below(64))
        }
    }

    private static func number(_ random: inout SeededGenerator) -> Double {
        switch random.below(4) {
        case 0: random.pick([0, -0.0, 1, -1, 1e9, -1e9, 0.1, 1e-300, -5e-308], 0)
        case 1: Double(integer(&random) >> 20)
        default: Double.random(in: -10...10, using: &random)
        }
    }

    /// Few digits at many powers of ten, and sometimes all that a decimal holds.
    private static func decimal(_ random: inout SeededGenerator) -> Decimal {
        let sign: FloatingPointSign = random.below(2) == 0 ? .plus : .minus
        if random.below(5) == 0 {
            let digits = (0..<(30 + random.below(8))).map { _ in String(random.below(10)) }
            let exponent = random.below(90) - 60
            return Decimal(
                string: (sign == .minus ? "-" : "") + digits.joined() + "e\(exponent)",
                locale: Locale(identifier: "en_US_POSIX")) ?? 0
        }
        let digits = random.pick([0, 1, 9, 10, 12, 100, 101, 1000, 12345], 7)
        return Decimal(sign: sign, exponent: random.below(9) - 5, significand: Decimal(digits))
    }

    static func text(_ random: inout SeededGenerator) -> String {
        let parts = ["a", "b", "ab", "\u{1}", "\u{2}", "é", "e\u{301}", "😀", "\u{FFFF}", " "]
        if random.below(20) == 0 { return String(repeating: "long ", count: random.below(2000)) }
        return (0..<random.below(4)).map { _ in random.pick(parts, "") }.joined()
    }

    private static func uuid(_ random: inout SeededGenerator) -> UUID {
        var uuid = UUID().uuid
        withUnsafeMutableBytes(of: &uuid) { bytes in
            for index in bytes.indices { bytes[index] = index % 5 == 0 ? byte(&random) : 7 }
        }
        return UUID(uuid: uuid)
    }

    private static func byte(_ random: inout SeededGenerator) -> UInt8 {
        random.pick([0, 1, 2, 3, 127, 128, 254, 255], 0)
    }
}
