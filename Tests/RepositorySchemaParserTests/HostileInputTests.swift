import Foundation
import RepositorySchema
import Testing

@testable import RepositorySchemaParser

@Suite("Hostile YAML is refused in bounded time", .serialized)
struct HostileInputTests {
    private static let largest = 16 << 20

    @Test(
        "deep flow and its like are refused in under 50 ms",
        arguments: ["[", "{", "[{", "{a: ", "[a, ", "- ", "? ", "[[\n", "&a [", "[? "],
        [100_000, largest])
    func deep(unit: String, length: Int) {
        let bytes = Self.repeated(unit, length)
        let (result, time) = Self.read(bytes)
        #expect(result.isCutShort)
        #expect(
            result.diagnostics.last?.message.hasPrefix(
                "lists and mappings are nested more than 64 levels deep")
                == true, "\(result.diagnostics)")
        print("'\(unit)' to \(length) bytes: \(time)")
        #expect(time < .milliseconds(50), "\(unit) × \(length): \(time)")
    }

    @Test("an alias bomb is refused in under 50 ms")
    func aliasBomb() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<40 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        let (result, time) = Self.read(Array(text.utf8))
        #expect(result.diagnostics.map(\.message.description).first?.contains("aliases") == true)
        #expect(result.diagnostics.count == 1)
        #expect(time < .milliseconds(50), "\(time)")
    }

    @Test("aliases cannot stand for more depth than is allowed")
    func aliasDepth() {
        var text = "a0: &a0 [x]\n"
        for level in 1..<80 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        let (result, _) = Self.read(Array(text.utf8))
        #expect(result.diagnostics.map(\.message).first?.hasPrefix("lists and mappings") == true)
    }

    @Test("a file past 16 MiB is refused unread")
    func tooLarge() {
        let (result, time) = Self.read(Self.repeated("a", Self.largest + 1))
        #expect(result.diagnostics.map(\.message) == ["the file is larger than 16 MiB"])
        #expect(time < .milliseconds(50), "\(time)")
    }

    @Test("many tag directives, which cost libyaml the square of their number, are refused")
    func tagDirectives() {
        let text = (0..<200_000).map { "%TAG !a\($0)! x\n" }.joined() + "---\na: b\n"
        let (result, time) = Self.read(Array(text.utf8))
        #expect(result.diagnostics.count == 1)
        #expect(result.isCutShort)
        #expect(time < .milliseconds(50), "\(time)")
    }

    @Test("errors are collected up to a bound")
    func manyErrors() {
        let (result, _) = Self.read(Self.repeated("- !a b\n", 1_000_000))
        #expect(result.diagnostics.count == YAMLLimits.diagnostics + 1)
        #expect(result.isCutShort)
    }

    @Test("bytes at random never crash, and what is wrong has a place in the text")
    func random() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var generator = SplitMix(state: seed)
        let alphabet =
            Array("ab:-?[]{},#&*!|>'\"%@` \n\n\t\\0é\u{85}\u{2028}~<".utf8) + [0, 0xFF, 0x0D]
        for _ in 0..<3_000 {
            let count = Int.random(in: 0..<60, using: &generator)
            let bytes = (0..<count).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            let result = SchemaParser.parse(
                files: [SchemaSource(path: "A.yaml", bytes: bytes)], settings: nil)
            let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
            for diagnostic in result.diagnostics {
                #expect((1...lines).contains(diagnostic.range.start.line), "seed \(seed): \(bytes)")
                #expect(diagnostic.range.start <= diagnostic.range.end, "seed \(seed): \(bytes)")
            }
            let text = DiagnosticText(sources: ["A.yaml": SourceText(bytes: bytes)])
            #expect(text.render(result.diagnostics).isEmpty == result.diagnostics.isEmpty)
        }
    }

    /// Reads a file, and measures the processor time of the thread, which does not depend on what else the machine does: the
    /// shortest of three times.
    private static func read(_ bytes: [UInt8]) -> (YAMLDocuments, Duration) {
        var result = YAMLDocuments(bytes: [], path: "A.yaml")
        let times = (0..<3).map { _ in
            let start = processorTime()
            result = YAMLDocuments(bytes: bytes, path: "A.yaml")
            return processorTime() - start
        }
        return (result, times.min() ?? .zero)
    }

    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func repeated(_ unit: String, _ length: Int) -> [UInt8] {
        let count = length / unit.utf8.count + 1
        return Array(Array(String(repeating: unit, count: count).utf8).prefix(length))
    }
}

/// A small generator of random numbers with a seed (S. Vigna, splitmix64, public domain).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
