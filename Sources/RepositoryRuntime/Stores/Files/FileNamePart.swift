internal import StoredSchema

/// The part of a file name that represents an id or the name of a table.
///
/// The encoding is part of the frozen stored form:
///
/// - A plain string stays unchanged: 1 to 120 characters of `a-z 0-9 _ -`, or an upper-case UUID.
/// - In other strings, each byte outside that set becomes `%XX`.
/// - If the result is longer than 120 bytes, the name is `%sha256_` and the hash of the string.
///
/// No two strings have the same name, even on file systems that ignore case or Unicode
/// normalization, and no name exceeds the length limit of common file systems. The only exception
/// is a UUID in upper and in lower case; see ``encodingLetters(of:)``.
struct FileNamePart {
    /// The maximum number of bytes before a hash replaces the encoded string.
    static let longest = 120
    /// The prefix of a hash. No encoded string begins with it, because `%s` is not a
    /// percent-encoded byte.
    private static let hashMark = "%sha256_"

    /// The encoded string.
    let encoded: String
    /// Whether the name contains a hash, from which the string cannot be decoded.
    let isHashed: Bool

    /// Encodes a string.
    init(_ text: String) {
        self.init(text, keeping: Self.isUpperCaseUUID(text) ? { _ in true } : Self.isPlain)
    }

    /// Encodes a string. Bytes for which `keeps` returns true stay unchanged.
    private init(_ text: String, keeping keeps: (UInt8) -> Bool) {
        let encoded = PercentEncoding.encode(text, keeping: keeps)
        isHashed = encoded.utf8.count > Self.longest
        self.encoded = isHashed ? Self.hashMark + SHA256.hexadecimal(text.utf8) : encoded
    }

    /// Encodes a lower-case UUID with its letters as `%XX`.
    ///
    /// On a file system that ignores case, the plain name would be the same file as that of the
    /// upper-case UUID.
    static func encodingLetters(of text: String) -> FileNamePart {
        FileNamePart(text) { isPlain($0) && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    /// The meaning of a part of a file name found in a folder.
    enum Meaning {
        /// The part is the encoding of this string.
        case text(String)
        /// The part contains a hash; the string is stored in a separate file.
        case hash
        /// The part is not in the form that the encoder produces. A person created the file and
        /// used the string itself.
        case byHand(String)
    }

    /// Decodes a part of a file name. Returns nil for an empty part, because no id is empty.
    ///
    /// A part counts as encoded only if the encoder produces exactly the same bytes, so that no two
    /// names have the same id.
    static func meaning(of part: String) -> Meaning? {
        if part.isEmpty { return nil }
        if part.utf8.starts(with: hashMark.utf8), part.utf8.count == hashMark.utf8.count + 64 {
            return .hash
        }
        if let text = PercentEncoding.decode(part), isEncoding(part, of: text) {
            return .text(text)
        }
        return .byHand(part)
    }

    /// Returns whether the encoder produces the part for the string. Two encodings are possible for
    /// a UUID.
    private static func isEncoding(_ part: String, of text: String) -> Bool {
        if text.utf8.contains(0) { return false }
        return FileNamePart(text).encoded == part
            || (isUUID(text) && encodingLetters(of: text).encoded == part)
    }

    /// Returns whether a byte stays unchanged in a name.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Returns whether a string is a UUID without lower-case letters.
    private static func isUpperCaseUUID(_ text: String) -> Bool {
        isUUID(text) && !text.utf8.contains { (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
    }

    /// Returns whether a string has the form of a UUID, in upper case or in lower case but not
    /// mixed.
    static func isUUID(_ text: String) -> Bool {
        guard text.utf8.count == 36 else { return false }
        var hasUpper = false
        var hasLower = false
        for (index, byte) in text.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "-"):
                guard [8, 13, 18, 23].contains(index) else { return false }
                continue
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "A")...UInt8(ascii: "F"): hasUpper = true
            case UInt8(ascii: "a")...UInt8(ascii: "f"): hasLower = true
            default: return false
            }
            if [8, 13, 18, 23].contains(index) { return false }
        }
        return !(hasUpper && hasLower)
    }
}
