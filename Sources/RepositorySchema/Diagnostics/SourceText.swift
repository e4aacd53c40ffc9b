/// The lines of a file, to show the place of a diagnostic.
public struct SourceText: Sendable {
    private let bytes: [UInt8]
    /// The offsets of the first byte of each line.
    private let lineStarts: [Int]

    /// Makes the lines of a file.
    ///
    /// - Parameter bytes: UTF-8; what is UTF-16 has no lines, anything else is shown with U+FFFD. A byte order mark is skipped.
    public init(bytes: [UInt8]) {
        // UTF-16 is no text to show.
        let isUTF16 = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        let bytes = isUTF16 ? [] : bytes
        self.bytes = bytes
        var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
        for (index, byte) in bytes.enumerated() where byte == 0x0A || byte == 0x0D {
            let isHalfBreak = byte == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
            if !isHalfBreak { starts.append(index + 1) }
        }
        lineStarts = isUTF16 ? [] : starts
    }

    /// The scalars of a line, without its line break.
    ///
    /// - Parameter line: The line, from 1.
    /// - Returns: The line; nil past the end of the file.
    public func line(_ line: Int) -> [Unicode.Scalar]? {
        guard lineStarts.indices.contains(line - 1) else { return nil }
        let end = line < lineStarts.count ? lineStarts[line] : bytes.count
        let slice = bytes[lineStarts[line - 1]..<end].prefix { $0 != 0x0A && $0 != 0x0D }
        return Array(String(decoding: slice, as: UTF8.self).unicodeScalars)
    }
}
