internal import Foundation

/// What XML 1.0 (section 2.2) can hold.
enum XMLText {
    /// The document with carriage returns as references, because a reader turns bare ones into line feeds.
    ///
    /// - Throws: `unsupported` for a character that XML lacks.
    static func checked(_ document: Data) throws -> Data {
        var needsEscape = false
        var previous: (UInt8, UInt8) = (0, 0)
        for byte in document {
            if byte < 0x20, byte != 0x09, byte != 0x0A {
                guard byte == 0x0D else { throw unsupported }
                needsEscape = true
            } else if byte >= 0xBE, previous == (0xEF, 0xBF), byte <= 0xBF {
                throw unsupported
            }
            previous = (previous.1, byte)
        }
        guard needsEscape else { return document }
        var escaped = Data(capacity: document.count + 64)
        for byte in document {
            if byte == 0x0D {
                escaped.append(contentsOf: "&#13;".utf8)
            } else {
                escaped.append(byte)
            }
        }
        return escaped
    }

    static var unsupported: CRUDRepositoryError {
        .unsupported("a text with a character that XML 1.0 lacks", by: "XML")
    }
}
