internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Lists of values, ranges, ids, and values that no field can have.
    static let queryValues: [StoreBehaviour] = [
        query("in.values", "A field is in a list that contains an equal value.") { trial in
            try await trial.store(["a", "b", "A", "", "a,b", "'a'"]) { $0.string = $1 }
            try await trial.expectMatches([0, 3]) { $0.string.in(["", "a", "c"]) }
            try await trial.expectMatches([4, 5]) { $0.string.in(["a,b", "'a'"]) }
            try await trial.expectMatches([1]) { $0.string.in(["b", "b"]) }
        },
        query("in.none", "No field is in an empty list, and every field is outside it.") {
            trial in
            try await trial.store([nil, 1]) { $0.int = $1 }
            try await trial.expectMatches([]) { $0.int.in([Int?]()) }
            try await trial.expectMatches([0, 1]) { !$0.int.in([Int?]()) }
            try await trial.expectMatches([1]) { $0.int.in([Int?]()) || $0.int == 1 }
        },
        query("in.many", "A list may contain thousands of values.") { trial in
            try await trial.store([5, 6_999, -1, 7_001]) { $0.int = $1 }
            try await trial.expectMatches([0, 1]) { $0.int.in(Array(0..<7_000)) }
        },
        query("in.types", "Values of every type can be in a list.") { trial in
            let full = try Samples.sparse()
            try await trial.store([full, Sparse(id: "none")], in: trial.sparses)
            let conditions: [(String, (Sparse.Fields) -> Condition)] = [
                ("uuid", { $0.uuid.in([full.uuid]) }), ("url", { $0.url.in([full.url]) }),
                ("data", { $0.data.in([full.data]) }), ("date", { $0.date.in([full.date]) }),
                ("decimal", { $0.decimal.in([full.decimal]) }),
                ("money", { $0.money.in([full.money]) }),
                ("double", { $0.double.in([full.double]) }), ("bool", { $0.bool.in([full.bool]) }),
                ("colour", { $0.colour.in([full.colour]) }),
                ("digit", { $0.digit.in([full.digit]) }), ("hue", { $0.hue.in([full.hue]) }),
            ]
            for (name, condition) in conditions {
                try await expect(trial.sparses.ids(.where(condition)), is: ["full"], name)
                try await expect(
                    trial.sparses.ids(.where { !condition($0) }), is: ["none"], "not \(name)")
            }
        },
        query("range.closed", "A closed range contains both bounds.") { trial in
            try await trial.store([nil, 1, 2, 3, 4]) { $0.int = $1 }
            try await trial.expectMatches([2, 3]) { $0.int.in(2...3) }
            try await trial.expectMatches([1]) { $0.int.in(1...1) }
            try await trial.expectMatches([0, 1, 4]) { !$0.int.in(2...3) }
        },
        query("range.halfOpen", "A half-open range does not contain its upper bound.") { trial in
            try await trial.store([nil, 1, 2, 3, 4]) { $0.int = $1 }
            try await trial.expectMatches([2]) { $0.int.in(2..<3) }
            try await trial.expectMatches([]) { $0.int.in(2..<2) }
            try await trial.expectMatches([1, 2]) { $0.int.in(..<3) }
        },
        query("range.oneSided", "A one-sided range is unbounded on the other side.") { trial in
            try await trial.store([nil, .min, 0, .max]) { $0.int = $1 }
            try await trial.expectMatches([2, 3]) { $0.int.in(0...) }
            try await trial.expectMatches([1, 2]) { $0.int.in(...0) }
        },
        query("range.text", "A range of strings is ordered by bytes.") { trial in
            try await trial.store(["a", "ab", "b", "B", "\u{E9}", nil]) { $0.string = $1 }
            try await trial.expectMatches([0, 1]) { $0.string.in("a"..<"b") }
            try await trial.expectMatches([2, 4]) { $0.string.in("b"...) }
        },
        query("range.decimals", "A range of decimals is ordered by value, regardless of the scale.")
        { trial in
            try await trial.store(
                ["0.0149", "0.015", "0.02", "2", "10"].map { Decimal(string: $0) }
            ) { $0.decimal = $1 }
            try await trial.expectMatches([1, 2]) { fields in
                let (low, high) = (Decimal(15) / 1_000, Decimal(20) / 1_000)
                return fields.decimal.in(low...high)
            }
            try await trial.expectMatches([3]) { $0.decimal.in(2..<10) }
        },
        query("id.equals", "A query by id returns the record.") { trial in
            try await trial.store([1, 2, 3]) { $0.int = $1 }
            try await trial.expectMatches([1]) { $0.id == "01" }
            try await trial.expectMatches([0, 2]) { $0.id != "01" }
            try await trial.expectMatches([]) { $0.id == "none" }
            try await trial.expectMatches([]) { $0.id == "01" && $0.int == 3 }
        },
        query("id.in", "A query by several ids returns the stored records once, in order.") {
            trial in
            try await trial.store([1, 2, 3]) { $0.int = $1 }
            try await trial.expectMatches([0, 2]) { $0.id.in(["02", "none", "00", "02"]) }
            try await trial.expectMatches([2]) { $0.id.in(["02", "00"]) && $0.int > 1 }
            try await expect(
                trial.sparses.ids(
                    .where { $0.id.in(["00", "01", "02"]) }
                        .sorted(by: \.int, .descending).limit(2)),
                is: ["02", "01"])
        },
        query("id.hostile", "An id that cannot be stored matches no record.") { trial in
            try await trial.store([1]) { $0.int = $1 }
            for id in ["", "\u{0}", "0\u{0}0", "../00"] {
                try await expect(
                    trial.sparses.ids(.where { $0.id == Sparse.ID(id) }), is: [])
                try await expect(
                    trial.sparses.ids(.where { $0.id.in([Sparse.ID(id), "00"]) }), is: ["00"])
            }
        },
        query(
            "id.composite", "Composite ids can be compared as a whole.", needs: [.references]
        ) { trial in
            try await trial.halls.create(Hall(id: "a"))
            for (row, letter) in [(1, "x"), (1, "y"), (2, "x")] {
                try await trial.seats.create(Seat(hallID: "a", row: row, letter: letter))
            }
            let wanted = Seat.ID(hallID: "a", row: 1, letter: "y")
            try await expect(trial.seats.ids(.where { $0.id == wanted }), is: [wanted])
            try await expect(trial.seats.count(where: { $0.id != wanted }), is: 2)
            try await expect(
                trial.seats.ids(.where { $0.row == 1 }).map(\.letter), is: ["x", "y"])
            try await expect(
                trial.seats.ids(
                    .where {
                        $0.id.in([wanted, Seat.ID(hallID: "a", row: 9, letter: "x")])
                    }), is: [wanted])
        },
        query(
            "beyond.stock", "A value outside a field's bounds equals none, but has its order."
        ) { trial in
            try await trial.store(
                [Product(id: "p1", stock: 0), Product(id: "p2", stock: 1_000)], in: trial.products)
            for large in [1_000_000_000_000, Int.max] {
                try await expect(trial.products.ids(.where { $0.stock == large }), is: [])
                try await expect(trial.products.count(where: { $0.stock != large }), is: 2)
                try await expect(trial.products.count(where: { $0.stock < large }), is: 2)
                try await expect(trial.products.count(where: { $0.stock >= large }), is: 0)
                try await expect(trial.products.count(where: { $0.stock > -large }), is: 2)
                try await expect(
                    trial.products.ids(.where { $0.stock.in([large, 0]) }), is: ["p1"])
            }
        },
        query("beyond.column", "A number too large for a small integer exceeds all of its values.")
        { trial in
            try await trial.store([Int8.min, 0, .max]) { record, value in
                record.int8 = value
                record.uint32 = value < 0 ? 0 : .max
            }
            let layout = Sparse.Mapper.layout
            for name in ["int8", "uint32"] {
                let field = layout.fields.firstIndex { $0.name == name }
                let path = FieldPath(field ?? 0)
                for number in [Int64.max, 1_000_000_000_000] {
                    try await trial.expectMatches([]) { _ in
                        Condition(.compare(path, .equal, .integer(number)))
                    }
                    try await trial.expectMatches([0, 1, 2]) { _ in
                        Condition(.compare(path, .less, .integer(number)))
                    }
                    try await trial.expectMatches([]) { _ in
                        Condition(.compare(path, .less, .integer(-number)))
                    }
                }
            }
        },
        query(
            "beyond.scale",
            "A decimal with more digits than a field equals none, but has its order."
        ) { trial in
            try await trial.store(
                ["0", "0.01", "0.02", nil].map { $0.flatMap { Decimal(string: $0) } }
            ) { $0.money = $1 }
            let fine = Decimal(15) / 1_000
            try await trial.expectMatches([]) { $0.money == fine }
            try await trial.expectMatches([0, 1]) { $0.money < fine }
            try await trial.expectMatches([0, 1]) { $0.money <= fine }
            try await trial.expectMatches([2]) { $0.money > fine }
            try await trial.expectMatches([2]) { $0.money >= fine }
            try await trial.expectMatches([0, 1, 2, 3]) { $0.money != fine }
            try await trial.expectMatches([1]) { $0.money.in([fine, Decimal(1) / 100]) }
            try await trial.expectMatches([1]) { $0.money.in(Decimal(5) / 1_000...fine) }
            let coarse = fine * -1
            try await trial.expectMatches([0, 1, 2]) { $0.money > coarse }
        },
        query("beyond.decimal", "A decimal that exceeds 64 bits exceeds all values with a scale.") {
            trial in
            let ends = ["-92233720368547758.08", "92233720368547758.07"]
            try await trial.store(ends.map { Decimal(string: $0) }) { $0.money = $1 }
            guard let huge = Decimal(string: "1E+30") else { return }
            try await trial.expectMatches([0, 1]) { $0.money < huge }
            try await trial.expectMatches([]) { $0.money >= huge }
            try await trial.expectMatches([0, 1]) { $0.money > -huge }
            try await trial.expectMatches([]) { $0.money == huge }
        },
        query("beyond.microseconds", "A date is compared after rounding to microseconds.") {
            trial in
            let moment = Date(timeIntervalSince1970: 1_700_000_000)
            try await trial.store([moment]) { $0.date = $1 }
            try await trial.expectMatches([0]) { $0.date == moment + 0.000_000_2 }
            try await trial.expectMatches([]) { $0.date > moment + 0.000_000_2 }
            try await trial.expectMatches([0]) { $0.date.in([moment - 0.000_000_2]) }
            try await trial.expectMatches([]) { $0.date == moment + 0.000_001 }
        },
        query("beyond.date", "A date that cannot be stored has its order.") { trial in
            try await trial.store([Date(timeIntervalSince1970: 0), nil]) { $0.date = $1 }
            let (early, late) = (
                Date(timeIntervalSince1970: -1e18), Date(timeIntervalSince1970: 1e18)
            )
            try await trial.expectMatches([0]) { $0.date < late }
            try await trial.expectMatches([]) { $0.date > late }
            try await trial.expectMatches([0]) { $0.date > early }
            try await trial.expectMatches([]) { $0.date == late }
            try await trial.expectMatches([0, 1]) { $0.date != late }
        },
        query("beyond.zero", "Negative zero equals zero.") { trial in
            try await trial.store([0.0, -0.0, 1]) { $0.double = $1 }
            try await trial.expectMatches([0, 1]) { $0.double == 0 }
            try await trial.expectMatches([0, 1]) { $0.double == -0.0 }
            try await trial.expectMatches([]) { $0.double < 0.0 }
            try await trial.expectMatches([2]) { $0.double > -0.0 }
            try await trial.expectMatches([0, 1]) { $0.double.in([-0.0]) }
        },
        query("beyond.infinity", "Infinity exceeds every stored number.") { trial in
            try await trial.store([nil, -.greatestFiniteMagnitude, .greatestFiniteMagnitude]) {
                $0.double = $1
            }
            try await trial.expectMatches([1, 2]) { $0.double < .infinity }
            try await trial.expectMatches([]) { $0.double >= .infinity }
            try await trial.expectMatches([1, 2]) { $0.double > -.infinity }
            try await trial.expectMatches([]) { $0.double == .infinity }
        },
        query("beyond.text", "A string that cannot be stored equals none, but has its order.") {
            trial in
            try await trial.store(["a", "b", nil]) { $0.string = $1 }
            try await trial.expectMatches([]) { $0.string == "a\u{0}" }
            try await trial.expectMatches([0]) { $0.string < "a\u{0}" }
            try await trial.expectMatches([1]) { $0.string > "a\u{0}b" }
            try await trial.expectMatches([]) { $0.string.contains("\u{0}") }
            try await trial.expectMatches([]) { $0.string.hasPrefix("a\u{0}") }
        },
    ]
}
