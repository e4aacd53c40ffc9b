import Foundation
import Generated
import RepositoryRuntime

extension Specimen {
    /// Specimens that hold the edge of every type.
    ///
    /// - Parameter wholeSeconds: whether dates have no fraction, for formats that keep none.
    static func edges(wholeSeconds: Bool = false) -> [Specimen] {
        texts + numbers + decimals + dates(wholeSeconds: wholeSeconds) + containers
    }

    private static let texts: [Specimen] = [
        "", " ", "a", "abcdefg", "abcdefgh", "abcdefghi", "seven b\\", "seven by\"", "tab\tline\n",
        "a\r\nb\rc", "<&>\"'/]]>", "e\u{301} é ü ß", "😀👩‍👩‍👧", "\u{2028}\u{85}\u{FEFF}\u{FFFD}",
        "\u{FEFE}\u{EFFF}x", "$null", "null", "&amp;", "{}",
        String(repeating: "long ü ", count: 300),
    ].enumerated().map { index, text in
        var specimen = Specimen(.init("text \(index)"))
        specimen.text = text
        specimen.note = text
        specimen.tags = [text, nil, text]
        specimen.prices = [text: 1]
        specimen.shelf = Shelf(room: text, row: 1)
        return specimen
    }

    private static let numbers: [Specimen] = {
        let doubles: [Double] = [
            0, -0.0, 1, -1, 0.1, -0.1, 1.5, 1e15, 1e16, 123456789.123456, 1e21, 1e22, 1e23, 1e300,
            -1e300, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, .pi,
            .ulpOfOne, 9007199254740992, 5e-7, 4.35, 0.1 + 0.2, 65504, 65505, 5.960464477539063e-8,
        ]
        let integers: [Int64] = [
            0, 1, -1, 9, 10, 23, 24, 99, 100, 255, 256, 65535, 65536, 4_294_967_295, 4_294_967_296,
            -24, -25, -256, -257, .max, .min, .max - 1, 999_999_999_999_999_999,
        ]
        return (0..<doubles.count).map { index in
            var specimen = Specimen(.init("number \(index)"))
            specimen.ratio = doubles[index]
            let single = Float(doubles[index])
            specimen.single = single.isFinite ? single : .greatestFiniteMagnitude
            specimen.large = integers[index % integers.count]
            specimen.tiny = Int8(truncatingIfNeeded: specimen.large)
            specimen.flag = index.isMultiple(of: 2)
            specimen.count = index.isMultiple(of: 3) ? nil : Int(specimen.large)
            specimen.secret = 7
            return specimen
        }
    }()

    private static let decimals: [Specimen] = [
        "0", "1", "-1", "10", "1.10", "0.1", "-0.05", "12345678901234567890123456789012345678",
        "-1234567890123456789.0123456789012345678", "1e50", "1e-50", "1e127", "1e-127",
        "18446744073709551615", "18446744073709551616", "-18446744073709551616",
        "99999999999999999999999999999999999999", "0.00000000000000000000000000000000000001",
    ].enumerated().map { index, text in
        var specimen = Specimen(.init("decimal \(index)"))
        let value = Decimal(string: text) ?? .nan
        specimen.price = value
        specimen.prices = ["a": value, "": -value]
        return specimen
    }

    private static func dates(wholeSeconds: Bool) -> [Specimen] {
        let seconds: [Double] = [
            0, 1, -1, 0.5, -0.5, 738_000_000.123456, -978_307_200, -978_307_200.000001,
            -63_113_904_000, -13_197_513_600, -13_197_600_000.25, 252_423_993_599.999999,
            7_600_000_000.123457, 1e-6, 999_999_999.999999, 4e10, 4e9 + 0.333333,
        ]
        return seconds.enumerated().map { index, value in
            let value = wholeSeconds ? value.rounded() : value
            var specimen = Specimen(.init("date \(index)"))
            specimen.seen = StoredDate.rounded(Date(timeIntervalSinceReferenceDate: value))
            specimen.until = specimen.seen
            specimen.days = ["a": [specimen.seen], "b": []]
            return specimen
        }
    }

    private static let containers: [Specimen] = {
        var full = Specimen("full")
        full.link = URL(string: "https://user@example.org:8080/a%20b?c=d&e#f")
        full.links = [URL(string: "a"), URL(string: "mailto:x@y"), full.link].compactMap(\.self)
        full.bytes = Data(0...255)
        full.status = .onLoan
        full.shelf = Shelf(room: "A", row: .max)
        full.loan = Loan.ID(bookID: "978,3%", number: 3)
        full.tags = [nil, "", nil]
        full.grid = [[], [1], [2, 3], []]
        full.shelves = (0..<40).map { Shelf(room: "room \($0)", row: $0) }
        full.maybe = ["a": nil, "b": 1, "ä": 2, "": nil]
        full.token = UUID()
        full.text = String(repeating: "x", count: 5000)
        var large = full
        large.grid = [Array(0..<500)]
        large.bytes = Data(repeating: 7, count: 70_000)
        large.text = "ü"
        return [Specimen(""), full, large]
    }()
}
