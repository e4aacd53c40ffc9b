internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Lists, maps and embedded values in conditions.
    static let queryNesting: [StoreBehaviour] = [
        query("list.contains", "A list contains values that equal one of its elements.") { trial in
            try await trial.store([[], [1], [1, 2], [.min, .max], nil]) { $0.list = $1 }
            try await trial.expectMatches([1, 2]) { $0.list.contains(1) }
            try await trial.expectMatches([3]) { $0.list.contains(.max) }
            try await trial.expectMatches([]) { $0.list.contains(3) }
            try await trial.expectMatches([0, 3, 4]) { !$0.list.contains(1) }
        },
        query("list.text", "The strings of a list are compared by their bytes.") { trial in
            let lists = [["a", "b"], ["A"], ["caf\u{E9}"], ["cafe\u{301}"], ["a\",\"b"], []]
            try await trial.store(
                lists.enumerated().map { Product(id: .init("p\($0)"), codes: $1) },
                in: trial.products)
            for (code, ids) in [
                ("a", ["p0"]), ("A", ["p1"]), ("caf\u{E9}", ["p2"]), ("cafe\u{301}", ["p3"]),
                ("a\",\"b", ["p4"]), ("", []),
            ] {
                try await expect(
                    trial.products.ids(.where { $0.codes.contains(code) }).map(\.rawValue), is: ids,
                    code)
            }
        },
        query("list.nulls", "A list that contains null contains it.") { trial in
            let detail = Detail(text: "", inner: Inner())
            let lists: [[String?]] = [[], [nil], ["a", nil], ["null"]]
            try await trial.store(
                lists.enumerated().map { number, gaps in
                    specimen("s\(number)", detail) { $0.gaps = gaps }
                }, in: trial.specimens)
            try await expect(
                trial.specimens.ids(.where { $0.gaps.contains(nil) }), is: ["s1", "s2"])
            try await expect(trial.specimens.ids(.where { $0.gaps.contains("null") }), is: ["s3"])
            try await expect(
                trial.specimens.ids(.where { !$0.gaps.contains(nil) }), is: ["s0", "s3"])
        },
        query("list.equals", "Lists are compared element by element.") { trial in
            try await trial.store([[], [1, 2], [2, 1], [1], nil]) { $0.list = $1 }
            try await trial.expectMatches([1]) { $0.list == [1, 2] }
            try await trial.expectMatches([0]) { $0.list == [] }
            try await trial.expectMatches([4]) { $0.list == nil }
            try await trial.expectMatches([0, 2, 3, 4]) { $0.list != [1, 2] }
        },
        query("list.values", "A list can contain embedded values, which are compared by fields.") {
            trial in
            let one = Detail(text: "a", count: 1, inner: Inner(flag: true))
            let other = Detail(text: "a", count: 1, inner: Inner(flag: false))
            try await trial.store([[one], [other, one], [other], []]) { $0.details = $1 }
            try await trial.expectMatches([0, 1]) { $0.details.contains(one) }
            try await trial.expectMatches([1, 2]) { $0.details.contains(other) }
        },
        query("embedded.fields", "The fields of an embedded value are compared like others.") {
            trial in
            try await trial.store(details) { $0.detail = $1 }
            try await trial.expectMatches([1]) { $0.detail.text == "b" }
            try await trial.expectMatches([1, 2]) { $0.detail.text > "a" }
            try await trial.expectMatches([2]) { $0.detail.count >= 2 }
            try await trial.expectMatches([1, 2]) {
                $0.detail.text.hasPrefix("B", ignoringCase: true)
            }
        },
        query("embedded.deep", "Fields at any depth can be compared.") { trial in
            try await trial.store(details) { $0.detail = $1 }
            try await trial.expectMatches([2]) { $0.detail.inner.flag == true }
            try await trial.expectMatches([1, 2]) { $0.detail.inner.amount > 0 }
            try await trial.expectMatches([2]) {
                $0.detail.inner.moment == Date(timeIntervalSince1970: 86_400)
            }
            try await trial.expectMatches([0, 1]) { $0.detail.inner.flag == false }
        },
        query("embedded.decimals", "Decimals inside embedded values are compared by value.") {
            trial in
            let amounts = ["2", "10", "0.5", "-1", "9007199254740993"].map { Decimal(string: $0) }
            try await trial.store(amounts) {
                $0.detail = Detail(text: "", inner: Inner(amount: $1))
            }
            try await trial.expectMatches([0, 1, 4]) { $0.detail.inner.amount >= 2 }
            try await trial.expectMatches([4]) {
                $0.detail.inner.amount == Decimal(9_007_199_254_740_993)
            }
            try await trial.expectOrder([3, 2, 0, 1, 4], .sorted(by: \.detail.inner.amount))
        },
        query("embedded.missing", "The fields of a missing embedded value are null.") {
            trial in
            try await trial.store(details + [nil]) { $0.detail = $1 }
            try await trial.expectMatches([3]) { $0.detail == nil }
            try await trial.expectMatches([3]) { $0.detail.text == nil }
            try await trial.expectMatches([0, 3]) { $0.detail.count == nil }
            try await trial.expectMatches([0, 2, 3]) { $0.detail.text != "b" }
            try await trial.expectMatches([3]) { $0.detail.inner.flag == nil }
            try await trial.expectMatches([0, 1, 3]) { !($0.detail.count > 1) }
        },
        query("embedded.equals", "Embedded values are compared field by field.") { trial in
            try await trial.store(details + [nil]) { $0.detail = $1 }
            let second = details[1]
            try await trial.expectMatches([1]) { $0.detail == second }
            try await trial.expectMatches([0, 2, 3]) { $0.detail != second }
            try await trial.expectMatches([1, 3]) { $0.detail.in([second, nil]) }
        },
        query("embedded.list", "A list inside an embedded value can be searched.") {
            trial in
            try await trial.store(details + [nil]) { $0.detail = $1 }
            try await trial.expectMatches([1, 2]) { $0.detail.tags.contains("x") }
            try await trial.expectMatches([0, 3]) { !$0.detail.tags.contains("x") }
        },
        query(
            "embedded.order",
            "A query can sort by a field of an embedded value, missing ones first."
        ) {
            trial in
            try await trial.store(details + [nil]) { $0.detail = $1 }
            try await trial.expectOrder([3, 0, 1, 2], .sorted(by: \.detail.text))
            try await trial.expectOrder([2, 1, 0, 3], .sorted(by: \.detail.count, .descending))
        },
        query("map.values", "The value of a key is compared; it is null for a missing key.") {
            trial in
            try await trial.store([["a": 1], ["a": 2, "b": 1], ["b": 3], [:], nil]) { $0.map = $1 }
            try await trial.expectMatches([1]) { $0.map["a"] > 1 }
            try await trial.expectMatches([2, 3, 4]) { $0.map["a"] == nil }
            try await trial.expectMatches([1, 2]) { $0.map["b"] != nil }
            try await trial.expectMatches([0, 2, 3, 4]) { !($0.map["a"] > 1) }
            try await trial.expectOrder(
                [3, 4, 1, 2], .where { $0.map["a"] != 1 }.sorted(by: \.map["b"]))
        },
        query("map.keys", "Every string can be a key, including dots, quotes and the empty string.")
        {
            trial in
            let keys = ["", "a.b", "a\"b", "a'b", "$", "a[0]", "0", "a\\b", "é", "a b", "length"]
            try await trial.store(keys) { $0.map = [$1: 1] }
            for (number, key) in keys.enumerated() {
                try await trial.expectMatches([number], key) { $0.map[key] == 1 }
            }
            try await trial.expectMatches([]) { $0.map["a"] == 1 }
            try await trial.expectMatches([]) { $0.map["e\u{301}"] == 1 }
        },
        query("map.equals", "Maps are compared key by key.") { trial in
            try await trial.store([["a": 1, "b": 2], ["b": 2, "a": 1], ["a": 1], [:], nil]) {
                $0.map = $1
            }
            try await trial.expectMatches([0, 1]) { $0.map == ["a": 1, "b": 2] }
            try await trial.expectMatches([3]) { $0.map == [:] }
        },
    ]

    /// Three embedded values: without a count, and with the counts 1 and 2.
    private static var details: [Detail] {
        let day = Date(timeIntervalSince1970: 86_400)
        return [
            Detail(text: "a", inner: Inner()),
            Detail(text: "b", count: 1, inner: Inner(amount: 1), tags: ["x"]),
            Detail(
                text: "bb", count: 2, inner: Inner(flag: true, amount: 2, moment: day),
                tags: ["y", "x"]),
        ]
    }

    private static func specimen(
        _ id: String, _ detail: Detail, _ change: (inout Specimen) -> Void
    ) -> Specimen {
        var specimen = Specimen(
            id: .init(id), date: TrialClock.start, url: Samples.urls[0], data: Data(),
            detail: detail)
        change(&specimen)
        return specimen
    }
}
