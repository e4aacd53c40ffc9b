internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Grouping, and aggregates of each group.
    static let groups: [StoreBehaviour] = [
        reading("group.count", "Groups are counted and sorted by the common value.") { trial in
            for (number, stage) in [Stage.published, .draft, .published, .inReview].enumerated() {
                try await trial.articles.create(
                    Article(number: .init(number), section: "news", stage: stage))
            }
            let rows = try await trial.articles.group(by: \.stage, .count)
            try expect(rows.map(\.0), is: [.draft, .inReview, .published])
            try expect(rows.map(\.1), is: [1, 1, 2])
        },
        reading("group.null", "Null forms a group, which comes first.") { trial in
            try await trial.group([nil, 2, nil, 1], \.int)
            let rows = try await trial.sparses.group(by: \.int, .count)
            try expect(rows.map(\.0), is: [nil, 1, 2])
            try expect(rows.map(\.1), is: [2, 1, 1])
        },
        reading("group.bool", "False precedes true.") { trial in
            try await trial.group([true, false, true], \.bool)
            let rows = try await trial.sparses.group(by: \.bool, .count)
            try expect(rows.map(\.0), is: [false, true])
            try expect(rows.map(\.1), is: [1, 2])
        },
        reading("group.text", "Strings are grouped and sorted by their bytes.") { trial in
            try await trial.group(["b", "B", "caf\u{E9}", "cafe\u{301}", "b"], \.string)
            let rows = try await trial.sparses.group(by: \.string, .count)
            try expect(
                rows.map { $0.0.map { Array($0.utf8) } },
                is: [
                    "B", "b", "cafe\u{301}", "caf\u{E9}",
                ].map { Array($0.utf8) })
            try expect(rows.map(\.1), is: [1, 2, 1, 1])
        },
        reading("group.date", "Dates are grouped by value.") { trial in
            let dates = [Samples.dates[4], Samples.dates[2], Samples.dates[4]]
            try await trial.group(dates, \.date)
            let rows = try await trial.sparses.group(by: \.date, .count)
            try expect(rows.map(\.0), is: [dates[1], dates[0]])
            try expect(rows.map(\.1), is: [1, 2])
        },
        reading("group.parts", "Dates can be grouped by day, month and year in UTC.") { trial in
            // 2024-02-29 00:00:00, 2024-02-29 23:59:59, 2024-03-01 00:00:00, 1969-12-31 23:59:59
            // and null.
            let moments: [Double?] = [1_709_164_800, 1_709_251_199, 1_709_251_200, -1, nil]
            try await trial.group(
                moments.map { $0.map { Date(timeIntervalSince1970: $0) } }, \.date)
            let starts: [(DatePart, [Double], [Int])] = [
                (.day, [-86_400, 1_709_164_800, 1_709_251_200], [1, 1, 2, 1]),
                (.month, [-2_678_400, 1_706_745_600, 1_709_251_200], [1, 1, 2, 1]),
                (.year, [-31_536_000, 1_704_067_200], [1, 1, 3]),
            ]
            for (part, seconds, counts) in starts {
                let rows = try await trial.sparses.group(by: \.date, per: part, .count)
                try expect(
                    rows.map(\.0),
                    is: [nil] + seconds.map { .some(Date(timeIntervalSince1970: $0)) }, "\(part)")
                try expect(rows.map(\.1), is: counts, "\(part)")
            }
        },
        reading(
            "group.zones", "Dates can be grouped by day, month and year in a named time zone."
        ) { trial in
            // Samoa skipped 2011-12-30; Vienna has summer time in March and October.
            let moments = [
                "2011-12-30T09:59:59Z", "2011-12-30T10:00:00Z", "2024-02-29T23:30:00Z",
                "2024-03-31T21:59:59Z", "2024-03-31T22:00:00Z", "2024-10-27T23:00:00Z",
                "2024-12-31T23:00:00Z",
            ].map { StoredDate.date(text: $0) }
            try await trial.group(moments + [nil], \.date)
            try await trial.expectGroups(
                .day, in: "Pacific/Apia",
                [
                    "2011-12-29", "2011-12-31", "2024-03-01", "2024-04-01", "2024-10-28",
                    "2025-01-01",
                ], [1, 1, 1, 1, 2, 1, 1])
            try await trial.expectGroups(
                .day, in: "Europe/Vienna",
                [
                    "2011-12-30", "2024-03-01", "2024-03-31", "2024-04-01", "2024-10-28",
                    "2025-01-01",
                ],
                [1, 2, 1, 1, 1, 1, 1])
            try await trial.expectGroups(
                .month, in: "Europe/Vienna",
                ["2011-12-01", "2024-03-01", "2024-04-01", "2024-10-01", "2025-01-01"],
                [1, 2, 2, 1, 1, 1])
            try await trial.expectGroups(
                .year, in: "Europe/Vienna", ["2011-01-01", "2024-01-01", "2025-01-01"],
                [1, 2, 4, 1])
        },
        reading(
            "group.zonesOutOfRange",
            "Grouping in a time zone throws for a date outside of the years 1 to 9999."
        ) { trial in
            try await trial.group([StoredDate.date(text: "9999-12-31T23:30:00Z")], \.date)
            try await trial.expectGroups(.day, in: "GMT", ["9999-12-31"], [1], null: false)
            let zone = try zone("Asia/Tokyo")
            try await expectError(.numberOverflow, table: "sparses", field: "date") {
                try await trial.sparses.group(by: \.date, per: .day, in: zone, .count)
            }
        },
        reading("group.days", "Days can be grouped by value, month and year.") { trial in
            let days = ["2024-02-29", "2023-12-31", "2024-02-01", "2024-02-29"].map {
                LocalDate($0)
            }
            try await trial.group(days + [nil], \.day)
            let rows: [(DatePart?, [String], [Int])] = [
                (nil, ["2023-12-31", "2024-02-01", "2024-02-29"], [1, 1, 1, 2]),
                (.day, ["2023-12-31", "2024-02-01", "2024-02-29"], [1, 1, 1, 2]),
                (.month, ["2023-12-01", "2024-02-01"], [1, 1, 3]),
                (.year, ["2023-01-01", "2024-01-01"], [1, 1, 3]),
            ]
            for (part, days, counts) in rows {
                let groups =
                    if let part {
                        try await trial.sparses.group(by: \.day, per: part, .count)
                    } else {
                        try await trial.sparses.group(by: \.day, .count)
                    }
                try expect(groups.map(\.0), is: [nil] + days.map { LocalDate($0) })
                try expect(groups.map(\.1), is: counts)
            }
            let ends = try await trial.sparses.group(
                by: \.int, .minimum(of: \.day), .maximum(of: \.day))
            try expect(ends.map(\.1), is: [LocalDate("2023-12-31")])
            try expect(ends.map(\.2), is: [LocalDate("2024-02-29")])
        },
        reading("group.functions", "Several aggregates can be computed per group.") { trial in
            for (number, (stage, rank)) in [
                (Stage.draft, 3), (.published, 5), (.draft, -1), (.draft, 4),
            ].enumerated() {
                try await trial.articles.create(
                    Article(number: .init(number), section: "s", stage: stage, rank: rank))
            }
            let rows = try await trial.articles.group(
                by: \.stage, .count, .sum(of: \.rank), .minimum(of: \.rank), .maximum(of: \.rank),
                .average(of: \.rank))
            try expect(rows.map(\.0), is: [.draft, .published])
            try expect(rows.map(\.1), is: [3, 1])
            try expect(rows.map(\.2), is: [6, 5])
            try expect(rows.map(\.3), is: [-1, 5])
            try expect(rows.map(\.4), is: [4, 5])
            try expect(rows.map(\.5), is: [2, 5])
        },
        reading(
            "group.nothing", "The sum of nulls is 0, and all other aggregates of nulls are null."
        ) { trial in
            try await trial.group([nil, nil], \.int)
            let rows = try await trial.sparses.group(
                by: \.bool, .sum(of: \.int), .sum(of: \.decimal), .minimum(of: \.date),
                .average(of: \.double))
            try expect(rows.count, is: 1)
            try expect(rows[0].1 == 0 && rows[0].2 == 0, "\(rows)")
            try expect(rows[0].3 == nil && rows[0].4 == nil, "\(rows)")
            let none = try await trial.notes.group(by: \.rank, .count)
            try expect(none.isEmpty, "An empty result has groups.")
        },
        reading("group.values", "A grouping without aggregates returns the distinct values.") {
            trial in
            try await trial.group([3, 1, 3, nil], \.int)
            let values: [Int?] = try await trial.sparses.group(by: \.int)
            try expect(values, is: [nil, 1, 3])
        },
        reading("group.query", "Only the records that the query selects are grouped.") { trial in
            try await trial.group([1, 2, 2, 3, 3, 3], \.int)
            let rows = try await trial.sparses.group(
                by: \.int, .count, from: .where { $0.int > 1 })
            try expect(rows.map(\.1), is: [2, 3])
            let last = Query<Sparse>.sorted(by: \.int, .descending).limit(4)
            let lastRows = try await trial.sparses.group(by: \.int, .count, from: last)
            try expect(lastRows.map(\.1), is: [1, 3])
        },
        reading("group.embedded", "Entities can be grouped by a field of an embedded value.") {
            trial in
            for (id, size) in [("aa", 3), ("bb", 1), ("cc", 3)] {
                try await trial.products.create(
                    Product(id: .init(id), stock: size * 2, size: Size(width: size)))
            }
            try await trial.products.create(Product(id: "dd"))
            let rows = try await trial.products.group(by: \.size.width, .count, .sum(of: \.stock))
            try expect(rows.map(\.0), is: [nil, 1, 3])
            try expect(rows.map(\.1), is: [1, 1, 2])
            try expect(rows.map(\.2), is: [1, 2, 12])
        },
        reading("group.sums", "Numbers of every type can be summed.") { trial in
            for id in ["a", "b"] {
                try await trial.sparses.create(
                    Sparse(
                        id: .init(id), int: 1, int8: .max, int16: .max, int32: .max, int64: 1 << 61,
                        uint8: .max, uint16: .max, uint32: .max, float: 0.5, double: 0.1,
                        decimal: 0.1, money: 0.01))
            }
            let one = try await trial.sparses.group(
                by: \.bool, .sum(of: \.int), .sum(of: \.int8), .sum(of: \.int16), .sum(of: \.int32),
                .sum(of: \.int64))[0]
            try expect(one.1 == 2 && one.2 == 254 && one.3 == 65_534, "\(one)")
            try expect(one.4 == 4_294_967_294 && one.5 == 1 << 62, "\(one)")
            let two = try await trial.sparses.group(
                by: \.bool, .sum(of: \.uint8), .sum(of: \.uint16), .sum(of: \.uint32),
                .sum(of: \.float), .sum(of: \.double), .sum(of: \.decimal), .sum(of: \.money))[0]
            try expect(two.1 == 510 && two.2 == 131_070 && two.3 == 8_589_934_590, "\(two)")
            try expect(two.4 == 1 && two.5 == 0.2 && two.6 == 0.2 && two.7 == 0.02, "\(two)")
        },
        reading("group.overflow", "A sum that exceeds its type throws `numberOverflow`.") { trial in
            for id in ["a", "b"] {
                try await trial.sparses.create(Sparse(id: .init(id), int: 2, int64: .max))
            }
            try await expectError(.numberOverflow, table: "sparses", field: "int64") {
                try await trial.sparses.group(by: \.int, .sum(of: \.int64))
            }
            try await expectError(.numberOverflow, field: "int64") {
                try await trial.sparses.sum(of: \.int64)
            }
            let averages = try await trial.sparses.group(by: \.int, .average(of: \.int64))
            try expect(averages.map(\.1), is: [Double(Int64.max)])
        },
        reading(
            "group.many", "Large numbers of groups and records are supported.", needs: [.batches]
        ) {
            trial in
            try await trial.notes.createAll(
                (0..<1_200).map { Note(id: .init("n\($0)"), text: "\($0 % 7)", rank: $0) })
            let rows = try await trial.notes.group(by: \.text, .count, .maximum(of: \.rank))
            try expect(rows.map(\.1), is: [172, 172, 172, 171, 171, 171, 171])
            try expect(rows.map(\.2), is: [1197, 1198, 1199, 1193, 1194, 1195, 1196])
        },
    ]
}

extension StoreTrial {
    /// Stores one record per value of a field.
    fileprivate func group<V: Sendable>(
        _ values: [V], _ field: WritableKeyPath<Sparse, V>
    ) async throws {
        for (number, value) in values.enumerated() {
            var sparse = Sparse(id: .init("s\(number)"))
            sparse[keyPath: field] = value
            try await repositories.sparses.create(sparse)
        }
    }

    /// Expects the groups of all sparses by a period in a time zone. One record without a date
    /// forms the first group, unless `null` is false.
    fileprivate func expectGroups(
        _ part: DatePart, in zone: String, _ days: [String], _ counts: [Int], null: Bool = true
    ) async throws {
        let rows = try await repositories.sparses.group(
            by: \.date, per: part, in: try StoreBehaviour.zone(zone), .count)
        try expect(rows.map(\.0), is: (null ? [nil] : []) + days.map { LocalDate($0) }, zone)
        try expect(rows.map(\.1), is: counts, zone)
    }
}

extension StoreBehaviour {
    /// Returns a time zone of the system's data.
    fileprivate static func zone(_ name: String) throws -> TimeZone {
        guard let zone = TimeZone(identifier: name) else {
            throw ExpectationFailure(
                message: "There is no time zone '\(name)'.", fileID: #fileID, line: #line)
        }
        return zone
    }
}
