/// The keys of one kind of mapping of the schema language: their one definition, which checks what a
/// user writes and can be printed.
struct KeyTable: Sendable {
    /// What the mapping is, with its article: `an entity`.
    var owner: String
    /// The keys in the order of the documentation.
    var keys: [Key]
    /// Keys that belong elsewhere, with the help to give.
    var misplaced: [String: String] = [:]
    /// The key that a value without a mapping is meant for: `blob` for `{ sqlite: blob }`.
    var impliedKey: String?

    /// The definition of a key.
    subscript(name: String) -> Key? {
        keys.first { $0.name == name }
    }
}

/// One key of a mapping.
struct Key: Sendable {
    /// The key.
    var name: String
    /// What its value may be.
    var shape: Shape
    /// What it means, in one phrase.
    var summary: String
    /// Whether it may be left out.
    var isRequired = false

    /// Defines a key.
    init(_ name: String, _ shape: Shape, _ summary: String, isRequired: Bool = false) {
        self.name = name
        self.shape = shape
        self.summary = summary
        self.isRequired = isRequired
    }
}

/// What the value of a key may be.
indirect enum Shape: Sendable {
    /// Any text.
    case text
    /// Text that may also be `null`.
    case optionalText
    /// A member's name: an identifier of Swift that begins with no capital.
    case memberName
    /// A name of a type: an identifier of Swift that begins with no small letter.
    case typeName
    /// Any identifier of Swift.
    case identifier
    /// A field's name, after `-` where larger values come first.
    case sortKey
    /// `true` or `false`.
    case flag
    /// `true` or a text.
    case flagOrText
    /// A whole number within bounds.
    case integer(ClosedRange<Int>)
    /// One of some words; `help` says which of them fit, where not all of them do everywhere.
    case choice([String], help: String? = nil)
    /// A type expression.
    case type
    /// A value that the field's type gives its meaning.
    case literal
    /// A list.
    case list(Shape)
    /// A list, or one element of it by itself.
    case oneOrMany(Shape)
    /// A mapping whose keys are names of the user's; the second shape is that of the keys, `entry`
    /// says what one is, with its article.
    case named(Shape, names: Shape, entry: String)
    /// A mapping with exactly one entry: a name of the user's and its value.
    case pair(Shape, names: Shape)
    /// A mapping with defined keys.
    case keys(KeyTable)
    /// A shape for each form that a node can have; `expected` says what all of them are.
    case forms(scalar: Shape?, list: Shape?, mapping: Shape?, expected: String)
}
