extension Naming {
    /// Whether Swift reserves a word, so that it needs backticks where it is declared.
    public static func isSwiftKeyword(_ name: String) -> Bool {
        keywords.contains(name)
    }

    /// Whether a name is one that Swift gives another meaning after a dot, even in backticks.
    public static func isUnusableMember(_ name: String) -> Bool {
        unusableMembers.contains(name)
    }

    /// A name as it is declared in Swift: in backticks where it is a keyword.
    public static func escaped(_ name: String) -> String {
        isSwiftKeyword(name) ? "`\(name)`" : name
    }

    /// The name of a parameter or variable that stands for a declared name. `self` cannot be one; what is called like its
    /// replacement makes room for it.
    public static func local(_ name: String) -> String {
        let rest = name.dropFirst(4)
        return name.hasPrefix("self") && rest.allSatisfy { $0 == "_" } ? name + "_" : escaped(name)
    }

    /// A parameter that stands for a declared name, with its label where that is another.
    public static func parameter(_ name: String) -> String {
        let local = local(name)
        return local == escaped(name) ? local : "\(name) \(local)"
    }

    /// Whether a text is a Swift identifier of letters, digits and underscores that begins with no
    /// digit. Letters of all scripts count; emoji and punctuation do not.
    public static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, text != "_" else { return false }
        // Most names are ASCII, and asking Unicode's tables costs more than all the rest.
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

    /// The reserved words of declarations, statements, expressions and types in The Swift
    /// Programming Language, 'Lexical Structure'. Contextual words (`get`, `left`, `some`) are plain
    /// identifiers wherever the output declares a name.
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
