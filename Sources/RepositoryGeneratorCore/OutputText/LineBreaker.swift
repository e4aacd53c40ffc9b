internal import Foundation

/// Breaks the lines that are too long for the page, the way `swift format` breaks them.
///
/// Templates and translators write every statement on one line; names of ordinary length fit. Only longer lines are
/// looked at, so the cost is one scan of the text.
enum LineBreaker {
    /// The page's width in characters.
    static let width = 100

    /// The text with its long lines broken.
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

    /// The byte ranges of the lines that are longer than the page, without their newlines.
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

    private static func lines(of line: Substring) -> [String] {
        let indentation = line.prefix(while: { $0 == " " }).count
        let code = String(line.dropFirst(indentation))
        guard !code.hasPrefix("//") else { return [String(line)] }
        return BrokenLine(code, indentation: indentation).lines
    }
}
