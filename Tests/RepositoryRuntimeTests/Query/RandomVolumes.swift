import Foundation
import RepositoryRuntime

/// Volumes whose values meet often, so that conditions hold of some and not of others.
enum RandomVolumes {
    static let texts = [
        "", "a", "A", "ab", "aB", "b", "\u{E9}", "e\u{301}", "É", "ß", "ss", "Σίσυφος", "ΣΊΣΥΦΟΣ",
        "\u{FF5E}", "\u{1F600}", "aaab", "İ",
    ]
    static let days = [0, 1, 1.000_001, -1, 1_700_000_000].map {
        Date(timeIntervalSince1970: $0)
    }
    static let prices = [Decimal(0), Decimal(1), Decimal(-1), Decimal(1) / 2, Decimal(999) / 100]

    static func make(_ count: Int, _ random: inout SeededGenerator) -> [Volume] {
        (0..<count).map { index in make(String(format: "v%03d", index * 7 % count), &random) }
    }

    static func make(_ code: String, _ random: inout SeededGenerator) -> Volume {
        var volume = Volume(code: Volume.ID(code))
        volume.title = random.pick(texts, "")
        volume.subtitle = maybe(&random) { $0.pick(texts, "") }
        volume.tags = (0..<random.below(3)).map { _ in random.pick(texts, "") }
        volume.labels = maybe(&random) { random in
            (0..<random.below(3)).map { _ in random.pick(texts, "") }
        }
        volume.gaps = (0..<random.below(3)).map { _ in maybe(&random) { $0.pick(texts, "") } }
        volume.pages = random.below(7) - 2
        volume.score = maybe(&random) { Double($0.below(5)) / 2 }
        volume.price = random.pick(prices, 0)
        volume.state = random.pick(State.allCases, .new)
        volume.grade = maybe(&random) { $0.pick(Grade.allCases, .poor) }
        volume.spot = spot(&random)
        volume.shelf = maybe(&random, spot)
        volume.due = maybe(&random) { $0.pick(days, .distantPast) }
        volume.token = UUID(
            uuid: (
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(random.below(256)),
                UInt8(random.below(256)), UInt8(random.below(256)), UInt8(random.below(256))
            ))
        volume.counts = random.below(2) == 0 ? [:] : ["a": random.below(3)]
        volume.parent = maybe(&random) { Volume.ID("v00\($0.below(3))") }
        volume.isOpen = random.below(2) == 0
        return volume
    }

    private static func spot(_ random: inout SeededGenerator) -> Spot {
        Spot(
            room: random.pick(texts, ""), row: random.below(3),
            note: maybe(&random) { $0.pick(texts, "") })
    }

    private static func maybe<T>(
        _ random: inout SeededGenerator, _ make: (inout SeededGenerator) -> T
    ) -> T? {
        random.below(3) == 0 ? nil : make(&random)
    }
}
