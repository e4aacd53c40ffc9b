internal import RepositoryRuntime

extension String {
    /// The strings that equal this one by simple case folding, one for each choice of letters
    /// beyond ASCII; nil if this one is not ASCII, or if there are more than 32.
    ///
    /// Two letters beyond ASCII fold to ASCII: the Kelvin sign (U+212A) to `k` and the long s
    /// (U+017F) to `s`, by CaseFolding.txt of Unicode.
    var spellingsBeyondASCII: [String]? {
        var found = [""]
        for byte in utf8 {
            guard byte < 0x80 else { return nil }
            let letter = Unicode.Scalar(byte)
            let other: Unicode.Scalar? =
                switch letter {
                case "k", "K": "\u{212A}"
                case "s", "S": "\u{17F}"
                default: nil
                }
            let others = other.map { other in found.map { $0 + String(other) } } ?? []
            found = found.map { $0 + String(letter) } + others
            if found.count > 32 { return nil }
        }
        return found
    }

    /// The first string after all strings with this prefix, in scalar order; nil if there is none.
    var successorOfPrefix: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // Skips the surrogates, which are not scalars.
            let value = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let next = Unicode.Scalar(value) else { continue }
            scalars.append(next)
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            return text
        }
        return nil
    }
}
