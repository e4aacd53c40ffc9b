import Foundation
import Testing

@testable import RepositoryRuntime

/// That a short key is that of the bytes that `IndexKeyWriter` writes.
@Suite struct ShortIndexKeyTests {
    private func key(_ text: String) -> IndexKey {
        var writer = IndexKeyWriter()
        writer.append(.text(text), .text, descending: false)
        return IndexKey(writer.bytes)
    }

    @Test(arguments: 1...4)
    func textsHaveTheKeyOfTheirBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let plain = ["a", "b", "c"]
        let hostile = plain + ["é", "😀", "\0", "\u{1}", "\u{2}"]
        for _ in 0..<2_000 {
            let letters = random.below(2) == 0 ? plain : hostile
            let text = (0..<random.below(17)).map { _ in letters[random.below(letters.count)] }
                .joined()
            let isShort = text.utf8.count <= 13 && !text.utf8.contains { $0 < 2 }
            let short = ShortIndexKey(text: text)
            #expect((short != nil) == isShort, "seed \(seed): \(text.debugDescription)")
            if let short {
                #expect(short == ShortIndexKey(key(text)), "seed \(seed): \(text)")
                #expect(short.isWhole)
            }
        }
    }

    @Test func keysOfMoreBytesAreNotWhole() {
        for count in 0...300 {
            let key = key(String(repeating: "a", count: count))
            #expect(ShortIndexKey(key).isWhole == (key.bytes.count <= 15))
        }
    }
}
