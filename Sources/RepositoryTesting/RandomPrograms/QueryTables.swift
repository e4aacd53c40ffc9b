internal import Foundation
internal import RepositoryRuntime

/// Values that occur often, so that records share them, and values that stores are known to
/// confuse.
private enum Values {
    static let texts = [
        "", "a", "A", "ab", "aB", "b", "\u{E9}", "e\u{301}", "\u{C9}", "ß", "ss", "Σίσυφος",
        "ΣΊΣΥΦΟΣ", "\u{FF5E}", "\u{1F600}", "aaab", "İ", "it's", "%", "_", "a\\b", "null", "\"",
        "10", "9", " ",
    ]
    static let ids = [
        "a", "A", "b", "\u{E9}", "e\u{301}", "10", "9", "a/b", "%", "it's", "Z", "\u{1F600}",
    ]
    static let integers = [0, 1, -1, 2, 3, 7, .max, .min, 1 << 53 + 1]
    static let doubles = [0, -0.0, 0.5, 1, -1, 0.1, 1e21, -1e-7, .greatestFiniteMagnitude]
    static let decimals = [
        "0", "1", "-1", "0.1", "0.11", "2", "10", "1E+20", "-0.000000000000000000000000000001",
        "9007199254740993", "12345678901234567890.123456789012345678",
    ].compactMap { Decimal(string: $0) }
    static let seconds = [0, 1, -1, 951_782_400, 2_147_483_648, -12_212_553_600.0]
    static let fractions = [0, 0.5, 0.000_001, 0.999_999]
    static let uuids: [UUID] = [0, 9, 10, 0xA0, 0xFF].map {
        UUID(uuid: ($0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, $0))
    }
    static let urls = ["http://a/", "http://a/%C3%A9", "http://b", "mailto:x", "z"].compactMap {
        URL(string: $0)
    }
    static let data = [Data(), Data([0]), Data([0, 0]), Data([1]), Data([0x80]), Data([0xFF])]

    /// The id for a number. The first ids are ones that are easily confused.
    static func id(_ number: Int) -> String {
        number < ids.count ? ids[number] : "r\(number)"
    }

    static func date(_ random: inout SeededGenerator, _ keepsFractions: Bool) -> Date {
        let fraction = keepsFractions ? random.one(of: fractions) : 0
        return StoredDate.rounded(
            Date(timeIntervalSince1970: random.one(of: seconds) + fraction))
    }

    static func detail(_ random: inout SeededGenerator, _ keepsFractions: Bool) -> Detail {
        Detail(
            text: random.one(of: texts), count: maybe(&random) { .random(in: 0...3, using: &$0) },
            inner: Inner(
                flag: random.once(in: 2), amount: maybe(&random) { $0.one(of: decimals) },
                moment: maybe(&random) { date(&$0, keepsFractions) }),
            tags: (0..<Int.random(in: 0...2, using: &random)).map { _ in random.one(of: texts) })
    }

    /// Creates a value in two of three cases; nil otherwise.
    static func maybe<V>(
        _ random: inout SeededGenerator, _ make: (inout SeededGenerator) -> V
    ) -> V? {
        random.once(in: 3) ? nil : make(&random)
    }
}

extension QueryTable where R == SparseRepository {
    /// Records with fields of every type.
    static let sparses = QueryTable(
        repository: { $0.sparses },
        numbers: [
            .end(\.int, largest: true), .end(\.int, largest: false), .end(\.string, largest: true),
            .end(\.decimal, largest: false), .end(\.date, largest: true),
            .end(\.uuid, largest: false), .end(\.day, largest: true), .end(\.data, largest: true),
            .end(\.detail.text, largest: false), .sum(\.int8), .sum(\.uint32), .sum(\.money),
            .sum(\.detail.count),
        ]
    ) { number, random, keepsFractions in
        var record = Sparse(id: .init(Values.id(number)))
        // The number of values is small, so that many records share one.
        func set<V>(
            _ field: WritableKeyPath<Sparse, V?>, _ make: (inout SeededGenerator) -> V
        ) {
            record[keyPath: field] = Values.maybe(&random, make)
        }
        set(\.string) { $0.one(of: Values.texts) }
        set(\.bool) { $0.once(in: 2) }
        set(\.int) { $0.one(of: Values.integers) }
        set(\.int8) { $0.one(of: [0, 1, -1, .min, .max]) }
        set(\.int32) { $0.one(of: [0, 1, .min, .max]) }
        set(\.uint32) { $0.one(of: [0, 1, .max]) }
        set(\.float) { $0.one(of: [0, 0.5, 0.1, -1]) }
        set(\.double) { $0.one(of: Values.doubles) }
        set(\.decimal) { $0.one(of: Values.decimals) }
        set(\.money) { Decimal(Int.random(in: -300...300, using: &$0)) / 100 }
        set(\.date) { Values.date(&$0, keepsFractions) }
        set(\.uuid) { $0.one(of: Values.uuids) }
        set(\.day) { $0.one(of: Samples.days) }
        set(\.days) { [$0.one(of: Samples.days), $0.one(of: Samples.days)] }
        set(\.url) { $0.one(of: Values.urls) }
        set(\.data) { $0.one(of: Values.data) }
        set(\.colour) { $0.one(of: [.red, .green, .blue]) }
        set(\.digit) { $0.one(of: [.one, .minusTwo, .huge]) }
        set(\.hue) { $0.one(of: [.warm, .cold, .other("A"), .other("\u{E9}")]) }
        set(\.detail) { Values.detail(&$0, keepsFractions) }
        set(\.list) { random in
            (0..<Int.random(in: 0...3, using: &random)).map { _ in random.one(of: [0, 1, .max]) }
        }
        set(\.details) { random in
            random.once(in: 2) ? [] : [Values.detail(&random, keepsFractions)]
        }
        set(\.map) { random in
            [
                random.one(of: ["a", "b", "", "a.b", "\u{E9}"]): Double.random(
                    in: 0...2, using: &random
                ).rounded()
            ]
        }
        return record
    }
}

extension QueryTable where R == ArticleRepository {
    /// Records with indexes.
    static let articles = QueryTable(
        repository: { $0.articles },
        numbers: [
            .end(\.rank, largest: true), .end(\.title, largest: false),
            .end(\.number, largest: true), .end(\.byline, largest: true),
            .end(\.byline, largest: false), .sum(\.rank),
        ]
    ) { number, random, keepsFractions in
        Article(
            number: .init(number - 20), section: random.one(of: ["s", "t", "S", ""]),
            title: Values.maybe(&random) { $0.one(of: Values.texts) },
            stage: random.one(of: [.draft, .inReview, .published]),
            rank: .random(in: -2...2, using: &random),
            publishedAt: Values.maybe(&random) { Values.date(&$0, keepsFractions) },
            byline: Values.maybe(&random) { $0.one(of: Values.texts) })
    }
}

extension QueryTable where R == ProductRepository {
    /// Records with validation rules, scaled decimals and an embedded value.
    static let products = QueryTable(
        repository: { $0.products },
        numbers: [
            .end(\.price, largest: true), .end(\.rating, largest: false),
            .end(\.weight, largest: true), .end(\.size.width, largest: false), .sum(\.stock),
            .sum(\.price), .sum(\.rating),
        ]
    ) { number, random, _ in
        Product(
            id: .init("p\(number)"), name: random.one(of: ["Thing", "thing", "THING", "\u{E9}"]),
            stock: random.one(of: [0, 1, 2, 999, 1_000]),
            weight: Values.maybe(&random) { $0.one(of: [0, 0.5, 99.5, 0.1]) },
            price: Decimal(Int.random(in: 0...500, using: &random)) / 100,
            rating: Values.maybe(&random) { Decimal(Int.random(in: -50...50, using: &$0)) / 10 },
            codes: random.once(in: 2) ? [] : [random.one(of: Values.texts)],
            picture: Values.maybe(&random) { $0.one(of: [Data([0]), Data([0, 1]), Data([255])]) },
            sku: Values.maybe(&random) { $0.one(of: ["AB-1", "AB-10", "ZZ-9"]) },
            pin: Values.maybe(&random) { $0.one(of: ["1234", "abcd", "ABCD"]) },
            size: Values.maybe(&random) { random in
                Size(width: .random(in: 1...3, using: &random), unit: random.one(of: ["mm", "M"]))
            })
    }
}
