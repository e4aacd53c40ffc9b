internal import Foundation
internal import RepositoryRuntime

/// Random strings that match a pattern of the schema language.
enum RandomText {
    /// Returns a string that matches a pattern; nil if none was found.
    static func matching(_ pattern: String, using source: inout SeededGenerator) -> String? {
        let pattern = TextPattern(pattern)
        guard let syntax = pattern.syntax else { return nil }
        for _ in 0..<20 {
            var text = String.UnicodeScalarView()
            append(syntax, to: &text, using: &source)
            if pattern.matches(String(text)) { return String(text) }
        }
        return nil
    }

    private static func append(
        _ node: TextPatternNode, to text: inout String.UnicodeScalarView,
        using source: inout SeededGenerator
    ) {
        switch node {
        case .empty: break
        case .scalars(let set):
            if let scalar = scalar(of: set, using: &source) { text.append(scalar) }
        case .sequence(let nodes):
            for node in nodes { append(node, to: &text, using: &source) }
        case .choice(let nodes):
            if !nodes.isEmpty { append(source.one(of: nodes), to: &text, using: &source) }
        case .repeated(let node, let minimum, let maximum):
            let most = max(minimum, min(maximum ?? .max, minimum + 4))
            for _ in 0..<Int.random(in: minimum...most, using: &source) {
                append(node, to: &text, using: &source)
            }
        }
    }

    /// Returns a scalar of a set: a printable ASCII one if there is one, which every format can
    /// store.
    private static func scalar(
        of set: ScalarSet, using source: inout SeededGenerator
    ) -> Unicode.Scalar? {
        let printable = (0x20..<0x7F).compactMap { Unicode.Scalar($0 as UInt32) }
            .filter(set.contains)
        if !printable.isEmpty { return source.one(of: printable) }
        return set.ranges.lazy.compactMap { Unicode.Scalar($0.lowerBound) }.first(
            where: set.contains)
    }
}
