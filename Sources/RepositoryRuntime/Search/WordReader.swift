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
        var reader = WordReader()
        for scalar in text.unicodeScalars { reader.read(scalar, body) }
        reader.flush(body)
        reader.endWord(body)
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
