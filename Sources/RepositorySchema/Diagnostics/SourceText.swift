/// The lines of a file, for showing the location of a diagnostic.
public struct SourceText: Sendable {
    private let bytes: [UInt8]
    /// The byte offset at which each line begins.
    private let lineStarts: [Int]

    /// Creates the lines of a file.
    ///
    /// - Parameter bytes: The bytes of the file. A UTF-8 byte order mark is skipped. A UTF-16 file
    ///   has no lines, and invalid UTF-8 is shown as U+FFFD.
    public init(bytes: [UInt8]) {
        // A UTF-16 file cannot be shown as UTF-8 text.
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
    /// - Parameter line: The 1-based line number.
    /// - Returns: The scalars; nil if the file has fewer lines.
    public func line(_ line: Int) -> [Unicode.Scalar]? {
        guard lineStarts.indices.contains(line - 1) else { return nil }
        let end = line < lineStarts.count ? lineStarts[line] : bytes.count
        let slice = bytes[lineStarts[line - 1]..<end].prefix { $0 != 0x0A && $0 != 0x0D }
        return Array(String(decoding: slice, as: UTF8.self).unicodeScalars)
    }
}
