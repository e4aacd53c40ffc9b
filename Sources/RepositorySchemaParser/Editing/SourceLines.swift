internal import RepositorySchema

/// The lines of a text in UTF-8. A line ends with LF, CR LF or CR.
struct SourceLines {
    private let bytes: [UInt8]
    /// The offsets at which the lines begin. A text that ends with a line break has an empty last
    /// line.
    private let starts: [Int]

    /// Creates the lines of a text with or without a byte order mark.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
        for (offset, byte) in bytes.enumerated() {
            let isPair = offset + 1 < bytes.count && bytes[offset + 1] == Self.lineFeed
            if byte == Self.lineFeed || byte == Self.carriageReturn && !isPair {
                starts.append(offset + 1)
            }
        }
        self.starts = starts
    }

    private static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D

    /// Returns the offset of a position.
    func offset(of place: SourcePosition) -> Int {
        guard starts.indices.contains(place.line - 1) else { return bytes.count }
        var offset = starts[place.line - 1]
        var column = 1
        while column < place.column, offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            column += 1
        }
        return offset
    }

    /// Returns the byte at a position; `nil` at the end of the text.
    func byte(at place: SourcePosition) -> UInt8? {
        let offset = offset(of: place)
        return offset < bytes.count ? bytes[offset] : nil
    }

    /// Returns the number of the line, from 1, in which an offset lies.
    func line(at offset: Int) -> Int { starts.count { $0 <= offset } }

    /// Returns whether a line begins at an offset.
    func isLineStart(_ offset: Int) -> Bool { starts.contains(offset) }

    /// Returns whether only spaces precede a position on its line.
    func isIndented(_ place: SourcePosition) -> Bool {
        bytes[starts[place.line - 1]..<offset(of: place)].allSatisfy { $0 == 0x20 }
    }

    /// Returns the beginning of the line after a position; the end of the text if it is the last
    /// line. `nil` if more than a comment follows on the line of the position.
    func end(ofLineAt place: SourcePosition) -> Int? {
        let start = offset(of: place)
        let next = place.line < starts.count ? starts[place.line] : bytes.count
        let rest = bytes[start..<next].drop { $0 == 0x20 || $0 == 0x09 }
        guard let first = rest.first else { return next }
        let isComment = first == UInt8(ascii: "#") && (rest.startIndex > start || start == 0)
        let isBreak = first == Self.lineFeed || first == Self.carriageReturn
        return isComment || isBreak ? next : nil
    }

    /// Returns the line break of the line before an offset, or of another line; LF if there is none.
    func lineBreak(before offset: Int) -> String {
        let own = starts.lastIndex { $0 <= offset && $0 > starts[0] }
        guard let next = own ?? (starts.count > 1 ? 1 : nil) else { return "\n" }
        let end = starts[next]
        guard bytes[end - 1] == Self.lineFeed else { return "\r" }
        return end > 1 && bytes[end - 2] == Self.carriageReturn ? "\r\n" : "\n"
    }
}
