extension Naming {
    /// Whether a name is a Swift keyword, which has to be escaped with backticks in a declaration.
    public static func isSwiftKeyword(_ name: String) -> Bool {
        keywords.contains(name)
    }

    /// Whether Swift gives a name a special meaning after a dot, even with backticks.
    public static func isUnusableMember(_ name: String) -> Bool {
        unusableMembers.contains(name)
    }

    /// The name in a Swift declaration: with backticks if it is a keyword.
    public static func escaped(_ name: String) -> String {
        isSwiftKeyword(name) ? "`\(name)`" : name
    }

    /// The name of a parameter or variable for a declared name. `self` is not allowed there, so
    /// `self` becomes `self_`, `self_` becomes `self__`, and so on.
    public static func localName(_ name: String) -> String {
        let rest = name.dropFirst(4)
        return name.hasPrefix("self") && rest.allSatisfy { $0 == "_" } ? name + "_" : escaped(name)
    }

    /// A parameter for a declared name, with an external label if the names differ.
    public static func parameter(_ name: String) -> String {
        let local = localName(name)
        return local == escaped(name) ? local : "\(name) \(local)"
    }

    /// Whether a string is a Swift identifier that consists of letters, digits and underscores and
    /// does not begin with a digit. Letters of all scripts are allowed; emoji and punctuation are
    /// not.
    public static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, text != "_" else { return false }
        // A fast path: most names are ASCII, and looking up Unicode properties is slow.
        if text.utf8.allSatisfy(isASCIIWordByte) { return !("0"..."9").contains(first) }
        guard first == "_" || first.properties.isXIDStart else { return false }
        return text.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
    }

    private static func isASCIIWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
        default: false
        }
    }

    /// The keywords of declarations, statements, expressions and types in The Swift Programming
    /// Language, 'Lexical Structure'. Contextual keywords (`get`, `left`, `some`) are not included,
    /// because the generated code can use them as identifiers.
    private static let keywords: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import",
        "init", "inout", "internal", "let", "operator", "precedencegroup", "private", "protocol",
        "public", "rethrows", "static", "struct", "subscript", "typealias", "var",
        "break", "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough",
        "for", "guard", "if", "in", "repeat", "return", "switch", "throw", "where", "while",
        "Any", "as", "await", "false", "is", "nil", "self", "Self", "super", "throws", "true",
        "try", "Protocol", "Type",
    ]

    private static let unusableMembers: Set<String> = ["Type", "Protocol"]
}
