import Foundation
import RepositoryGeneratorCore
import RepositorySchema
import RepositorySchemaParser
import Testing

/// The files of the corpus with random changes: whatever comes in, the front end says something or
/// nothing, at places that exist, and never crashes.
///
/// `REFERENCE_MUTATIONS` in the environment sets their number, `REFERENCE_SEED` repeats a run.
@Suite("Schemas changed at random")
struct MutationTests {
    @Test("never crash the front end")
    func mutations() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["REFERENCE_MUTATIONS"].flatMap { Int($0) } ?? 2_000
        let seed =
            environment["REFERENCE_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 0...UInt64.max)
        print("\(count) mutations, seed \(seed)")
        var random = Random(state: seed)
        let corpus = try BadCaseTests.cases.flatMap { name in
            try ReferenceFolder.sources(in: ReferenceFolder.root.appending(path: "bad/\(name)"))
                .files
        }
        var refused = 0
        for _ in 0..<count {
            let first = corpus[random.next(corpus.count)]
            let second = corpus[random.next(corpus.count)]
            let bytes = Self.changed(first.bytes, with: second.bytes, &random)
            let files = [
                SchemaSource(path: "A.yaml", bytes: bytes),
                SchemaSource(path: "B.yaml", bytes: second.bytes),
            ]
            let result = SchemaParser.parse(files: files, settings: nil)
            let found = result.diagnostics + Validator.validate(result.set)
            let sources = Dictionary(
                uniqueKeysWithValues: files.map { ($0.path, SourceText(bytes: $0.bytes)) })
            let text = DiagnosticText(sources: sources).render(found)
            refused += text.isEmpty ? 0 : 1
            for range in found.map(\.range) where sources[range.path]?.line(range.start.line) == nil
            {
                // UTF-16 is not shown at all.
                let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
                let isOtherUTF16 = second.bytes.starts(with: [0xFF, 0xFE])
                #expect(isUTF16 || isOtherUTF16, "seed \(seed): \(range) of \(bytes)")
            }
        }
        #expect(refused > count / 2)
    }

    /// A file with a few bytes, lines or parts of another file put in, taken out or doubled.
    private static func changed(
        _ bytes: [UInt8], with other: [UInt8], _ random: inout Random
    ) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.next(4) {
            let start = random.next(bytes.count + 1)
            let end = min(bytes.count, start + random.next(12))
            switch random.next(4) {
            case 0: bytes.removeSubrange(start..<end)
            case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 2:
                let from = random.next(other.count + 1)
                bytes.insert(
                    contentsOf: other[from..<min(other.count, from + random.next(40))], at: start)
            default:
                let special = Array(":-?[]{},#&*!|>'\"%@` \n\t\\0~<é".utf8)
                bytes.insert(special[random.next(special.count)], at: start)
            }
        }
        return bytes
    }

    /// A small generator of random numbers (S. Vigna, splitmix64, public domain).
    private struct Random {
        var state: UInt64

        /// A number from 0 up to and without a bound.
        mutating func next(_ bound: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((value ^ (value >> 31)) % UInt64(bound))
        }
    }
}
