import RepositoryTesting
import Testing

@testable import RepositorySQLite

@Suite struct WaitingLineTests {
    @Test("Whatever the order of coming and going, who came first goes first")
    func order() {
        var line = WaitingLine<Int>()
        var plain: [Int] = []
        var generator = SeededGenerator(seed: 1)
        for step in 0..<10_000 {
            if UInt8.random(in: 0..<5, using: &generator) < 3 {
                line.append(step)
                plain.append(step)
            } else {
                #expect(line.popFirst() == (plain.isEmpty ? nil : plain.removeFirst()))
            }
        }
        while !plain.isEmpty { #expect(line.popFirst() == plain.removeFirst()) }
        #expect(line.popFirst() == nil)
    }

    @Test("What was taken is not kept")
    func release() {
        final class Kept {}
        var line = WaitingLine<Kept>()
        for _ in 0..<5 { line.append(Kept()) }
        weak var taken: Kept?
        do { taken = line.popFirst() }
        #expect(taken == nil)
        #expect(line.popFirst() != nil)
    }
}
