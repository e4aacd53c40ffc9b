/// Divides text into normalized words: canonically decomposed, without U+0300–036F, case-folded.
///
/// A word is a maximal run of letters, marks and digits. Each scalar of a script that is written
/// without spaces (Han, kana, Thai, Lao, Khmer, Myanmar) is a word of its own.
struct WordReader {
    /// A part of a text.
    enum Piece: Equatable {
        /// A word of letters, marks and digits.
        case word(String)
        /// A scalar that is a word of its own.
        case own(String)
        /// A scalar between words.
        case separator(UInt32)
    }

    private let tables = WordTables.shared
    /// The word that is being read.
    private var word = ""
    /// The marks that are not yet in canonical order.
    private var marks: [(scalar: UInt32, order: UInt8)] = []

    private init() {}

    /// Calls a body with the pieces of a text.
    static func visit(_ text: String, _ body: (Piece) -> Void) {
        var text = text
        text.withUTF8 { visit($0, body) }
    }

    /// Calls a body with the pieces of a text in UTF-8.
    ///
    /// Words of ASCII between ASCII are read without a lookup of each scalar.
    private static func visit(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (Piece) -> Void) {
        var reader = WordReader()
        var position = 0
        while position < bytes.count {
            if reader.word.isEmpty, reader.marks.isEmpty {
                var end = position
                while end < bytes.count, isPlainLetter(bytes[end]) { end += 1 }
                // A mark that belongs to the last letter is not ASCII.
                if end == bytes.count || bytes[end] < 0x80 {
                    if end > position { body(.word(lowercased(bytes[position..<end]))) }
                    if end < bytes.count { body(.separator(UInt32(bytes[end]))) }
                    position = end + 1
                    continue
                }
            }
            let (scalar, length) = scalar(bytes, at: position)
            reader.read(scalar, body)
            position += length
        }
        reader.flush(body)
        reader.endWord(body)
    }

    /// Whether a byte is a letter or a digit of ASCII.
    @inline(__always)
    private static func isPlainLetter(_ byte: UInt8) -> Bool {
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
            || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// Returns letters and digits of ASCII in lower case.
    private static func lowercased(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { buffer in
            for (place, byte) in bytes.enumerated() {
                buffer.initializeElement(
                    at: place, to: byte >= UInt8(ascii: "A") ? byte | 0x20 : byte)
            }
            return bytes.count
        }
    }

    /// Returns the scalar at a position of valid UTF-8, and the number of its bytes.
    private static func scalar(
        _ bytes: UnsafeBufferPointer<UInt8>, at position: Int
    ) -> (Unicode.Scalar, Int) {
        let lead = bytes[position]
        guard lead >= 0x80 else { return (Unicode.Scalar(lead), 1) }
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        var value = UInt32(lead) & (0x7F >> UInt32(length))
        for next in bytes[min(position + 1, bytes.count)..<min(position + length, bytes.count)] {
            value = value << 6 | UInt32(next & 0x3F)
        }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }

    /// Returns the words of a text.
    static func words(of text: String) -> [String] {
        var words: [String] = []
        visit(text) { piece in
            switch piece {
            case .word(let word), .own(let word): words.append(word)
            case .separator: break
            }
        }
        return words
    }

    /// Reads a scalar of the text.
    private mutating func read(_ scalar: Unicode.Scalar, _ body: (Piece) -> Void) {
        if let kind = tables.plainKind(scalar.value) {
            if !marks.isEmpty { flush(body) }
            return emit(scalar, kind, body)
        }
        if WordTables.dropped.contains(scalar.value) {
            if scalar.value == WordTables.graphemeJoiner { flush(body) }
            return
        }
        var mapped: [UInt32] = []
        tables.visitMapped(scalar.value) { mapped.append($0) }
        for scalar in mapped {
            let order = tables.combiningClass(scalar)
            if order != 0 {
                marks.append((scalar, order))
            } else {
                flush(body)
                emit(scalar, body)
            }
        }
    }

    /// Emits the collected marks in canonical order.
    private mutating func flush(_ body: (Piece) -> Void) {
        guard !marks.isEmpty else { return }
        // `sorted` is stable.
        let sorted = marks.sorted { $0.order < $1.order }
        marks.removeAll(keepingCapacity: true)
        for mark in sorted { emit(mark.scalar, body) }
    }

    private mutating func emit(_ value: UInt32, _ body: (Piece) -> Void) {
        guard let scalar = Unicode.Scalar(value) else { return }
        emit(scalar, tables.kind(value), body)
    }

    /// Adds a normalized scalar to the word, or ends the word.
    private mutating func emit(
        _ scalar: Unicode.Scalar, _ kind: WordTables.Kind, _ body: (Piece) -> Void
    ) {
        switch kind {
        case .word: word.unicodeScalars.append(scalar)
        case .own:
            endWord(body)
            body(.own(String(scalar)))
        case .none:
            endWord(body)
            body(.separator(scalar.value))
        }
    }

    private mutating func endWord(_ body: (Piece) -> Void) {
        guard !word.isEmpty else { return }
        body(.word(word))
        word = ""
    }
}
