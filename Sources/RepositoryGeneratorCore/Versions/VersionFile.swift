package import RepositorySchema
internal import StoredSchema

/// The file of a released version: a line with a hash, and a schema in normal form.
///
/// ```yaml
/// # Released by repository-generator. Do not edit: sha256 9f86d081884c7d65…
/// entity: Book
/// table: books
/// ```
package enum VersionFile {
    /// The first line, before the hash.
    private static let mark = "# Released by repository-generator. Do not edit: sha256 "
    /// The size limit in bytes, which is that of every schema file.
    package static let limit = 16 << 20

    /// Returns the contents of the file of a schema.
    package static func text(of schema: NormalizedSchema) -> String {
        let body = schema.text
        return mark + SHA256.hexadecimal(body.utf8) + "\n" + body
    }

    /// Returns the hash in the first line of a file without problems.
    package static func hash(of bytes: [UInt8]) -> String {
        String(decoding: bytes.dropFirst(mark.utf8.count).prefix(64), as: UTF8.self)
    }

    /// Returns the name of a numbered version's file: `0001.yaml`.
    package static func name(number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ".yaml"
    }

    /// Returns the name of a side version's file: `side-beta.yaml`.
    package static func name(side: String) -> String { "side-\(side).yaml" }

    /// Returns whether a text can be the name of a side version: up to 64 ASCII letters, digits,
    /// `-` and `_`, with a letter or a digit first.
    package static func isSideName(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetterOrDigit(first), text.utf8.count <= 64 else {
            return false
        }
        return text.utf8.allSatisfy {
            isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        let character = Character(Unicode.Scalar(byte))
        return byte < 0x80 && (character.isLetter || character.isNumber)
    }

    /// Returns the problem of a file that is not as `release` wrote it; nil if it is. Line endings
    /// that Git has converted are not a problem.
    ///
    /// - Parameters:
    ///   - bytes: The contents.
    ///   - path: The path for the diagnostic.
    package static func problem(_ bytes: [UInt8], path: String) -> Diagnostic? {
        guard bytes.count <= limit else {
            return diagnostic("the file is larger than 16 MiB", path, help: restore)
        }
        if let place = invalidPlace(in: bytes) {
            return diagnostic("the file is not UTF-8", path, from: place, help: restore)
        }
        if let line = conflictLine(in: bytes) {
            return diagnostic(
                "two branches have released a version of this number", path,
                from: SourcePosition(line: line, column: 1),
                help: "take one of the two files, and run 'repository-generator release' again")
        }
        let text = LineEnding.normalized(bytes)
        let mark = Array(mark.utf8)
        let end = text.firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
        guard text.starts(with: mark), end == mark.count + 64 else {
            return diagnostic(
                "the first line is not that of a version file", path, help: restore)
        }
        let hash = SHA256.hexadecimal(text[min(end + 1, text.count)...])
        guard !text[mark.count..<end].elementsEqual(hash.utf8) else { return nil }
        return diagnostic(
            "the file was edited: the hash of the lines below is another one", path,
            from: SourcePosition(line: 1, column: mark.count + 1),
            to: SourcePosition(line: 1, column: end + 1), help: restore)
    }

    private static let restore =
        "restore the file from version control; to change the schema, edit the schema files and "
        + "run 'repository-generator release'"

    private static func diagnostic(
        _ message: String, _ path: String, from start: SourcePosition = .start,
        to end: SourcePosition? = nil, help: String
    ) -> Diagnostic {
        Diagnostic(
            message, at: SourceRange(path: path, start: start, end: end ?? start), help: help,
            rule: .version)
    }

    /// Returns the line of Git's first conflict mark; nil if there is none.
    private static func conflictLine(in bytes: [UInt8]) -> Int? {
        let mark = Array("<<<<<<< ".utf8)
        var line = 1
        if bytes.starts(with: mark) { return line }
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            line += 1
            if bytes[(index + 1)...].starts(with: mark) { return line }
        }
        return nil
    }

    /// Returns the position of the first byte that is not part of a UTF-8 scalar; nil if the whole
    /// text is valid.
    private static func invalidPlace(in bytes: [UInt8]) -> SourcePosition? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var position = SourcePosition.start
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue("\n"): position = SourcePosition(line: position.line + 1, column: 1)
            case .scalarValue: position.column += 1
            case .emptyInput, .error: return position
            }
        }
    }
}
