/// The keys of one kind of mapping in the schema language.
///
/// The tables are the single definition of the language's structure: ``ShapeChecker`` validates
/// documents with them, and the JSON Schema and documentation are generated from them.
struct KeyTable: Sendable {
    /// The kind of the mapping, with an article: `an entity`.
    var owner: String
    /// The keys, in the order of the documentation.
    var keys: [Key]
    /// The help texts for keys that belong elsewhere.
    var misplaced: [String: String] = [:]
    /// The key to suggest for a value without a mapping: `blob` for `{ sqlite: blob }`.
    var impliedKey: String?
    /// The keys of which the mapping has exactly one. Empty if there is no such choice.
    var alternatives: [String] = []
    /// Whether the mapping must have a key.
    var isNeverEmpty = false
    /// The keys that are only allowed beside another one.
    var companions: [String: String] = [:]
    /// The help for an unknown key that resembles no other; nil for a list of the keys.
    var unknownHelp: String?

    /// The definition of a key; nil if the mapping has no such key.
    subscript(name: String) -> Key? {
        keys.first { $0.name == name }
    }
}

/// The definition of one key.
struct Key: Sendable {
    /// The name of the key.
    var name: String
    /// The structure of its value.
    var shape: Shape
    /// The meaning of the key, as a phrase.
    var summary: String
    /// Whether the key is required.
    var isRequired = false

    /// Creates a definition.
    init(_ name: String, _ shape: Shape, _ summary: String, isRequired: Bool = false) {
        self.name = name
        self.shape = shape
        self.summary = summary
        self.isRequired = isRequired
    }
}

/// The structure that the value of a key must have.
indirect enum Shape: Sendable {
    /// Any string.
    case text
    /// A string or `null`.
    case optionalText
    /// The name of a member: a Swift identifier that does not begin with an upper-case letter.
    case memberName
    /// The name of a type: a Swift identifier that does not begin with a lower-case letter.
    case typeName
    /// Any Swift identifier.
    case identifier
    /// The name of a field, with a leading `-` for descending order.
    case sortKey
    /// What a query sorts by, with a leading `-` for descending order: the name of a field, names
    /// with a `.` between them, or `count(…)` of such names.
    case sortValue
    /// The name of a field, or the path of one inside a value such as `shelf.room`, with a leading
    /// `-` for descending order.
    case indexKey
    /// A name, or two names with a `.` between them: `circle.radius`.
    case path
    /// No value: the key is a word by itself, such as `code` in `{ code, for: 6 }`.
    case mark
    /// `true` or `false`.
    case flag
    /// `true` or a string.
    case flagOrText
    /// An integer within bounds.
    case integer(ClosedRange<Int>)
    /// One of some strings. `help` describes which of them apply, if this depends on the context.
    case choice([String], help: String? = nil)
    /// A type expression.
    case type
    /// A literal, whose meaning depends on the field's type.
    case literal
    /// A list.
    case list(Shape)
    /// A list, or a single element in place of a list of one.
    case oneOrMany(Shape)
    /// A mapping with user-chosen keys. `names` is the shape of the keys. `entry` is the noun for
    /// an entry, with an article.
    case named(Shape, names: Shape, entry: String)
    /// A mapping with exactly one entry: a user-chosen name and its value. Beside it, the mapping
    /// can have the keys of a table; then the value can be left out.
    case pair(Shape, names: Shape, keys: KeyTable)
    /// A mapping with defined keys.
    case keys(KeyTable)
    /// A separate shape for each kind of node. `expected` describes all of them for messages.
    case forms(scalar: Shape?, list: Shape?, mapping: Shape?, expected: String)
}
