internal import Foundation

/// Wraps the lines that exceed the line limit, in the layout of `swift format`.
///
/// Templates and translators write each statement on one line, and with names of ordinary length
/// the lines fit. Only longer lines are parsed, so the cost for most files is one scan of the text.
enum LineBreaker {
    /// The line limit in characters.
    static let width = 100

    /// Returns the text with long lines wrapped.
    ///
    /// Comments are never wrapped.
    static func broken(_ text: String) -> String {
        var text = text
        let long = text.withUTF8 { longLines(of: $0) }
        guard !long.isEmpty else { return text }
        let bytes = text.utf8
        var result = ""
        var copied = bytes.startIndex
        for line in long {
            let start = bytes.index(bytes.startIndex, offsetBy: line.lowerBound)
            let end = bytes.index(bytes.startIndex, offsetBy: line.upperBound)
            result += text[copied..<start]
            result += lines(of: text[start..<end]).joined(separator: "\n")
            copied = end
        }
        return result + text[copied...]
    }

    /// Returns the byte ranges of the lines with more than ``width`` bytes, without their newlines.
    /// A line with non-ASCII characters may still fit; ``BrokenLine`` counts characters.
    private static func longLines(of bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        guard let base = bytes.baseAddress else { return [] }
        var ranges: [Range<Int>] = []
        var start = 0
        while start < bytes.count {
            let newline = memchr(base + start, 0x0A, bytes.count - start)
            let end = newline.map { UnsafeRawPointer(base).distance(to: $0) } ?? bytes.count
            if end - start > width { ranges.append(start..<end) }
            start = end + 1
        }
        return ranges
    }

    /// Wraps one line. Comments are not wrapped.
    private static func lines(of line: Substring) -> [String] {
        let indentation = line.prefix(while: { $0 == " " }).count
        let code = String(line.dropFirst(indentation))
        guard !code.hasPrefix("//") else { return [String(line)] }
        return BrokenLine(code, indentation: indentation).lines
    }
}
