internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Comparisons and sort orders of all ordered types.
    static let queryTypes: [StoreBehaviour] = [
        ordered("bool", "Booleans", \.bool, \.bool, [false, true]),
        ordered("int", "Int", \.int, \.int, [.min, -1, 0, 1, 1 << 53 + 1, .max]),
        ordered("int8", "Int8", \.int8, \.int8, [.min, -1, 0, 1, .max]),
        ordered("int16", "Int16", \.int16, \.int16, [.min, -1, 0, 1, .max]),
        ordered("int32", "Int32", \.int32, \.int32, [.min, -1, 0, 1, .max]),
        ordered("int64", "Int64", \.int64, \.int64, [.min, -1, 0, 1 << 53, 1 << 53 + 1, .max]),
        ordered("uint8", "UInt8", \.uint8, \.uint8, [0, 1, 127, 128, .max]),
        ordered("uint16", "UInt16", \.uint16, \.uint16, [0, 1, 32_768, .max]),
        ordered("uint32", "UInt32", \.uint32, \.uint32, [0, 1, 1 << 31, .max]),
        ordered(
            "float", "Float", \.float, \.float,
            [-.greatestFiniteMagnitude, -1, 0, .leastNonzeroMagnitude, 0.1, 1 / 3, 16_777_216]),
        ordered(
            "double", "Double", \.double, \.double,
            [
                -.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude, 0, 0.1, 0.1.nextUp, 1 / 3,
                1e21, .greatestFiniteMagnitude,
            ]),
        ordered(
            "decimal", "decimals of every scale", \.decimal, \.decimal,
            decimals(
                "-99999999999999999999999999999999999999", "-1", "-0.1", "-0.09",
                "0", "0.00000000000000000000000000001", "0.1", "0.11", "2", "10",
                "9007199254740993", "12345678901234567890.123456789012345678", "1E+37")),
        ordered(
            "scaled", "decimals with a scale", \.money, \.money,
            decimals(
                "-92233720368547758.08", "-10", "-0.1", "-0.01", "0", "0.01", "0.1", "2", "10",
                "90071992547409.93", "92233720368547758.07")),
        ordered(
            "date", "dates", \.date, \.date,
            [-12_212_553_600, -2_147_483_649, -1, 0, 1, 2_147_483_648, 32_503_680_000].map {
                Date(timeIntervalSince1970: $0)
            }),
        ordered(
            "microseconds", "microseconds of dates", \.date, \.date,
            [
                -1_700_000_000_999_999, -1_000_000, -999_999, -1, 0, 1, 1_700_000_000_000_001,
                1_700_000_000_123_456, 253_402_300_799_999_999,
            ].map { StoredDate.date(microseconds: $0) }, needs: [.fractionalSeconds]),
        ordered("day", "days", \.day, \.day, Samples.days),
        ordered(
            "uuid", "UUIDs", \.uuid, \.uuid,
            [
                "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-0000000000A0",
                "0F8FAD5B-D9CB-469F-A165-70867728950E", "A0000000-0000-0000-0000-000000000000",
                "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
            ].compactMap { UUID(uuidString: $0) }),
        ordered(
            "text", "text", \.string, \.string,
            [
                "", " ", "10", "9", "A", "B", "_", "a", "ab", "e\u{301}", "z", "\u{E9}",
                "\u{FF5E}", "\u{1F600}",
            ]),
        ordered(
            "url", "URLs", \.url, \.url,
            ["file:///a", "http://a/", "http://a/%C3%A9", "http://b", "relative"].compactMap {
                URL(string: $0)
            }),
        ordered(
            "data", "data", \.data, \.data,
            [Data(), Data([0]), Data([0, 0]), Data([1]), Data([0x7F]), Data([0x80]), Data([0xFF])]),
        ordered("enum", "raw values of enums", \.colour, \.colour, [.green, .blue, .red]),
        ordered("numbered", "raw numbers of enums", \.digit, \.digit, [.minusTwo, .one, .huge]),
        ordered(
            "unknown", "unknown raw values of enums", \.hue, \.hue,
            [.other("COLD"), .cold, .other("ultraviolet"), .warm]),
    ].flatMap { $0 }

    private static func decimals(_ texts: String...) -> [Decimal] {
        texts.compactMap { Decimal(string: $0) }
    }

    /// The behaviours of comparing and sorting a type.
    ///
    /// - Parameter values: distinct values in ascending order.
    private static func ordered<V: OrderedFieldValue & Equatable>(
        _ name: String, _ what: String,
        _ field: any KeyPath<Sparse.Fields, QueryField<Sparse, V?>> & Sendable,
        _ property: any WritableKeyPath<Sparse, V?> & Sendable, _ values: [V],
        needs: [StoreCapability] = [], fileID: String = #fileID, line: Int = #line
    ) -> [StoreBehaviour] where V.Comparand == V {
        [
            query(
                "compare.\(name)",
                "Comparisons of \(what) agree with their order, and none matches null.",
                needs: needs, fileID: fileID, line: line
            ) { trial in
                try await trial.store(values + [nil]) { $0[keyPath: property] = $1 }
                try await compare(values, trial) { $0[keyPath: field] }
            },
            query(
                "sort.\(name)", "A query can sort by \(what), with null first.",
                needs: needs, fileID: fileID, line: line
            ) { trial in
                // Each value is stored twice, in another order.
                let twice: [V?] = (values + [nil]).reversed() + values.map { $0 } + [nil]
                try await trial.store(twice) { $0[keyPath: property] = $1 }
                let size = values.count + 1
                let pairs =
                    [[0, 2 * size - 1]] + values.indices.map { [size - 1 - $0, size + $0] }
                try await trial.expectOrder(
                    pairs.flatMap { $0 }, .sorted(by: field), "The ascending order differs.")
                try await trial.expectOrder(
                    pairs.reversed().flatMap { $0 }, .sorted(by: field, .descending),
                    "The descending order differs.")
            },
        ]
    }

    /// Checks every comparison with every value.
    private static func compare<V: OrderedFieldValue>(
        _ values: [V], _ trial: StoreTrial,
        _ field: (Sparse.Fields) -> QueryField<Sparse, V?>
    ) async throws where V.Comparand == V {
        let all = Array(0...values.count)
        let null = values.count
        for (number, value) in values.enumerated() {
            try await trial.expectMatches([number], "==, \(value)") { field($0) == value }
            try await trial.expectMatches(all.filter { $0 != number }, "!=, \(value)") {
                field($0) != value
            }
            try await trial.expectMatches(Array(0..<number), "<, \(value)") { field($0) < value }
            try await trial.expectMatches(Array(0...number), "<=, \(value)") { field($0) <= value }
            try await trial.expectMatches(Array((number + 1)..<null), ">, \(value)") {
                field($0) > value
            }
            try await trial.expectMatches(Array(number..<null), ">=, \(value)") {
                field($0) >= value
            }
        }
        try await trial.expectMatches([null], "== nil") { field($0) == nil }
        try await trial.expectMatches(Array(0..<null), "!= nil") { field($0) != nil }
    }
}
