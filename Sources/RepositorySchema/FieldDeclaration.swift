/// What happens to a record when the record it refers to is deleted.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
    /// The deletion is refused while a record refers to it.
    case restrict
    /// The referring record is deleted as well.
    case cascade
    /// The referring field becomes null.
    case setNull
    /// Nothing: the reference dangles.
    case none
}

/// The default of a field.
public enum DefaultValue: Sendable, Hashable {
    /// A literal of the field's type, checked by the validator.
    case literal(Literal)
    /// The moment of creation (Date).
    case now
    /// A new version 7 UUID.
    case generated
}

/// A field as it is declared: the id of an entity, a field of an entity, value or mixin.
public struct FieldDeclaration: Sendable, Hashable {
    /// The declared name (`author`; a reference is stored and typed as `authorID`).
    public var name: Located<String>
    /// The declared type.
    public var type: Located<TypeExpression>
    /// `doc`
    public var doc: String?
    /// `default`
    public var defaultValue: Located<DefaultValue>?
    /// `column`
    public var column: Located<String>?
    /// `storedAs`: store name → form.
    public var storedAs: [Located<String>: Located<String>] = [:]
    /// `scale`
    public var scale: Located<Int>?
    /// `index: true`
    public var index: Located<Bool>?
    /// `unique: true`
    public var unique: Located<Bool>?
    /// `ignoringCase: true`
    public var ignoringCase: Located<Bool>?
    /// `minimum`: the least value, a literal of the field's type.
    public var minimum: Located<Literal>?
    /// `maximum`: the greatest value, a literal of the field's type.
    public var maximum: Located<Literal>?
    /// `minLength`, in Unicode scalars (lists: elements, Data: bytes).
    public var minLength: Located<Int>?
    /// `maxLength`, in the units of `minLength`.
    public var maxLength: Located<Int>?
    /// `pattern`
    public var pattern: Located<String>?
    /// How many characters of the pattern's range stand before its text, when the text stands in the
    /// file as it is, so that a place inside it can be shown; nil otherwise.
    public var patternOffset: Int?
    /// `onDelete`
    public var onDelete: Located<DeleteRule>?
    /// `onUpdate: now`
    public var onUpdateNow: SourceRange?
    /// `version: true`
    public var version: Located<Bool>?
    /// `sensitive: true`
    public var sensitive: Located<Bool>?
    /// `renamedFrom`
    public var renamedFrom: [Located<String>] = []
    /// `deprecated`: the message, empty when it was just `true`.
    public var deprecated: Located<String>?
    /// The mixin that an entity has the field from, at the place that includes it; nil for one of its own.
    public var origin: Located<String>?

    /// Makes a field of a name and a type; everything else is set afterwards.
    public init(name: Located<String>, type: Located<TypeExpression>) {
        self.name = name
        self.type = type
    }
}

extension FieldDeclaration {
    /// The form in SQLite that `storedAs` asks for.
    public var sqliteForm: Located<String>? {
        storedAs.first { $0.key.value == "sqlite" }?.value
    }

    /// Whether the declared form keeps no more of a moment than its seconds.
    public var keepsWholeSeconds: Bool {
        type.value.unwrapped == .base(.date) && sqliteForm?.value == "integer"
    }
}
