/// The Swift code of a condition as a tree, before it is formatted.
///
/// The tree determines where long conditions are broken into lines, and where brackets keep
/// expressions small for the type checker.
///
/// ``ConditionTranslator`` creates it; ``TableConditions`` and ``QueryTranslator`` format it.
indirect enum ConditionCode {
    /// An expression without line breaks: a function call.
    case text(String)
    /// A comparison of a field with a value: left side, operator, right side.
    case comparison(String, String, String)
    /// A call with a list: the text before the elements, the elements, and the text after them.
    case call(String, [String], String)
    /// A call with a condition in a closure: the text before the closure, and the condition.
    case closure(String, ConditionCode)
    /// Conditions joined by an operator.
    case joined(String, [ConditionCode])
    /// The negation of a condition.
    case negated(ConditionCode)

    /// The number of comparisons in the condition.
    var comparisons: Int {
        switch self {
        case .text, .comparison, .call: 1
        case .closure(_, let inner): 1 + inner.comparisons
        case .joined(_, let parts): parts.reduce(0) { $0 + $1.comparisons }
        case .negated(let inner): inner.comparisons
        }
    }

    /// The code on a single line.
    var line: String {
        switch self {
        case .text(let text): text
        case .comparison(let left, let symbol, let right): "\(left) \(symbol) \(right)"
        case .call(let head, let elements, let tail):
            head + elements.joined(separator: ", ") + tail
        case .closure(let head, let inner): "\(head) { \(inner.line) }"
        case .joined(let symbol, let parts):
            parts.map(\.operand).joined(separator: " \(symbol) ")
        case .negated(let inner): "!" + (inner.isCall ? inner.line : inner.bracketed)
        }
    }

    /// The code as an operand of another operator, bracketed if necessary.
    private var operand: String {
        if case .joined = self { return bracketed }
        return line
    }

    /// Whether the code needs no brackets after `!`.
    private var isCall: Bool {
        switch self {
        case .text, .call, .closure: true
        case .comparison, .joined, .negated: false
        }
    }

    private var bracketed: String { "(" + line + ")" }

    /// Formats the code with lines of at most ``LineBreaker/width`` characters. An operand that
    /// does not fit starts on a new line.
    ///
    /// ```swift
    /// loan.returnedAt == nil
    ///     && loan.number > 0
    /// ```
    ///
    /// - Parameters:
    ///   - indentation: The indentation of the first line.
    ///   - head: The text before the code, on the first line.
    ///   - tail: The text after the code, on the last line.
    func lines(_ indentation: Int, head: String = "", tail: String = "") -> [String] {
        let whole = head + line + tail
        let space = String(repeating: " ", count: indentation)
        if indentation + whole.count <= LineBreaker.width { return [space + whole] }
        switch self {
        case .text: return [space + whole]
        case .comparison(let left, let symbol, let right):
            let value = BrokenLine("\(symbol) \(right)\(tail)", indentation: indentation + 4)
            return [space + head + left] + value.lines
        case .call(let start, let elements, let end):
            return [space + head + start] + Self.packed(elements, indentation + 4)
                + [space + end + tail]
        case .closure(let start, let inner):
            return [space + head + start + " {"] + inner.lines(indentation + 4)
                + [space + "}" + tail]
        case .negated(let inner):
            let (open, close) = inner.isCall ? ("!", "") : ("!(", ")")
            return inner.lines(indentation, head: head + open, tail: close + tail)
        case .joined(let symbol, let parts):
            return parts.enumerated().flatMap { index, part in
                let isLast = index == parts.count - 1
                return part.operandLines(
                    index == 0 ? indentation : indentation + 4,
                    head: index == 0 ? head : symbol + " ", tail: isLast ? tail : "")
            }
        }
    }

    /// The lines of the code as an operand of another operator.
    private func operandLines(_ indentation: Int, head: String, tail: String) -> [String] {
        guard case .joined = self else { return lines(indentation, head: head, tail: tail) }
        return lines(indentation, head: head + "(", tail: ")" + tail)
    }

    /// Distributes the elements over lines, as many per line as fit. Every element has a trailing
    /// comma.
    private static func packed(_ elements: [String], _ indentation: Int) -> [String] {
        let space = String(repeating: " ", count: indentation)
        var lines: [String] = []
        var line = ""
        for element in elements {
            let part = element + ","
            if !line.isEmpty, indentation + line.count + 1 + part.count > LineBreaker.width {
                lines.append(space + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + part
        }
        return lines + [space + line]
    }
}

extension ConditionCode {
    /// Returns the same condition with at most ``mostParts`` operands per pair of brackets. This
    /// keeps the expressions small that the Swift compiler type-checks at once.
    ///
    /// For example, `a || b || c || d || e` becomes `(a || b || c || d) || e`.
    var grouped: ConditionCode {
        switch self {
        case .text, .comparison, .call: return self
        case .closure(let head, let inner): return .closure(head, inner.grouped)
        case .negated(let inner): return .negated(inner.grouped)
        case .joined(let symbol, let parts):
            var parts = parts.map(\.grouped)
            while parts.count > Self.mostParts {
                parts = stride(from: 0, to: parts.count, by: Self.mostParts).map { start in
                    let group = Array(parts[start..<min(start + Self.mostParts, parts.count)])
                    return group.count == 1 ? group[0] : .joined(symbol, group)
                }
            }
            return .joined(symbol, parts)
        }
    }

    /// The maximum number of operands that are joined without brackets.
    static let mostParts = 4
}
