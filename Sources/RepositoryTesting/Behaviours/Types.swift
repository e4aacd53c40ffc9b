internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// All field types: values are stored and read unchanged.
    static let types: [StoreBehaviour] = [
        StoreBehaviour(
            "types.allRequired", "A record with required fields of every type is read unchanged."
        ) {
            trial in
            let specimen = try Samples.specimen()
            try await expect(trial.specimens.create(specimen), is: specimen)
            try await expect(trial.specimens.read("all"), is: specimen)
        },
        StoreBehaviour(
            "types.allOptional", "A record with optional fields of every type is read unchanged."
        ) { trial in
            let sparse = try Samples.sparse()
            try await expect(trial.sparses.create(sparse), is: sparse)
            try await expect(trial.sparses.read("full"), is: sparse)
            try await expect(trial.sparses.update(Sparse(id: "full")), is: Sparse(id: "full"))
            try await expect(trial.sparses.read("full"), is: Sparse(id: "full"))
            try await trial.sparses.update(sparse)
            try await expect(trial.sparses.read("full"), is: sparse)
        },
        type("types.bools", "Booleans are stored.", [true, false]) { $0.bool = $1 },
        type(
            "types.int", "`Int` is stored exactly over its whole range.",
            [0, -1, .min, .max, 1 << 53 + 1]
        ) {
            $0.int = $1
        },
        type("types.int8", "`Int8` is stored exactly over its whole range.", [0, -1, .min, .max]) {
            $0.int8 = $1
        },
        type("types.int16", "`Int16` is stored exactly over its whole range.", [0, -1, .min, .max])
        {
            $0.int16 = $1
        },
        type("types.int32", "`Int32` is stored exactly over its whole range.", [0, -1, .min, .max])
        {
            $0.int32 = $1
        },
        type(
            "types.int64", "`Int64` is stored exactly over its whole range.",
            [0, .min, .max, 1 << 53 + 1]
        ) {
            $0.int64 = $1
        },
        type("types.uint8", "`UInt8` is stored exactly over its whole range.", [0, .max]) {
            $0.uint8 = $1
        },
        type("types.uint16", "`UInt16` is stored exactly over its whole range.", [0, .max]) {
            $0.uint16 = $1
        },
        type("types.uint32", "`UInt32` is stored exactly over its whole range.", [0, .max]) {
            $0.uint32 = $1
        },
        type("types.doubles", "Every finite `Double` is stored exactly.", Samples.doubles) {
            $0.double = $1
        },
        type("types.floats", "Every finite `Float` is stored exactly.", Samples.floats) {
            $0.float = $1
        },
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
            guard trial.store.capabilities.has(.queries) else { return }
            // Another sign would be another key of an index, and another text of a projection.
            let found = try await trial.sparses.fetch(.where { $0.double == -0.0 })
            try expect(found.map(\.id), is: ["zero"])
        },
        type(
            "types.decimals", "Decimals are stored exactly with up to 38 digits.", Samples.decimals
        ) {
            $0.decimal = $1
        },
        type(
            "types.scaled", "Decimals with a scale are stored exactly within 64 bits.",
            Samples.money
        ) {
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
                try expect(
                    result.money, is: Decimal(string: stored), "\(given) was rounded differently.")
                try await expect(trial.sparses.read("a").money, is: Decimal(string: stored))
            }
        },
        type("types.dates", "Dates are stored with a precision of seconds.", Samples.dates) {
            $0.date = $1
        },
        type(
            "types.microseconds", "Dates are stored with a precision of microseconds.",
            Samples.microseconds,
            needs: [.fractionalSeconds]
        ) { $0.date = $1 },
        type("types.uuids", "UUIDs are stored.", Samples.uuids) { $0.uuid = $1 },
        type("types.days", "Days are stored without a time.", Samples.days) { $0.day = $1 },
        type("types.urls", "URLs are stored unchanged.", Samples.urls) { $0.url = $1 },
        type("types.data", "Bytes are stored, including empty and long data.", Samples.data) {
            $0.data = $1
        },
        type("types.texts", "Strings are stored byte for byte.", Samples.texts) { $0.string = $1 },
        type(
            "types.controls", "All control characters except U+0000 are stored.",
            (1...31).compactMap { UnicodeScalar($0) }.map { "<\($0)>" },
            needs: [.controlCharacters]
        ) { $0.string = $1 },
        StoreBehaviour(
            "types.controlsRefused", "A store whose format lacks control characters throws.",
            lacks: [.controlCharacters]
        ) { trial in
            try await expectError(.unsupported) {
                try await trial.sparses.create(Sparse(id: "a", string: "bell \u{7}"))
            }
            try await expect(trial.sparses.exists("a"), is: false)
        },
        type("types.nullWords", "A string such as \"null\" is not null.", Samples.nullWords) {
            $0.string = $1
        },
        type("types.enums", "Enums are stored by their raw values.", Colour.allCases) {
            $0.colour = $1
        },
        type(
            "types.integerEnums", "Enums with integer raw values are stored exactly.",
            Digit.allCases
        ) {
            $0.digit = $1
        },
        type(
            "types.unknownCase", "An unknown raw value of an enum is stored.",
            [.warm, .other("ultraviolet"), .other(""), .other("Warm")]
        ) { $0.hue = $1 },
        type(
            "types.values", "Embedded values are stored, including nulls and nested values.",
            Samples.details
        ) { $0.detail = $1 },
        type(
            "types.lists", "Lists keep their order, and an empty list is not null.",
            [[], [1], [3, 1, 2, 1], [.min, .max], Array(0..<500)]
        ) { $0.list = $1 },
        type("types.listsOfValues", "Lists of embedded values are stored.", [[], Samples.details]) {
            $0.details = $1
        },
        type(
            "types.maps", "Map keys are stored byte for byte, and an empty map is not null.",
            [
                [:], ["": 0], ["a": 1, "A": 2, "a.b": 3, "$": 4, "é": 5, " ": 6, "0": 7, "\"": 8],
            ]
        ) { $0.map = $1 },
        type(
            "types.nested", "Maps of lists of embedded values are stored.",
            [
                [:], ["none": []], ["some": Samples.details, "none": []],
            ]
        ) { $0.nested = $1 },
        StoreBehaviour("types.gaps", "Nulls in lists are stored.") { trial in
            var specimen = try Samples.specimen()
            for gaps in [[], [nil], ["a", nil, "", nil], ["null", "$null"]] as [[String?]] {
                specimen.gaps = gaps
                try await expect(trial.specimens.save(specimen), is: specimen)
                try await expect(trial.specimens.read("all").gaps, is: gaps)
            }
        },
        StoreBehaviour(
            "types.persistent", "A reopened store reads every type unchanged.",
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

    /// Stores each value under a separate id, reads it back, and stores all values over one
    /// another.
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
                try expect(stored, is: sparse, "The result of `create` differs", line: line)
                let read = try await trial.sparses.read(sparse.id)
                try expect(read, is: sparse, "The record read differs", line: line)
            }
            for value in values {
                var sparse = Sparse(id: "one")
                set(&sparse, value)
                try await trial.sparses.save(sparse)
                let read = try await trial.sparses.read("one")
                try expect(read, is: sparse, "The replaced record differs", line: line)
            }
        }
    }
}
