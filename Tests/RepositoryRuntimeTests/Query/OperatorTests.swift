import Foundation
import Testing

@testable import RepositoryRuntime

/// What each operator says of one record.
@Suite struct OperatorTests {
    private static let day = Date(timeIntervalSince1970: 1_700_000_000)

    private static let full: Volume = {
        var volume = Volume(code: "b", title: "Straße", subtitle: "Zoë")
        volume.tags = ["swift", "sql"]
        volume.labels = ["x"]
        volume.gaps = ["a", nil]
        volume.pages = 300
        volume.score = 2.5
        volume.price = 9.99
        volume.state = .lent
        volume.grade = .fair
        volume.spot = Spot(room: "B", row: 7, note: nil)
        volume.shelf = Spot(room: "C", row: 1, note: "left")
        volume.due = day
        volume.counts = ["in": 3]
        volume.parent = "a"
        volume.isOpen = true
        return volume
    }()
    private static let empty = Volume(code: "a")

    private func holds(
        _ volume: Volume, _ condition: (Volume.Fields) -> Condition
    ) throws -> Bool {
        let values = try StoredValueEncoder.values(of: volume, VolumeMapper.self)
        return condition(Volume.Fields()).tree.matches(values)
    }

    private func expect(
        _ expected: Bool, _ volume: Volume = Self.full,
        _ condition: (Volume.Fields) -> Condition,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try holds(volume, condition) == expected, sourceLocation: location)
        // The negation holds exactly where the condition does not.
        #expect(try holds(volume) { !condition($0) } == !expected, sourceLocation: location)
    }

    @Test func comparesValuesOfEveryType() throws {
        try expect(true) { $0.pages == 300 }
        try expect(false) { $0.pages != 300 }
        try expect(true) { $0.pages < 301 }
        try expect(false) { $0.pages < 300 }
        try expect(true) { $0.pages <= 300 }
        try expect(true) { $0.pages > 299 }
        try expect(false) { $0.pages > 300 }
        try expect(true) { $0.pages >= 300 }
        try expect(true) { $0.price > 9.98 }
        try expect(true) { $0.price == 9.99 }
        try expect(true) { $0.state == .lent }
        // The order of enums is that of raw values: "new" < "on_loan".
        try expect(true) { $0.state > .new }
        try expect(true) { $0.code == "b" }
        try expect(true) { $0.code > "a" }
        try expect(true) { $0.id == "b" }
        try expect(false) { $0.id != "b" }
        try expect(true) { $0.id.in(["a", "b"]) }
        try expect(false) { $0.id.in([]) }
        try expect(true) { $0.isOpen == true }
        try expect(true) { $0.token == Self.full.token }
        try expect(true) { $0.parent == "a" }
        try expect(true) { $0.due <= Self.day }
        try expect(true) { $0.spot == Spot(room: "B", row: 7) }
        try expect(true) { $0.tags == ["swift", "sql"] }
        try expect(true) { $0.counts == ["in": 3] }
    }

    @Test func comparesTextByItsBytes() throws {
        var volume = Self.full
        volume.title = "e\u{301}"
        try expect(false, volume) { $0.title == "\u{E9}" }
        try expect(false, volume) { $0.title.contains("\u{E9}") }
        // In bytes "Z" < "a" < "\u{E9}" < "\u{FF5E}" < "\u{1F600}", unlike in UTF-16.
        volume.title = "\u{FF5E}"
        try expect(true, volume) { $0.title < "\u{1F600}" }
        volume.title = "Z"
        try expect(true, volume) { $0.title < "a" }
    }

    @Test func roundsDatesAsTheyAreStored() throws {
        let fine = Self.day.addingTimeInterval(0.000_000_3)
        try expect(true) { $0.due == fine }
        try expect(false) { $0.due < fine }
        try expect(true) { $0.due.in([fine]) }
    }

    @Test func nullEqualsNullAlone() throws {
        try expect(true, Self.empty) { $0.subtitle == nil }
        try expect(false, Self.full) { $0.subtitle == nil }
        try expect(true, Self.full) { $0.subtitle != nil }
        try expect(false, Self.empty) { $0.subtitle == "Zoë" }
        // Not the unknown of SQL: null differs from a value.
        try expect(true, Self.empty) { $0.subtitle != "Zoë" }
        try expect(true, Self.empty) { $0.shelf == nil }
        try expect(true, Self.empty) { $0.labels == nil }
        try expect(true, Self.empty) { $0.grade == nil }
    }

    @Test func anyOtherComparisonWithNullIsFalse() throws {
        try expect(false, Self.empty) { $0.score < 3 }
        try expect(false, Self.empty) { $0.score <= 3 }
        try expect(false, Self.empty) { $0.score > 3 }
        try expect(false, Self.empty) { $0.score >= 3 }
        try expect(false, Self.empty) { $0.score.in(0...9) }
        try expect(false, Self.empty) { $0.due < .distantFuture }
        try expect(false, Self.empty) { $0.subtitle.contains("") }
        try expect(false, Self.empty) { $0.subtitle.hasPrefix("") }
        try expect(false, Self.empty) { $0.subtitle.equalsIgnoringCase("") }
        try expect(false, Self.empty) { $0.labels.contains("x") }
        try expect(false, Self.empty) { $0.grade > .poor }
        try expect(false, Self.empty) { $0.score < 3 || $0.score >= 3 }
        try expect(true, Self.empty) { !($0.score < 3) && !($0.score >= 3) }
        try expect(true, Self.empty) { !(!($0.score == nil)) }
    }

    @Test func findsAmongValues() throws {
        try expect(true) { $0.pages.in([1, 300]) }
        try expect(false) { $0.pages.in([1, 2]) }
        try expect(false) { $0.pages.in([]) }
        try expect(true) { $0.state.in([.new, .lent]) }
        try expect(true) { $0.subtitle.in(["Zoë"]) }
        try expect(false, Self.empty) { $0.subtitle.in(["Zoë"]) }
        try expect(true, Self.empty) { $0.subtitle.in(["Zoë", nil]) }
        try expect(false) { $0.subtitle.in([nil]) }
    }

    @Test func findsInRanges() throws {
        try expect(true) { $0.pages.in(300...300) }
        try expect(false) { $0.pages.in(100..<300) }
        try expect(true) { $0.pages.in(300...) }
        try expect(true) { $0.pages.in(...300) }
        try expect(false) { $0.pages.in(..<300) }
        try expect(true) { $0.score.in(2.5..<3) }
        try expect(true) { $0.title.in("S"..."T") }
        try expect(true) { $0.due.in(Self.day...) }
    }

    @Test func looksIntoTexts() throws {
        try expect(true) { $0.title.contains("raß") }
        try expect(true) { $0.title.contains("") }
        try expect(false) { $0.title.contains("RA") }
        try expect(true) { $0.title.contains("TRA", ignoringCase: true) }
        try expect(true) { $0.title.hasPrefix("Str") }
        try expect(false) { $0.title.hasPrefix("tr") }
        try expect(true) { $0.title.hasPrefix("sTR", ignoringCase: true) }
        // Simple folding keeps the number of scalars: ß is not ss, ẞ is ß.
        try expect(false) { $0.title.equalsIgnoringCase("STRASSE") }
        try expect(true) { $0.title.equalsIgnoringCase("STRA\u{1E9E}E") }
        try expect(true) { $0.subtitle.contains("OË", ignoringCase: true) }
        try expect(true) { $0.subtitle.hasPrefix("Zo") }
        var volume = Self.full
        volume.title = "ababcababd"
        try expect(true, volume) { $0.title.contains("ababd") }
        try expect(false, volume) { $0.title.contains("ababe") }
        volume.title = "aaaaab"
        try expect(true, volume) { $0.title.contains("aab") }
    }

    @Test func looksIntoCollections() throws {
        try expect(true) { $0.tags.contains("sql") }
        try expect(false) { $0.tags.contains("SQL") }
        try expect(true) { $0.labels.contains("x") }
        try expect(true) { $0.gaps.contains(nil) }
        try expect(true) { $0.gaps.contains("a") }
        try expect(false, Self.empty) { $0.gaps.contains(nil) }
        try expect(true) { $0.counts["in"] == 3 }
        try expect(true) { $0.counts["in"] > 2 }
        try expect(true) { $0.counts["out"] == nil }
        try expect(false) { $0.counts["out"] < 9 }
    }

    @Test func looksIntoEmbeddedValues() throws {
        try expect(true) { $0.spot.room == "B" }
        try expect(true) { $0.spot.row.in(5...9) }
        try expect(true) { $0.spot.note == nil }
        try expect(true) { $0.shelf.room == "C" }
        try expect(true) { $0.shelf.note == "left" }
        try expect(true) { $0.shelf.note.hasPrefix("l") }
        try expect(true, Self.empty) { $0.shelf.room == nil }
        try expect(true, Self.empty) { $0.shelf.note == nil }
        try expect(false, Self.empty) { $0.shelf.row < 9 }
        #expect(Volume.Fields().shelf.note.queryPath == FieldPath(12, ["note"]))
    }

    @Test func joinsConditions() throws {
        try expect(true) { $0.pages == 300 && $0.isOpen == true || $0.title == "" }
        try expect(false) { $0.pages == 300 && $0.isOpen == false }
        try expect(true) { $0.pages == 1 || $0.state == .lent }
        let tree =
            (Volume.Fields().pages == 1 && Volume.Fields().pages == 2
            && Volume.Fields().pages == 3).tree
        guard case .all(let parts) = tree else { throw CancellationError() }
        #expect(parts.count == 3)
    }

    @Test func namesNoValuesInItsText() {
        let fields = Volume.Fields()
        let condition =
            fields.title == "secret" && !fields.shelf.room.hasPrefix("secret")
            || fields.subtitle == nil
        #expect(
            condition.tree.text(in: VolumeMapper.layout)
                == "((title == ? && !hasPrefix(shelf.room, ?)) || subtitle isNull)")
    }
}
