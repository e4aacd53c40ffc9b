/// Wraps one line of Swift to the line limit, in the layout of `swift format`.
///
/// Breaks are tried from the outside in: the body of a block, the parts of a declaration, the last
/// brackets, an operator. A line that no rule applies to stays long, as in `swift format`.
///
/// ```swift
/// public func find(
///     name: String, address: String
/// ) async throws -> Author? {
/// ```
struct BrokenLine {
    /// The lines, with their indentation.
    let lines: [String]

    /// Wraps a line of code. `code` contains no newlines and no indentation.
    init(_ code: String, indentation: Int) {
        if indentation + code.count <= LineBreaker.width {
            lines = [Self.spaces(indentation) + code]
        } else {
            lines = Self.broken(CodeScanner(code), indentation)
        }
    }

    /// Returns a number of spaces.
    static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    /// Selects the rule for a line that is too long.
    ///
    /// The rules are, in this order: attributes, blocks on one line, heads of blocks, and
    /// statements.
    private static func broken(_ code: CodeScanner, _ indentation: Int) -> [String] {
        if code.text.hasPrefix("@available(") { return availability(code, indentation) }
        if let body = code.block {
            return BrokenLine(body.head, indentation: indentation).lines
                + BrokenLine(body.inside, indentation: indentation + 4).lines
                + [spaces(indentation) + "}"]
        }
        if code.text.hasSuffix(" {") { return head(code, indentation) }
        return statement(code, indentation)
    }

    // MARK: Heads of blocks

    /// Wraps a line that ends with an opening brace: `guard`, `if`, a function or a type
    /// declaration.
    ///
    /// ```swift
    /// guard
    ///     let value = …
    /// else {
    /// ```
    private static func head(_ code: CodeScanner, _ indentation: Int) -> [String] {
        let text = String(code.text.dropLast(2))
        if text.hasPrefix("guard "), text.hasSuffix(" else") {
            let condition = String(text.dropFirst(6).dropLast(5))
            return [spaces(indentation) + "guard"]
                + BrokenLine(condition, indentation: indentation + 4).lines
                + [spaces(indentation) + "else {"]
        }
        if text.hasPrefix("if ") {
            return BrokenLine(text, indentation: indentation).lines + [spaces(indentation) + "{"]
        }
        if code.contains("func "), let group = code.parameters {
            return group.broken(indentation, suffix: group.suffix, closingOnOwnLine: true)
        }
        let scanner = CodeScanner(text)
        if let colon = scanner.first(of: ": "), !text.contains("var ") {
            return inheritance(scanner, after: colon, indentation)
        }
        return BrokenLine(text, indentation: indentation).lines + [spaces(indentation) + "{"]
    }

    /// Wraps an inheritance clause. The first line holds as many types as fit, and at least one.
    ///
    /// ```swift
    /// public struct Book: Entity, Priced,
    ///     CustomStringConvertible
    /// {
    /// ```
    private static func inheritance(
        _ code: CodeScanner, after colon: String.Index, _ indentation: Int
    ) -> [String] {
        let types = CodeScanner(String(code.text[colon...].dropFirst(2))).elements
        var lines: [String] = []
        var line = spaces(indentation) + code.text[..<colon] + ":"
        for (index, type) in types.enumerated() {
            let part = " " + type + (index == types.count - 1 ? "" : ",")
            if index > 0, line.count + part.count > LineBreaker.width {
                lines.append(line)
                line = spaces(indentation + 3)
            }
            line += part
        }
        return lines + [line, spaces(indentation) + "{"]
    }

    /// Wraps an `@available` attribute: the platforms on one line, the message on the next.
    ///
    /// ```swift
    /// @available(
    ///     *, deprecated,
    ///     message: "Use another field."
    /// )
    /// ```
    private static func availability(_ code: CodeScanner, _ indentation: Int) -> [String] {
        guard let group = code.lastGroup else { return [spaces(indentation) + code.text] }
        let elements = CodeScanner(group.inside).elements
        let message = elements.last ?? ""
        return [
            spaces(indentation) + "@available(",
            spaces(indentation + 4) + elements.dropLast().joined(separator: ", ") + ",",
        ] + BrokenLine(message, indentation: indentation + 4).lines + [spaces(indentation) + ")"]
    }

    // MARK: Statements

    /// Wraps a statement at its last brackets, at `==`, or after `=` or `:`.
    private static func statement(_ code: CodeScanner, _ indentation: Int) -> [String] {
        if let group = code.lastGroup, indentation + group.prefix.count < LineBreaker.width {
            return group.broken(indentation, suffix: group.suffix, closingOnOwnLine: false)
        }
        if let equals = code.last(of: " == ") {
            return [spaces(indentation) + code.text[..<equals]]
                + BrokenLine(
                    String(code.text[equals...].dropFirst()), indentation: indentation + 4
                ).lines
        }
        let separators = code.text.hasPrefix("case ") ? [": "] : [" = ", ": "]
        for separator in separators {
            guard let index = code.first(of: separator) else { continue }
            let left = String(code.text[..<index]) + separator.dropLast()
            let right = String(code.text[index...].dropFirst(separator.count))
            return BrokenLine(left, indentation: indentation).lines
                + BrokenLine(right, indentation: indentation + 4).lines
        }
        return [spaces(indentation) + code.text]
    }
}

extension CodeScanner.Group {
    /// Returns the group with its content on separate, indented lines, as many elements per line as
    /// fit.
    ///
    /// ```swift
    /// table.index(
    ///     "by_title", ["title", "-updatedAt"])
    /// ```
    ///
    /// - Parameter closingOnOwnLine: Whether the closing bracket must be on its own line. Lists,
    ///   tuples and generic arguments always place it there.
    func broken(_ indentation: Int, suffix: String, closingOnOwnLine: Bool) -> [String] {
        var lines = [BrokenLine.spaces(indentation) + prefix]
        let isList = prefix.hasSuffix("[")
        let isTuple = prefix.hasSuffix("(") && !(prefix.dropLast().last.map(Self.endsName) ?? false)
        let hasOwnLine =
            isList || isTuple || closingOnOwnLine || prefix.hasSuffix("<")
            || suffix.hasPrefix(".")
        var inside = packed(indentation + 4)
        let closing = hasOwnLine ? nil : inside.last
        if let closing, closing.count + close.count + suffix.count <= LineBreaker.width {
            inside[inside.count - 1] = closing + close + suffix
            return lines + inside
        }
        if isList, CodeScanner(self.inside).elements.count > 1, let last = inside.last {
            inside[inside.count - 1] = last + ","
        }
        lines += inside
        lines.append(BrokenLine.spaces(indentation) + close + suffix)
        return lines
    }

    /// Returns whether a character can be the last one of a name before an opening bracket.
    private static func endsName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "`"
    }

    /// Distributes the elements over lines, as many per line as fit. An element that is too long by
    /// itself is wrapped further.
    private func packed(_ indentation: Int) -> [String] {
        let elements = CodeScanner(inside).elements
        var lines: [String] = []
        var line = ""
        for (index, element) in elements.enumerated() {
            let part = element + (index == elements.count - 1 ? "" : ",")
            if !line.isEmpty, indentation + line.count + 1 + part.count + 1 > LineBreaker.width {
                lines.append(BrokenLine.spaces(indentation) + line)
                line = ""
            }
            if line.isEmpty, indentation + part.count > LineBreaker.width {
                lines += BrokenLine(part, indentation: indentation).lines
            } else {
                line += (line.isEmpty ? "" : " ") + part
            }
        }
        if !line.isEmpty { lines.append(BrokenLine.spaces(indentation) + line) }
        return lines
    }
}
