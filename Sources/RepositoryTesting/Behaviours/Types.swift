internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Every type that a field can have: what is stored comes back the same.
    static let types: [StoreBehaviour] = [
        StoreBehaviour("types.allRequired", "A record of every type comes back the same.") {
            trial in
            let specimen = try Samples.specimen()
            try await expect(trial.specimens.create(specimen), is: specimen)
            try await expect(trial.specimens.read("all"), is: specimen)
        },
        StoreBehaviour("types.allOptional", "A record of every optional type comes back the same.")
        { trial in
            let sparse = try Samples.sparse()
            try await expect(trial.sparses.create(sparse), is: sparse)
            try await expect(trial.sparses.read("full"), is: sparse)
            try await expect(trial.sparses.update(Sparse(id: "full")), is: Sparse(id: "full"))
            try await expect(trial.sparses.read("full"), is: Sparse(id: "full"))
            try await trial.sparses.update(sparse)
            try await expect(trial.sparses.read("full"), is: sparse)
        },
        type("types.bools", "Truth values are kept.", [true, false]) { $0.bool = $1 },
        type("types.int", "Int is exact from end to end.", [0, -1, .min, .max, 1 << 53 + 1]) {
            $0.int = $1
        },
        type("types.int8", "Int8 is exact from end to end.", [0, -1, .min, .max]) { $0.int8 = $1 },
        type("types.int16", "Int16 is exact from end to end.", [0, -1, .min, .max]) {
            $0.int16 = $1
        },
        type("types.int32", "Int32 is exact from end to end.", [0, -1, .min, .max]) {
            $0.int32 = $1
        },
        type("types.int64", "Int64 is exact from end to end.", [0, .min, .max, 1 << 53 + 1]) {
            $0.int64 = $1
        },
        type("types.uint8", "UInt8 is exact from end to end.", [0, .max]) { $0.uint8 = $1 },
        type("types.uint16", "UInt16 is exact from end to end.", [0, .max]) { $0.uint16 = $1 },
        type("types.uint32", "UInt32 is exact from end to end.", [0, .max]) { $0.uint32 = $1 },
        type("types.doubles", "Every finite Double is exact.", Samples.doubles) { $0.double = $1 },
        type("types.floats", "Every finite Float is exact.", Samples.floats) { $0.float = $1 },
        StoreBehaviour("types.negativeZero", "Negative zero is stored as zero, everywhere.") {
            trial in
            var specimen = try Samples.specimen()
            specimen.double = -0.0
            specimen.float = -0.0
            specimen.map = ["zero": -0.0]
            let sparse = Sparse(id: "zero", float: -0.0, double: -0.0)
            for stored in [
                try await trial.specimens.create(specimen), try await trial.specimens.read("all"),
                try await trial.specimens.update(specimen), try await trial.specimens.read("all"),
            ] {
                try expect(stored.double.sign, is: .plus, "A Double kept its sign.")
                try expect(stored.float.sign, is: .plus, "A Float kept its sign.")
                try expect(stored.map["zero"]?.sign, is: .plus, "A Double in a map kept its sign.")
            }
            for stored in [
                try await trial.sparses.save(sparse), try await trial.sparses.read("zero"),
            ] {
                try expect(stored.double?.sign, is: .plus, "An optional Double kept its sign.")
                try expect(stored.float?.sign, is: .plus, "An optional Float kept its sign.")
            }
            // Another sign would be another key of an index, and another text of a projection.
            let found = try await trial.sparses.fetch(.where { $0.double == -0.0 })
            try expect(found.map(\.id), is: ["zero"])
        },
        type("types.decimals", "Decimals are exact to 38 digits.", Samples.decimals) {
            $0.decimal = $1
        },
        type("types.scaled", "Decimals with a scale are exact to 64 bits.", Samples.money) {
            $0.money = $1
        },
        StoreBehaviour("types.rounding", "A decimal with a scale is rounded half to even.") {
            trial in
            for (given, stored) in [
                ("1.005", "1"), ("1.015", "1.02"), ("1.025", "1.02"), ("-1.005", "-1"),
                ("2.675", "2.68"), ("0.001", "0"), ("9.999", "10"),
            ] {
                let money = Decimal(string: given)
                let result = try await trial.sparses.save(Sparse(id: "a", money: money))
                try expect(result.money, is: Decimal(string: stored), "\(given) was stored.")
                try await expect(trial.sparses.read("a").money, is: Decimal(string: stored))
            }
        },
        type("types.dates", "Dates are kept to the second.", Samples.dates) { $0.date = $1 },
        type(
            "types.microseconds", "Dates are kept to the microsecond.", Samples.microseconds,
            needs: [.fractionalSeconds]
        ) { $0.date = $1 },
        type("types.uuids", "UUIDs are kept.", Samples.uuids) { $0.uuid = $1 },
        type("types.urls", "URLs are kept as written.", Samples.urls) { $0.url = $1 },
        type("types.data", "Bytes are kept, none and many.", Samples.data) { $0.data = $1 },
        type("types.texts", "Texts are kept byte for byte.", Samples.texts) { $0.string = $1 },
        type(
            "types.controls", "Every control character but U+0000 is kept.",
            (1...31).compactMap { UnicodeScalar($0) }.map { "<\($0)>" },
            needs: [.controlCharacters]
        ) { $0.string = $1 },
        StoreBehaviour(
            "types.controlsRefused", "A store whose format lacks control characters says so.",
            lacks: [.controlCharacters]
        ) { trial in
            try await expectError(.unsupported) {
                try await trial.sparses.create(Sparse(id: "a", string: "bell \u{7}"))
            }
            try await expect(trial.sparses.exists("a"), is: false)
        },
        type("types.nullWords", "A text that says null is no null.", Samples.nullWords) {
            $0.string = $1
        },
        type("types.enums", "Enums are kept by their raw values.", Colour.allCases) {
            $0.colour = $1
        },
        type("types.integerEnums", "Enums of integers are exact.", Digit.allCases) {
            $0.digit = $1
        },
        type(
            "types.unknownCase", "A raw value that the enum does not know is kept.",
            [.warm, .other("ultraviolet"), .other(""), .other("Warm")]
        ) { $0.hue = $1 },
        type("types.values", "Embedded values are kept, nulls and depth included.", Samples.details)
        { $0.detail = $1 },
        type(
            "types.lists", "Lists keep their order, and an empty one is no null.",
            [[], [1], [3, 1, 2, 1], [.min, .max], Array(0..<500)]
        ) { $0.list = $1 },
        type("types.listsOfValues", "Lists of values are kept.", [[], Samples.details]) {
            $0.details = $1
        },
        type(
            "types.maps", "Maps keep their keys byte for byte, and an empty one is no null.",
            [
                [:], ["": 0], ["a": 1, "A": 2, "a.b": 3, "$": 4, "é": 5, " ": 6, "0": 7, "\"": 8],
            ]
        ) { $0.map = $1 },
        type(
            "types.nested", "Maps of lists of values are kept.",
            [
                [:], ["none": []], ["some": Samples.details, "none": []],
            ]
        ) { $0.nested = $1 },
        StoreBehaviour("types.gaps", "Lists keep their nulls.") { trial in
            var specimen = try Samples.specimen()
            for gaps in [[], [nil], ["a", nil, "", nil], ["null", "$null"]] as [[String?]] {
                specimen.gaps = gaps
                try await expect(trial.specimens.save(specimen), is: specimen)
                try await expect(trial.specimens.read("all").gaps, is: gaps)
            }
        },
        StoreBehaviour(
            "types.persistent", "A store made anew reads every type the same.",
            needs: [.records, .persistent]
        ) { trial in
            let (specimen, sparse) = (try Samples.specimen(), try Samples.sparse())
            try await trial.specimens.create(specimen)
            try await trial.sparses.create(sparse)
            let later = try await trial.reopened()
            try await expect(later.specimens.read("all"), is: specimen)
            try await expect(later.sparses.read("full"), is: sparse)
        },
    ]

    /// Values of one field, each stored under an id of its own, read back, and stored over one another.
    private static func type<V: Equatable & Sendable>(
        _ id: String, _ sentence: String, _ values: [V], needs: [StoreCapability] = [],
        fileID: String = #fileID, line: Int = #line,
        _ set: @escaping @Sendable (inout Sparse, V) -> Void
    ) -> StoreBehaviour {
        StoreBehaviour(id, sentence, needs: [.records] + needs, fileID: fileID, line: line) {
            trial in
            for (index, value) in values.enumerated() {
                var sparse = Sparse(id: .init("value-\(index)"))
                set(&sparse, value)
                let stored = try await trial.sparses.create(sparse)
                try expect(stored, is: sparse, "What create returned differs", line: line)
                let read = try await trial.sparses.read(sparse.id)
                try expect(read, is: sparse, "What was read differs", line: line)
            }
            for value in values {
                var sparse = Sparse(id: "one")
                set(&sparse, value)
                try await trial.sparses.save(sparse)
                let read = try await trial.sparses.read("one")
                try expect(read, is: sparse, "What was saved over differs", line: line)
            }
        }
    }
}
