/// A text that others are compared with: whole, as a part, or as a beginning; by UTF-8 bytes.
///
/// A part is found in one pass over the text (Knuth, Morris, Pratt: Fast pattern matching in strings, 1977).
public struct TextSearch: Sendable, Hashable {
    /// What is asked of a text.
    public enum Kind: String, Sendable, Hashable {
        /// That it is the other.
        case equals
        /// That the other is a part of it.
        case contains
        /// That it starts with the other.
        case hasPrefix
    }

    /// What is asked.
    public let kind: Kind
    /// What is looked for, folded where case is ignored.
    public let text: String
    /// Whether both are compared after simple case folding.
    public let ignoringCase: Bool
    /// What is looked for, as bytes.
    private let bytes: [UInt8]
    /// For each length of a beginning of the bytes, the length of its longest proper beginning that also ends it.
    private let borders: [Int]

    /// Makes a search.
    public init(_ kind: Kind, _ text: String, ignoringCase: Bool = false) {
        self.kind = kind
        self.ignoringCase = ignoringCase
        self.text = ignoringCase ? CaseFolding.folded(text) : text
        bytes = Array(self.text.utf8)
        borders = kind == .contains ? Self.borders(of: bytes) : []
    }

    private static func borders(of bytes: [UInt8]) -> [Int] {
        var borders = Array(repeating: 0, count: bytes.count)
        var length = 0
        for index in bytes.indices.dropFirst() {
            while length > 0, bytes[index] != bytes[length] { length = borders[length - 1] }
            if bytes[index] == bytes[length] { length += 1 }
            borders[index] = length
        }
        return borders
    }

    /// Whether a text is as asked.
    public func matches(_ other: String) -> Bool {
        let other = ignoringCase ? CaseFolding.folded(other) : other
        return switch kind {
        case .equals: other.withUTF8Bytes { $0.elementsEqual(bytes) }
        case .hasPrefix: other.withUTF8Bytes { $0.starts(with: bytes) }
        case .contains: other.withUTF8Bytes { isPart(of: $0) }
        }
    }

    private func isPart(of text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return true }
        var length = 0
        for byte in text {
            while length > 0, byte != bytes[length] { length = borders[length - 1] }
            if byte == bytes[length] { length += 1 }
            if length == bytes.count { return true }
        }
        return false
    }
}

extension TextSearch: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What is asked, without the text that is looked for.
    public var description: String { "\(kind.rawValue)(?)" }
    /// The search without its text.
    public var debugDescription: String { description }
    /// A mirror without the text.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
