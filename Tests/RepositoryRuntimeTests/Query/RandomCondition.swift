import Foundation
import RepositoryRuntime

/// A condition twice: as a query says it, and as plain Swift over the properties, which shares nothing with the first.
struct RandomCondition {
    var name: String
    var query: (Volume.Fields) -> Condition
    var plain: (Volume) -> Bool

    static func make(_ random: inout SeededGenerator, depth: Int) -> RandomCondition {
        guard depth > 0, random.below(4) > 0 else { return leaf(&random) }
        let left = make(&random, depth: depth - 1)
        let right = make(&random, depth: depth - 1)
        switch random.below(3) {
        case 0:
            return Self(
                name: "(\(left.name) && \(right.name))",
                query: { left.query($0) && right.query($0) },
                plain: { left.plain($0) && right.plain($0) })
        case 1:
            return Self(
                name: "(\(left.name) || \(right.name))",
                query: { left.query($0) || right.query($0) },
                plain: { left.plain($0) || right.plain($0) })
        default:
            return Self(
                name: "!\(left.name)", query: { !left.query($0) }, plain: { !left.plain($0) })
        }
    }

    private static func leaf(_ random: inout SeededGenerator) -> RandomCondition {
        let text = random.pick(RandomVolumes.texts, "")
        let number = random.below(7) - 2
        let leaves = texts(text) + numbers(number) + others(&random) + nested(text, number)
        return leaves[random.below(leaves.count)]
    }

    private static func same(_ left: String, _ right: String) -> Bool {
        Array(left.utf8) == Array(right.utf8)
    }

    private static func same(_ left: String?, _ right: String) -> Bool {
        left.map { same($0, right) } ?? false
    }

    static func before(_ left: String, _ right: String) -> Bool {
        Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8))
    }

    private static func part(_ part: String, of text: String) -> Bool {
        let (part, text) = (Array(part.utf8), Array(text.utf8))
        guard part.count <= text.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
    }

    private static func texts(_ text: String) -> [RandomCondition] {
        [
            Self(
                name: "title == \(text)", query: { $0.title == text },
                plain: { same($0.title, text) }),
            Self(
                name: "subtitle != \(text)", query: { $0.subtitle != text },
                plain: { !same($0.subtitle, text) }),
            Self(
                name: "subtitle <= \(text)", query: { $0.subtitle <= text },
                plain: { $0.subtitle.map { !before(text, $0) } ?? false }),
            Self(
                name: "title > \(text)", query: { $0.title > text },
                plain: { before(text, $0.title) }),
            Self(
                name: "contains(subtitle, \(text))", query: { $0.subtitle.contains(text) },
                plain: { $0.subtitle.map { part(text, of: $0) } ?? false }),
            Self(
                name: "hasPrefix(title, \(text))", query: { $0.title.hasPrefix(text) },
                plain: { Array($0.title.utf8).starts(with: Array(text.utf8)) }),
            Self(
                name: "contains(tags, \(text))", query: { $0.tags.contains(text) },
                plain: { $0.tags.contains { same($0, text) } }),
            Self(
                name: "contains(labels, \(text))", query: { $0.labels.contains(text) },
                plain: { ($0.labels ?? []).contains { same($0, text) } }),
            Self(
                name: "contains(gaps, nil)", query: { $0.gaps.contains(nil) },
                plain: { $0.gaps.contains { $0 == nil } }),
            Self(
                name: "subtitle in [nil, \(text)]", query: { $0.subtitle.in([nil, text]) },
                plain: { $0.subtitle == nil || same($0.subtitle, text) }),
        ]
    }

    private static func numbers(_ number: Int) -> [RandomCondition] {
        let half = Double(number) / 2
        return [
            Self(
                name: "pages < \(number)", query: { $0.pages < number },
                plain: { $0.pages < number }),
            Self(
                name: "pages in \(number)...", query: { $0.pages.in(number...) },
                plain: { $0.pages >= number }),
            Self(
                name: "pages in [\(number), 1]", query: { $0.pages.in([number, 1]) },
                plain: { $0.pages == number || $0.pages == 1 }),
            Self(
                name: "score >= \(half)", query: { $0.score >= half },
                plain: { $0.score.map { $0 >= half } ?? false }),
            Self(name: "score == nil", query: { $0.score == nil }, plain: { $0.score == nil }),
            Self(
                name: "score in \(half)..<1.5", query: { $0.score.in(min(half, 1.5)..<1.5) },
                plain: { $0.score.map { $0 >= min(half, 1.5) && $0 < 1.5 } ?? false }),
            Self(
                name: "counts.a > \(number)", query: { $0.counts["a"] > number },
                plain: { $0.counts["a"].map { $0 > number } ?? false }),
            Self(
                name: "id == v00\(number)", query: { $0.id == Volume.ID("v00\(number)") },
                plain: { $0.code.rawValue == "v00\(number)" }),
            Self(
                name: "code in",
                query: { $0.code.in(["v001", Volume.ID("v00\(number)"), "none"]) },
                plain: { ["v001", "v00\(number)", "none"].contains($0.code.rawValue) }),
        ]
    }

    private static func others(_ random: inout SeededGenerator) -> [RandomCondition] {
        let state = random.pick(State.allCases, .new)
        let grade = random.pick(Grade.allCases, .poor)
        let day = random.pick(RandomVolumes.days, .distantPast)
        let price = random.pick(RandomVolumes.prices, 0)
        return [
            Self(
                name: "state == \(state)", query: { $0.state == state },
                plain: { $0.state == state }),
            Self(
                name: "grade == \(grade)", query: { $0.grade == grade },
                plain: { $0.grade == grade }),
            Self(name: "grade == nil", query: { $0.grade == nil }, plain: { $0.grade == nil }),
            Self(
                name: "grade > \(grade)", query: { $0.grade > grade },
                plain: { $0.grade.map { $0.rawValue > grade.rawValue } ?? false }),
            Self(
                name: "due < \(day)", query: { $0.due < day },
                plain: { $0.due.map { $0 < day } ?? false }),
            Self(name: "due != \(day)", query: { $0.due != day }, plain: { $0.due != day }),
            Self(
                name: "price <= \(price)", query: { $0.price <= price },
                plain: { $0.price <= price }),
            Self(name: "isOpen", query: { $0.isOpen == true }, plain: { $0.isOpen }),
            Self(
                name: "parent == v001", query: { $0.parent == "v001" },
                plain: { $0.parent?.rawValue == "v001" }),
        ]
    }

    private static func nested(_ text: String, _ number: Int) -> [RandomCondition] {
        [
            Self(
                name: "spot.room == \(text)", query: { $0.spot.room == text },
                plain: { same($0.spot.room, text) }),
            Self(
                name: "shelf.row < \(number)", query: { $0.shelf.row < number },
                plain: { $0.shelf.map { $0.row < number } ?? false }),
            Self(
                name: "shelf.note == nil", query: { $0.shelf.note == nil },
                plain: { $0.shelf?.note == nil }),
            Self(
                name: "shelf.note != \(text)", query: { $0.shelf.note != text },
                plain: { !same($0.shelf?.note, text) }),
            Self(name: "shelf == nil", query: { $0.shelf == nil }, plain: { $0.shelf == nil }),
        ]
    }
}
