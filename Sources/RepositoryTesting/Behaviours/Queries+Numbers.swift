internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Counts, minimums, maximums, sums and averages.
    static let queryNumbers: [StoreBehaviour] = [
        query("count.all", "`count` returns the number of records that `fetch` returns.") { trial in
            try await trial.store([nil, 1, 2, 2]) { $0.int = $1 }
            try await expect(trial.sparses.count(.all), is: 4)
            try await expect(trial.sparses.count(where: { $0.int == 2 }), is: 2)
            try await expect(trial.sparses.count(where: { $0.int != 2 }), is: 2)
            try await expect(trial.sparses.count(.where { $0.int > 5 }), is: 0)
        },
        query("exists", "`exists` tells whether a record satisfies the condition.") { trial in
            try await expect(trial.sparses.exists(where: { $0.int == nil }), is: false)
            try await trial.store([nil, 1]) { $0.int = $1 }
            try await expect(trial.sparses.exists(where: { $0.int == nil }), is: true)
            try await expect(trial.sparses.exists(where: { $0.int > 1 }), is: false)
        },
        query("extremes.numbers", "Minimum and maximum ignore null.") { trial in
            try await trial.store([nil, 5, .min, .max, 0]) { $0.int64 = $1 }
            try await expect(trial.sparses.minimum(of: \.int64), is: .min)
            try await expect(trial.sparses.maximum(of: \.int64), is: .max)
            try await expect(
                trial.sparses.maximum(of: \.int64, from: .where { $0.int64 < 6 }), is: 5)
        },
        query("extremes.none", "The minimum and maximum of nulls are null.") {
            trial in
            try await trial.store([nil, nil, 1]) { $0.int = $1 }
            try await expect(
                trial.sparses.minimum(of: \.int, from: .where { $0.int == nil }), is: nil)
            try await expect(trial.sparses.maximum(of: \.int, from: .where { $0.int > 1 }), is: nil)
            try await expect(trial.sparses.minimum(of: \.string), is: nil)
        },
        query("extremes.types", "Every ordered type has a minimum and a maximum.") { trial in
            try await trial.store(["b", "a", "\u{E9}", "e\u{301}"]) { record, text in
                record.string = text
                record.uuid = text == "a" ? Samples.uuids[0] : Samples.uuids[1]
                record.date = Date(timeIntervalSince1970: text == "b" ? -5 : 7)
                record.decimal = text == "b" ? Decimal(string: "10") : Decimal(string: "9.5")
                record.money = text == "a" ? Decimal(string: "-0.01") : Decimal(string: "0.1")
                record.bool = text == "a"
                record.data = Data(text.utf8)
                record.digit = text == "a" ? .minusTwo : .huge
                record.detail = Detail(text: text, inner: Inner())
            }
            let sparses = trial.sparses
            try await expect(sparses.maximum(of: \.string) ?? "", is: "\u{E9}")
            try await expect(sparses.minimum(of: \.uuid), is: Samples.uuids[0])
            try await expect(sparses.minimum(of: \.date), is: Date(timeIntervalSince1970: -5))
            try await expect(sparses.maximum(of: \.decimal), is: 10)
            try await expect(sparses.minimum(of: \.money), is: Decimal(string: "-0.01"))
            try await expect(sparses.maximum(of: \.bool), is: true)
            try await expect(sparses.minimum(of: \.data), is: Data("a".utf8))
            try await expect(sparses.maximum(of: \.digit), is: .huge)
            try await expect(sparses.maximum(of: \.id), is: "03")
            try await expect(sparses.minimum(of: \.detail.text) ?? "", is: "a")
        },
        query("sum.integers", "A sum of integers is exact and ignores null.") { trial in
            try await trial.store([nil, 5, -7, 1 << 53, 1]) { $0.int = $1 }
            try await expect(trial.sparses.sum(of: \.int), is: 1 << 53 - 1)
            try await expect(trial.sparses.sum(of: \.int, from: .where { $0.int < 2 }), is: -6)
        },
        query("sum.small", "A sum of small integers may exceed their type.") { trial in
            try await trial.store([Int8.max, .max, nil, .max]) { record, value in
                record.int8 = value
                record.uint32 = value == nil ? nil : .max
            }
            try await expect(trial.sparses.sum(of: \.int8), is: 381)
            try await expect(trial.sparses.sum(of: \.uint32), is: 3 * Int(UInt32.max))
        },
        query("sum.doubles", "A sum of doubles does not depend on their order.") { trial in
            try await trial.store([1e16, 1, nil, -1e16, 0.5]) { $0.double = $1 }
            try await expect(trial.sparses.sum(of: \.double), is: 1.5)
        },
        query("sum.decimals", "A sum of decimals is exact, with and without a scale.") { trial in
            try await trial.store(["0.1", "0.2", "0.005", nil, "9007199254740993"]) {
                record, text in
                record.decimal = text.flatMap { Decimal(string: $0) }
                record.money = record.decimal
            }
            try await expect(
                trial.sparses.sum(of: \.decimal), is: Decimal(string: "9007199254740993.305"))
            try await expect(
                trial.sparses.sum(of: \.money), is: Decimal(string: "9007199254740993.3"))
        },
        query("sum.none", "The sum of no values is 0, and the average is null.") { trial in
            try await trial.store([nil, 1]) { $0.int = $1 }
            try await expect(trial.sparses.sum(of: \.int, from: .where { $0.int == nil }), is: 0)
            try await expect(trial.sparses.sum(of: \.decimal), is: 0)
            try await expect(
                trial.sparses.average(of: \.int, from: .where { $0.int == nil }), is: nil)
            try await expect(
                trial.sparses.average(of: \.double, from: .where { $0.int == 9 }), is: nil)
        },
        query("sum.overflow", "An overflow of the final sum throws, an intermediate one does not.")
        {
            trial in
            try await trial.store([.max, 1, -2]) { $0.int = $1 }
            try await expect(trial.sparses.sum(of: \.int), is: .max - 1)
            try await expectError(.numberOverflow, field: "int") {
                try await trial.sparses.sum(of: \.int, from: .where { $0.int > 0 })
            }
            try await expect(
                trial.sparses.average(of: \.int, from: .where { $0.int > 0 }), is: 0x1p62)
        },
        query("average.values", "An average ignores null and is divided once.") { trial in
            try await trial.store([nil, 1, 2, 2]) { record, value in
                record.int = value
                record.money = value.map { Decimal($0) / 10 }
                record.double = value.map { Double($0) / 4 }
            }
            try await expect(trial.sparses.average(of: \.int), is: 5.0 / 3)
            try await expect(
                trial.sparses.average(of: \.money, from: .where { $0.int < 3 }),
                is: Decimal(5) / 10 / 3)
            try await expect(trial.sparses.average(of: \.double), is: 1.25 / 3)
        },
        query("numbers.limited", "Limits and offsets apply to aggregates.") { trial in
            try await trial.store([4, 3, 2, 1]) { $0.int = $1 }
            let middle = Query<Sparse>.sorted(by: \.int).offset(1).limit(2)
            try await expect(trial.sparses.count(middle), is: 2)
            try await expect(trial.sparses.sum(of: \.int, from: middle), is: 5)
            try await expect(trial.sparses.minimum(of: \.int, from: middle), is: 2)
            try await expect(trial.sparses.maximum(of: \.int, from: middle), is: 3)
            try await expect(trial.sparses.average(of: \.int, from: middle), is: 2.5)
            try await expect(trial.sparses.sum(of: \.int, from: .limit(1)), is: 4)
        },
        query("numbers.nested", "Numbers inside embedded values and maps can be aggregated.") {
            trial in
            try await trial.store([1, 2, nil]) { record, value in
                record.detail = value.map {
                    Detail(text: "", count: $0, inner: Inner(amount: Decimal($0) / 10))
                }
                record.map = value.map { ["a": Double($0)] }
            }
            try await expect(trial.sparses.sum(of: \.detail.count), is: 3)
            try await expect(
                trial.sparses.sum(of: \.detail.inner.amount), is: Decimal(string: "0.3"))
            try await expect(trial.sparses.maximum(of: \.map["a"]), is: 2)
        },
    ]
}
