/// The code of a condition, before its lines are broken.
indirect enum ConditionCode {
    /// The call of a function.
    case text(String)
    /// A field, an operator and a value.
    case comparison(String, String, String)
    /// What stands before a list, its elements, and what stands behind it.
    case call(String, [String], String)
    /// Parts with an operator between them.
    case joined(String, [ConditionCode])
    /// Not the other.
    case negated(ConditionCode)

    /// How many comparisons it holds.
    var comparisons: Int {
        switch self {
        case .text, .comparison, .call: 1
        case .joined(_, let parts): parts.reduce(0) { $0 + $1.comparisons }
        case .negated(let inner): inner.comparisons
        }
    }

    /// The code on one line.
    var line: String {
        switch self {
        case .text(let text): text
        case .comparison(let left, let symbol, let right): "\(left) \(symbol) \(right)"
        case .call(let head, let elements, let tail):
            head + elements.joined(separator: ", ") + tail
        case .joined(let symbol, let parts):
            parts.map(\.operand).joined(separator: " \(symbol) ")
        case .negated(let inner): "!" + (inner.isCall ? inner.line : inner.bracketed)
        }
    }

    /// The code as an operand of another operator.
    private var operand: String {
        if case .joined = self { return bracketed }
        return line
    }

    /// Whether it needs no brackets behind an operator.
    private var isCall: Bool {
        switch self {
        case .text, .call: true
        case .comparison, .joined, .negated: false
        }
    }

    private var bracketed: String { "(" + line + ")" }

    /// The code on lines of at most the page's width: each part of what does not fit on a line of its own.
    ///
    /// - Parameters:
    ///   - indentation: the indentation of the first line.
    ///   - head: what stands before it on the first line.
    ///   - tail: what stands behind it on the last line.
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

    private func operandLines(_ indentation: Int, head: String, tail: String) -> [String] {
        guard case .joined = self else { return lines(indentation, head: head, tail: tail) }
        return lines(indentation, head: head + "(", tail: ")" + tail)
    }

    /// As many elements on a line as fit, each with a comma.
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
    /// The same with brackets around a few parts each: what the compiler checks at once stays small.
    var grouped: ConditionCode {
        switch self {
        case .text, .comparison, .call: return self
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

    /// How many parts are joined without brackets between them.
    static let mostParts = 4
}
