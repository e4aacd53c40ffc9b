internal import StoredSchema

/// A string search by UTF-8 bytes: for a whole string, a substring, or a prefix.
///
/// A substring is found in one pass, in time linear in the length of the searched string (Knuth,
/// Morris, Pratt: Fast pattern matching in strings, 1977).
public struct TextSearch: Sendable, Hashable {
    /// The kind of match.
    public enum Kind: String, Sendable, Hashable {
        /// The string equals the pattern.
        case equals
        /// The string contains the pattern.
        case contains
        /// The string starts with the pattern.
        case hasPrefix
    }

    /// The kind of match.
    public let kind: Kind
    /// The pattern, folded if case is ignored.
    public let text: String
    /// Whether the pattern and the string are compared after simple case folding.
    public let ignoringCase: Bool
    /// The UTF-8 bytes of the pattern.
    private let bytes: [UInt8]
    /// The failure function of the pattern: for each prefix, the length of its longest proper
    /// prefix that is also its suffix. Empty unless the kind is ``Kind/contains``.
    ///
    /// For `abab`, it is 0, 0, 1, 2: after a mismatch behind `aba`, the search continues as if it
    /// had matched `a`.
    private let borders: [Int]

    /// Creates a search. For a substring search, the pattern is preprocessed here.
    ///
    /// - Parameters:
    ///   - kind: the kind of match.
    ///   - text: the pattern.
    ///   - ignoringCase: whether both strings are folded before they are compared.
    public init(_ kind: Kind, _ text: String, ignoringCase: Bool = false) {
        self.kind = kind
        self.ignoringCase = ignoringCase
        self.text = ignoringCase ? CaseFolding.folded(text) : text
        bytes = Array(self.text.utf8)
        borders = kind == .contains ? Self.borders(of: bytes) : []
    }

    /// Computes the failure function in linear time.
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

    /// Whether a string matches.
    public func matches(_ other: String) -> Bool {
        let other = ignoringCase ? CaseFolding.folded(other) : other
        return switch kind {
        case .equals: other.withUTF8Bytes { $0.elementsEqual(bytes) }
        case .hasPrefix: other.withUTF8Bytes { $0.starts(with: bytes) }
        case .contains: other.withUTF8Bytes { isPart(of: $0) }
        }
    }

    /// Whether the pattern occurs in the bytes: the Knuth-Morris-Pratt search.
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
    /// The kind of match, without the pattern.
    public var description: String { "\(kind.rawValue)(?)" }
    /// The search without its text.
    public var debugDescription: String { description }
    /// A mirror without the text.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
