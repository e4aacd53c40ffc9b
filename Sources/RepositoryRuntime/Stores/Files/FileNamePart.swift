/// What stands for an id, or for a table's name, in the name of a file.
///
/// The form is frozen. Plain texts (1–120 of `a-z 0-9 _ -`, or an upper-case UUID) stand as they are; in others each
/// byte outside that set is `%XX`; where that is longer than 120 bytes, `%sha256_` and the hash of the text stand for it.
/// So no two texts share a name, also where the file system ignores case and Unicode forms, and no name is longer than
/// a file system takes. One pair of texts is left, a UUID in upper and in lower case: see ``encodingLetters(of:)``.
struct FileNamePart {
    /// The most bytes that stand for a text.
    static let longest = 120
    private static let hashMark = "%sha256_"

    /// The part of the file name.
    let encoded: String
    /// Whether it is a hash, from which the text cannot be read back.
    let isHashed: Bool

    /// Encodes a text.
    init(_ text: String) {
        self.init(text, keeping: Self.isUpperCaseUUID(text) ? { _ in true } : Self.isPlain)
    }

    private init(_ text: String, keeping keeps: (UInt8) -> Bool) {
        let encoded = PercentEncoding.encode(text, keeping: keeps)
        isHashed = encoded.utf8.count > Self.longest
        self.encoded = isHashed ? Self.hashMark + SHA256.hexadecimal(text.utf8) : encoded
    }

    /// The name of a lower-case UUID on a file system that ignores case, where it would meet the upper-case one.
    static func encodingLetters(of text: String) -> FileNamePart {
        FileNamePart(text) { isPlain($0) && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    /// What a part of a listed name stands for.
    enum Meaning {
        /// The text that is encoded so.
        case text(String)
        /// A hash; the text is kept beside the file.
        case hash
        /// A text as somebody wrote it by hand, which the encoding would write differently.
        case byHand(String)
    }

    /// Reads the part of a listed name; nil for the empty one, which no id has.
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

    private static func isEncoding(_ part: String, of text: String) -> Bool {
        if text.utf8.contains(0) { return false }
        return FileNamePart(text).encoded == part
            || (isUUID(text) && encodingLetters(of: text).encoded == part)
    }

    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func isUpperCaseUUID(_ text: String) -> Bool {
        isUUID(text) && !text.utf8.contains { (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
    }

    /// Whether the text has the shape of a UUID in upper or lower case.
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
