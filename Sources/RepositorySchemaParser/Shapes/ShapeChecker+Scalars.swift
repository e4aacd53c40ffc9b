internal import ConditionLanguage
internal import RepositorySchema

extension ShapeChecker {
    /// Checks a node that has to be a scalar.
    mutating func checkScalar(_ node: YAMLNode, _ shape: Shape, _ subject: String) {
        guard let scalar = node.scalar else {
            let help = "quote it, if it is text that begins with '[' or '{'"
            add(
                "\(subject) is \(shape.expected), not \(node.formDescription)", at: node.range,
                help: node.range.start.line == node.range.end.line ? help : nil)
            return
        }
        if case .optionalText = shape { return }
        let isEmpty = shape.isName ? node.isNull && scalar.text.count < 2 : node.isNull
        guard !isEmpty else {
            let help =
                if case .text = shape, !scalar.text.isEmpty {
                    "quote it, if it is text; otherwise leave the key out"
                } else if shape.isName {
                    "write it after the ':'"
                } else {
                    "write it after the ':', or leave the key out"
                }
            add("\(subject) has no value", at: node.range, help: help)
            return
        }
        checkText(node, scalar.text, shape, subject)
    }

    /// Checks the text of a scalar that is not null.
    private mutating func checkText(
        _ node: YAMLNode, _ text: String, _ shape: Shape, _ subject: String
    ) {
        switch shape {
        case .text where text.isEmpty:
            add("\(subject) is empty", at: node.range, help: "leave the key out")
        case .flag where text != "true" && text != "false":
            add(
                "\(subject) is 'true' or 'false', not '\(text.shortened)'", at: node.range,
                help: Self.flagHelp(text))
        case .flagOrText where text == "false":
            add("\(subject) is 'true' or a message", at: node.range, help: "leave the key out")
        case .integer(let bounds): checkInteger(node, text, bounds, subject)
        case .choice(let words, let help) where !words.contains(text):
            let nearest = NearestName.of(text, among: words)
            add(
                "\(subject) cannot be '\(text.shortened)'", at: node.range,
                help: nearest == nil && help != nil
                    ? help : NearestName.help(for: text, among: words, kind: "choices"))
        case .memberName, .typeName, .identifier, .sortKey, .indexKey, .path:
            checkName(Located(text, at: node.range), shape, subject)
        case .sortValue where !SortKey.isValue(text):
            guard text.contains(where: { $0 == "." || $0 == "(" }) else {
                return checkName(Located(text, at: node.range), .sortKey, subject)
            }
            add(
                "'\(text.shortened)' is nothing that a query can be sorted by", at: node.range,
                help: "write a field, a path such as 'author.name', or 'count(relation)'")
        default: break
        }
    }

    /// Checks an integer and its bounds. The digits are checked strictly, because YAML allows
    /// several notations.
    private mutating func checkInteger(
        _ node: YAMLNode, _ text: String, _ bounds: ClosedRange<Int>, _ subject: String
    ) {
        guard let value = Int(text), !text.hasPrefix("+") else {
            add("\(subject) is a whole number, not '\(text.shortened)'", at: node.range)
            return
        }
        guard bounds.contains(value) else {
            let upper = bounds.upperBound == .max ? "" : " and at most \(bounds.upperBound)"
            add("\(subject) is at least \(bounds.lowerBound)\(upper)", at: node.range)
            return
        }
    }

    /// Checks a user-chosen name.
    mutating func checkName(_ name: Located<String>, _ shape: Shape, _ subject: String) {
        var text = name.value
        if case .sortKey = shape, text.hasPrefix("-") { text.removeFirst() }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if case .sortKey = shape, parts.count > 1,
            parts.allSatisfy({ Naming.isIdentifier(String($0)) })
        {
            add(
                "'\(text.shortened)' is not a field of the entity itself: an order "
                    + "cannot lead into a value or a reference",
                at: name.range, help: "declare a field of the entity that holds it")
            return
        }
        if case .indexKey = shape {
            if text.hasPrefix("-") { text.removeFirst() }
            for part in text.split(separator: ".", omittingEmptySubsequences: false) {
                var part = Located(String(part), at: name.range)
                // The rules of names hold for each part, and an empty one is no name.
                if part.value.isEmpty { part.value = text }
                checkName(part, .memberName, subject)
            }
            return
        }
        if case .path = shape, parts.count == 2,
            parts.allSatisfy({ Naming.isIdentifier(String($0)) })
        {
            return
        }
        guard Naming.isIdentifier(text) else {
            add(
                "'\(text.shortened)' cannot be a name in Swift", at: name.range,
                help: "a name consists of letters, digits and '_', and does not begin with a digit")
            return
        }
        guard let first = text.unicodeScalars.first?.properties else { return }
        if first.isUppercase, shape.isMemberName {
            add(
                "the name of \(Self.member(subject)) begins with a lower-case letter",
                at: name.range, help: "call it '\(Naming.lowerCamelCase(text))'")
        } else if first.isLowercase, case .typeName = shape {
            add(
                "the name of a type begins with an upper-case letter", at: name.range,
                help: "call it '\(Naming.upperCamelCase(text))'")
        }
    }

    /// Checks that a literal and its elements are not null.
    mutating func checkLiteral(_ node: YAMLNode, _ subject: String) {
        switch node.content {
        case .scalar:
            if node.isNull {
                add(
                    "\(subject) has no value", at: node.range,
                    help: subject == "'default'"
                        ? "leave it out: an optional field starts as null; quote it, if it is text"
                        : "write it after the ':', or leave the key out; quote it, if it is text")
            }
        case .sequence(let elements):
            for element in elements { checkLiteral(element, "an entry of \(subject)") }
        case .mapping(let entries):
            for entry in entries { checkLiteral(entry.value, "'\(entry.key.value)'") }
        }
    }

    private static func member(_ subject: String) -> String {
        subject.hasPrefix("a ") ? subject : "a field"
    }

    /// The help for a value that is not a Boolean, including the words that YAML 1.1 treats as
    /// Booleans.
    private static func flagHelp(_ text: String) -> String? {
        switch text.lowercased() {
        case "yes", "on", "y", "1", "true": "write 'true'"
        case "no", "off", "n", "0", "false": "write 'false'"
        default: "write 'true', or leave the key out"
        }
    }
}

extension Shape {
    /// Whether the shape is that of a name, for which `null` is a valid value.
    fileprivate var isName: Bool {
        switch self {
        case .memberName, .typeName, .identifier, .sortKey, .sortValue, .indexKey, .path: true
        default: false
        }
    }

    /// Whether the shape is that of a field's or another member's name.
    fileprivate var isMemberName: Bool {
        switch self {
        case .memberName, .sortKey, .indexKey: true
        default: false
        }
    }

    /// The noun for the shape, for messages.
    fileprivate var expected: String {
        switch self {
        case .memberName, .typeName, .identifier: "a name"
        case .sortKey, .indexKey: "a field's name"
        case .sortValue: "a field's name, a path such as 'author.name' or 'count(relation)'"
        case .path: "the name of a case, or of a field such as 'circle.radius'"
        case .flag: "'true' or 'false'"
        case .flagOrText: "'true' or a message"
        case .integer: "a whole number"
        case .choice(let words, _): "one of: " + words.joined(separator: ", ")
        default: "text"
        }
    }
}
