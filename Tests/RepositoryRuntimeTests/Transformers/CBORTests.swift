import Foundation
import Generated
import RepositoryRuntime
import Testing

@Suite("CBOR")
struct CBORTests {
    private let transformer = CBORDataTransformer()

    private func bytes(_ hex: String) -> Data {
        let digits = Array(hex)
        return Data(
            stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...$0 + 1]), radix: 16)
            })
    }

    private func expect<T: Codable & Equatable>(
        _ hex: String, is value: T, writes: Bool = true,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let read: T = try transformer.decode(data: bytes(hex))
        #expect(read == value, sourceLocation: location)
        if writes { #expect(try transformer.encode(value) == bytes(hex), sourceLocation: location) }
    }

    @Test("RFC 8949, appendix A: numbers")
    func numbers() throws {
        for (hex, value) in [
            ("00", 0), ("01", 1), ("0a", 10), ("17", 23), ("1818", 24), ("1819", 25), ("1864", 100),
            ("1903e8", 1000), ("1a000f4240", 1_000_000), ("1b000000e8d4a51000", 1_000_000_000_000),
            ("20", -1), ("29", -10), ("3863", -100), ("3903e7", -1000),
        ] { try expect(hex, is: value) }
        try expect("1bffffffffffffffff", is: UInt64.max)
        for (hex, value) in [
            ("f90000", 0.0), ("f98000", -0.0), ("f93c00", 1.0), ("fb3ff199999999999a", 1.1),
            ("f93e00", 1.5), ("f97bff", 65504.0), ("fa47c35000", 100_000.0),
            ("fa7f7fffff", 3.4028234663852886e+38), ("fb7e37e43c8800759c", 1.0e+300),
            ("f90001", 5.960464477539063e-8), ("f90400", 0.00006103515625), ("f9c400", -4.0),
            ("fbc010666666666666", -4.1), ("f97c00", .infinity), ("f9fc00", -.infinity),
        ] { try expect(hex, is: value) }
        for hex in ["fa7f800000", "fb7ff0000000000000"] {
            try expect(hex, is: Double.infinity, writes: false)
        }
        let nan: Double = try transformer.decode(data: bytes("f97e00"))
        #expect(nan.isNaN)
        #expect(try transformer.encode(Double.nan) == bytes("f97e00"))
    }

    @Test("RFC 8949, appendix A: texts, lists, maps")
    func containers() throws {
        try expect("f4", is: false)
        try expect("f5", is: true)
        try expect("f6", is: nil as Int?)
        try expect("f7", is: nil as Int?, writes: false)
        try expect("4401020304", is: Data([1, 2, 3, 4]))
        try expect("60", is: "")
        try expect("6449455446", is: "IETF")
        try expect("62225c", is: "\"\\")
        try expect("63e6b0b4", is: "水")
        try expect("64f0908591", is: "\u{10151}")
        try expect("80", is: [Int]())
        try expect("83010203", is: [1, 2, 3])
        try expect("98190102030405060708090a0b0c0d0e0f101112131415161718181819", is: Array(1...25))
        try expect(
            "a26161016162820203",
            is: ["a": AnyValue.integer(1), "b": .list([.integer(2), .integer(3)])])
        try expect("5f42010243030405ff", is: Data([1, 2, 3, 4, 5]), writes: false)
        try expect("7f657374726561646d696e67ff", is: "streaming", writes: false)
        try expect(
            "9f01820203ff", is: [AnyValue.integer(1), .list([.integer(2), .integer(3)])],
            writes: false)
        try expect(
            "bf6346756ef563416d7421ff", is: ["Fun": AnyValue.bool(true), "Amt": .integer(-2)],
            writes: false)
        try expect("1900ff", is: 255, writes: false)
        try expect("d9d9f701", is: 1, writes: false)
    }

    @Test("Tagged values")
    func tags() throws {
        try expect("c11a514b67b0", is: Date(timeIntervalSince1970: 1_363_896_240))
        try expect("c1fb41d452d9ec200000", is: Date(timeIntervalSince1970: 1_363_896_240.5))
        try expect(
            "c074323031332d30332d32315432303a30343a30305a",
            is: Date(timeIntervalSince1970: 1_363_896_240), writes: false)
        try expect(
            "c07819323031332d30332d32315432323a30343a30302b30323a3030",
            is: Date(timeIntervalSince1970: 1_363_896_240), writes: false)
        try expect(
            "d82076687474703a2f2f7777772e6578616d706c652e636f6d",
            is: try #require(URL(string: "http://www.example.com")))
        try expect("c48221196ab3", is: try #require(Decimal(string: "273.15")))
        try expect("c4822120", is: try #require(Decimal(string: "-0.01")))
        try expect(
            "c48200c249010000000000000000",
            is: try #require(Decimal(string: "18446744073709551616")))
        try expect(
            "c48200c349010000000000000000",
            is: try #require(Decimal(string: "-18446744073709551617")))
        try expect(
            "d82550000102030405060708090a0b0c0d0e0f",
            is: UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
    }

    @Test("Dates come back exactly, also those finer than microseconds")
    func dates() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            let ranges: [Double] = [1e3, 1e9, 1e10, 1e11, 1e12]
            let range = ranges.randomElement(using: &random) ?? 1
            let date = Date(
                timeIntervalSinceReferenceDate: .random(in: -range...range, using: &random))
            // CBOR's finest form holds 10⁻¹⁸ seconds; a double this near to 2001 holds less than that.
            if date.timeIntervalSinceReferenceDate.magnitude < 0.01 { continue }
            for date in [date, StoredDate.rounded(date)] {
                let read: Date = try transformer.decode(data: transformer.encode(date))
                #expect(read == date, "\(date.timeIntervalSinceReferenceDate)")
            }
        }
    }

    @Test("Dates in the seconds around 2001, where doubles are finest, come back exactly")
    func datesAround2001() throws {
        let seed: UInt64 = 0x2001
        var random = SeededGenerator(seed: seed)
        let drawn = (0..<20_000).map { _ in Double.random(in: -10...10, using: &random) }
        for seconds in [0.4983582817557135, -0.3, 0.7, -1.1, 7.999999999999999] + drawn
        where seconds.magnitude >= 0.01 {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let read: Date = try transformer.decode(data: transformer.encode(date))
            #expect(read == date, "\(seconds), seed \(seed)")
        }
    }

    @Test(
        "What is not well-formed is refused",
        arguments: [
            "", "18", "1c", "1f", "3e", "5c", "62ff", "61ff", "63e6b0", "62c080", "63eda080", "81",
            "9f01", "a161", "a1616101ff", "0001", "f800", "f81f", "f8", "ff", "5f6161ff",
            "7f4161ff",
            "5f5f4101ffff", "bf6161ff", "c1", "c16161", "c401", "c483010203", "d825420102",
            "fb00", "9bffffffffffffffff", "7bffffffffffffffff", "a1016161",
        ])
    func malformed(_ hex: String) {
        #expect(throws: CRUDRepositoryError.self) {
            let _: [String: AnyValue] = try transformer.decode(data: bytes(hex))
        }
        #expect(throws: RecordDecodingError.self) {
            try transformer.decodeRecord(bytes(hex), SpecimenMapper.self)
        }
    }

    @Test("A layout of many fields, of which more or fewer than 24 are written")
    func manyFields() throws {
        var specimen = Specimen("s")
        #expect(try transformer.encodeRecord(specimen, SpecimenMapper.self).first == 0xB3)
        specimen.note = "n"
        specimen.count = 1
        specimen.until = specimen.seen
        specimen.link = URL(string: "a")
        specimen.shelf = Shelf(room: "r", row: 1)
        let bytes = try transformer.encodeRecord(specimen, SpecimenMapper.self)
        #expect(bytes.prefix(2) == Data([0xB8, 24]))
        #expect(try transformer.decodeRecord(bytes, SpecimenMapper.self) == specimen)
    }
}
