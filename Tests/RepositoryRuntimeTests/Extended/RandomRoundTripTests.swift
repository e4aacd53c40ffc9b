import Foundation
import Testing

@testable import RepositoryRuntime

/// An item with a value of every kind.
private struct Everything: Codable, Equatable {
    var bool = false
    var int = 0
    var tiny: Int8 = 0
    var huge: UInt64 = 0
    var single: Float = 0
    var ratio = 0.0
    var price: Decimal = 0
    var when = Date(timeIntervalSinceReferenceDate: 0)
    var token = UUID()
    var text = ""
    var bytes = Data()
    var note: String?
    var list: [String?] = []
    var map: [String: Int64] = [:]
    var nested: [String: [Decimal]] = [:]
    var inner: [Inner] = []

    struct Inner: Codable, Equatable {
        var when: Date?
        var ratio: Double
    }
}

/// What a format writes it reads back, whatever it is; otherwise it refuses to write it.
@Suite("Random values in each format")
struct RandomRoundTripTests {
    static let count = 1_500

    private struct Source {
        var random: SeededGenerator

        mutating func integer() -> Int64 {
            let edges: [Int64] = [
                .min, .max, 0, -1, 1, 23, 24, 255, 256, 65_535, 65_536, 4_294_967_296,
                -2_147_483_648,
                9_007_199_254_740_992,
            ]
            if random.below(2) == 0 { return random.pick(edges, 0) }
            return Int64(bitPattern: random.next()) >> Int64(random.below(64))
        }

        mutating func double() -> Double {
            let edges: [Double] = [
                0, 1, -1, 0.1, .leastNonzeroMagnitude, .leastNormalMagnitude,
                .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .pi, 1e22, 1e23, 9e15 + 1,
                Double(Float.leastNonzeroMagnitude), 65_504, 6.1e-5, 0x1p-24, 1e-7, 123_456.789,
            ]
            if random.below(2) == 0 { return random.pick(edges, 0) }
            let value = Double(bitPattern: random.next())
            return value.isFinite ? value : 0.5
        }

        mutating func single() -> Float {
            let edges: [Float] = [
                .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 0.1, 1e10,
                16_777_216, -1, 0,
            ]
            if random.below(2) == 0 { return random.pick(edges, 0) }
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            return value.isFinite ? value : 0.5
        }

        mutating func decimal() -> Decimal {
            let edges: [Decimal] = [
                0, 1, -1, .greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude,
                .leastNormalMagnitude, Decimal(sign: .plus, exponent: 127, significand: 10),
                Decimal(sign: .minus, exponent: -128, significand: 1), Decimal(1) / 3,
                Decimal(sign: .plus, exponent: 120, significand: Decimal(UInt64.max)),
            ]
            if random.below(2) == 0 { return random.pick(edges, 0) }
            let digits = Decimal(random.next() >> UInt64(random.below(64)))
            let exponent = random.below(2) == 0 ? random.below(20) - 10 : random.below(256) - 128
            let value = Decimal(
                sign: random.below(2) == 0 ? .plus : .minus, exponent: exponent,
                significand: digits)
            return value.isFinite ? value : 0
        }

        mutating func date(wholeSeconds: Bool) -> Date {
            let edges = DateRangeTests.inside + [0, 1e-6, -1e-6, -978_307_200, 63_113_904_000]
            var seconds = random.pick(edges, 0)
            if random.below(2) == 0 {
                seconds = Double(Int64(bitPattern: random.next()) >> Int64(random.below(50))) / 1e6
            }
            if wholeSeconds { seconds = seconds.rounded() }
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            return StoredDate.canStore(date)
                ? StoredDate.rounded(date) : Date(timeIntervalSince1970: 0)
        }

        mutating func text() -> String {
            let scalars: [Unicode.Scalar] = [
                "a", "Z", "0", " ", "\n", "\r", "\t", "\"", "\\", "/", "<", "&", ">", "'", "]", "$",
                "\u{0}", "\u{1}", "\u{1F}", "\u{7F}", "\u{80}", "\u{85}", "\u{301}", "\u{E9}",
                "\u{2028}", "\u{2029}", "\u{200D}", "\u{D7FF}", "\u{E000}", "\u{FEFF}", "\u{FFFD}",
                "\u{FFFE}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "\u{1F600}",
            ]
            if random.below(8) == 0 {
                return random.pick(["$null", "null", "", "CF$UID", "true", "1e5", "]]>"], "")
            }
            var text = ""
            // Mostly without what XML lacks.
            let count = random.below(4) == 0 ? scalars.count : 16
            for _ in 0..<random.below(20) {
                text.unicodeScalars.append(scalars[random.below(count)])
            }
            return text
        }

        mutating func everything(wholeSeconds: Bool) -> Everything {
            var value = Everything()
            value.bool = random.below(2) == 0
            value.int = Int(integer())
            value.tiny = Int8(truncatingIfNeeded: integer())
            value.huge = UInt64(bitPattern: integer())
            value.single = single()
            value.ratio = double()
            value.price = decimal()
            value.when = date(wholeSeconds: wholeSeconds)
            value.token = UUID()
            value.text = text()
            value.bytes = Data((0..<random.below(40)).map { _ in UInt8(random.below(256)) })
            value.note = random.below(2) == 0 ? nil : text()
            value.list = (0..<random.below(4)).map { _ in random.below(3) == 0 ? nil : text() }
            for _ in 0..<random.below(4) { value.map[text()] = integer() }
            for _ in 0..<random.below(3) {
                value.nested[text()] = (0..<random.below(3)).map { _ in decimal() }
            }
            value.inner = (0..<random.below(3)).map { _ in
                Everything.Inner(
                    when: random.below(2) == 0 ? nil : date(wholeSeconds: wholeSeconds),
                    ratio: double())
            }
            return value
        }

        mutating func specimen(_ number: Int, wholeSeconds: Bool) -> Specimen {
            var value = Specimen(.init("s\(number)"))
            value.text = text()
            value.note = random.below(2) == 0 ? nil : text()
            value.flag = random.below(2) == 0
            value.tiny = Int8(truncatingIfNeeded: integer())
            value.large = integer()
            value.count = Int(integer())
            value.single = single()
            value.ratio = double()
            value.price = decimal()
            value.seen = date(wholeSeconds: wholeSeconds)
            value.bytes = Data((0..<random.below(40)).map { _ in UInt8(random.below(256)) })
            value.tags = (0..<random.below(4)).map { _ in random.below(3) == 0 ? nil : text() }
            value.grid = (0..<random.below(3)).map { _ in [Int(integer())] }
            for _ in 0..<random.below(4) { value.prices[text()] = decimal() }
            for _ in 0..<random.below(3) { value.maybe[text()] = Int(integer()) }
            return value
        }
    }

    private static func seed() -> UInt64 {
        ProcessInfo.processInfo.environment["REPOSITORY_SEED"].flatMap { UInt64($0) }
            ?? .random(in: 0 ... .max)
    }

    /// Whether a format may refuse to write this: it says so with one of two codes, and nothing is lost.
    private func isRefusal(_ error: any Error) -> Bool {
        guard let error = error as? CRUDRepositoryError else { return false }
        return error.code == .unsupported || error.code == .invalidItem
    }

    @Test(arguments: DateRangeTests.transformers)
    func itemsComeBack(_ transformer: any RecordTransformer) async throws {
        let seed = Self.seed()
        print("random items, \(transformer.formatExtension): REPOSITORY_SEED=\(seed)")
        var source = Source(random: SeededGenerator(seed: seed))
        var written = 0
        for number in 0..<Self.count {
            let item = source.everything(wholeSeconds: transformer is XMLDataTransformer)
            let bytes: Data
            do {
                bytes = try await transformer.encode(item)
            } catch {
                #expect(isRefusal(error), "seed \(seed), \(number): \(error)")
                continue
            }
            written += 1
            do {
                let read: Everything = try await transformer.decode(data: bytes)
                #expect(read == item, "seed \(seed), \(number)")
            } catch {
                Issue.record("seed \(seed), \(number): written and not read: \(error)")
            }
        }
        #expect(written > Self.count / 10, "\(written) of \(Self.count) were written.")
    }

    @Test(arguments: DateRangeTests.transformers)
    func recordsComeBack(_ transformer: any RecordTransformer) throws {
        let seed = Self.seed()
        print("random records, \(transformer.formatExtension): REPOSITORY_SEED=\(seed)")
        var source = Source(random: SeededGenerator(seed: seed))
        var written = 0
        for number in 0..<Self.count {
            let record = source.specimen(number, wholeSeconds: transformer is XMLDataTransformer)
            let bytes: Data
            do {
                bytes = try transformer.encodeRecord(record, SpecimenMapper.self)
            } catch {
                #expect(isRefusal(error), "seed \(seed), \(number): \(error)")
                continue
            }
            written += 1
            do {
                let read = try transformer.decodeRecord(bytes, SpecimenMapper.self)
                #expect(read == record, "seed \(seed), \(number)")
            } catch {
                Issue.record("seed \(seed), \(number): written and not read: \(error)")
            }
        }
        #expect(written > Self.count / 10, "\(written) of \(Self.count) were written.")
    }

    /// Foundation's encoder writes the bare word `NaN`, which is no JSON. Property lists hold it as its digits.
    @Test(arguments: DateRangeTests.transformers)
    func decimalsThatAreNoNumbersAreReadOrRefused(_ transformer: any RecordTransformer) async throws
    {
        var item = Everything()
        item.nested = ["a": [1, .nan]]
        let bytes: Data
        do {
            bytes = try await transformer.encode(item)
        } catch {
            #expect((error as? CRUDRepositoryError)?.code == .invalidItem)
            return
        }
        #expect(!(transformer is JSONDataTransformer))
        let read: Everything = try await transformer.decode(data: bytes)
        #expect(read.nested["a"]?.last?.isNaN == true)
    }

    /// Lists in lists, around the depth that readers accept.
    @Test(arguments: DateRangeTests.transformers)
    func depthIsReadOrRefused(_ transformer: any RecordTransformer) async throws {
        var deepest = 0
        for depth in [1, 100, 505] + (510...514) + [600] {
            var item = AnyValue.list([])
            for _ in 1..<depth {
                item = depth.isMultiple(of: 2) ? .list([item]) : .object(["a": item])
            }
            let bytes: Data
            do {
                bytes = try await transformer.encode(item)
            } catch {
                #expect(isRefusal(error), "depth \(depth): \(error)")
                continue
            }
            deepest = depth
            do {
                let read: AnyValue = try await transformer.decode(data: bytes)
                #expect(read == item, "depth \(depth)")
            } catch {
                Issue.record("depth \(depth): written and not read: \(error)")
            }
        }
        #expect(deepest >= 505)
    }
}
