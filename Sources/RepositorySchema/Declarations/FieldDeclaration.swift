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
///
/// Fields are handed on and copied everywhere. What most of them do not say is kept behind a reference, so that a copy is
/// a few words.
public struct FieldDeclaration: Sendable, Hashable {
    /// The declared name (`author`; a reference is stored and typed as `authorID`).
    public var name: Located<String>
    /// The declared type.
    public var type: Located<TypeExpression>
    /// The mixin that an entity has the field from, at the place that includes it; nil for one of its own.
    public var origin: Located<String>?
    private var box = Box.empty

    /// Makes a field of a name and a type; everything else is set afterwards.
    public init(name: Located<String>, type: Located<TypeExpression>) {
        self.name = name
        self.type = type
    }

    /// What is said of it besides.
    public var details: FieldDetails {
        get { box.details }
        set { box = Box(newValue) }
    }

    private final class Box: Sendable, Hashable {
        static let empty = Box(FieldDetails())
        let details: FieldDetails

        init(_ details: FieldDetails) { self.details = details }

        static func == (left: Box, right: Box) -> Bool {
            left === right || left.details == right.details
        }

        func hash(into hasher: inout Hasher) { hasher.combine(details) }
    }
}

/// The details one by one: each is read where it stands, without a copy of all.
extension FieldDeclaration {
    /// `doc`
    public var doc: String? { box.details.doc }
    /// `default`
    public var defaultValue: Located<DefaultValue>? { box.details.defaultValue }
    /// `column`
    public var column: Located<String>? { box.details.column }
    /// `storedAs`: store name → form.
    public var storedAs: [Located<String>: Located<String>] { box.details.storedAs }
    /// `scale`
    public var scale: Located<Int>? { box.details.scale }
    /// `index: true`
    public var index: Located<Bool>? { box.details.index }
    /// `unique: true`
    public var unique: Located<Bool>? { box.details.unique }
    /// `ignoringCase: true`
    public var ignoringCase: Located<Bool>? { box.details.ignoringCase }
    /// `minimum`: the least value, a literal of the field's type.
    public var minimum: Located<Literal>? { box.details.minimum }
    /// `maximum`: the greatest value, a literal of the field's type.
    public var maximum: Located<Literal>? { box.details.maximum }
    /// `minLength`, in Unicode scalars (lists: elements, Data: bytes).
    public var minLength: Located<Int>? { box.details.minLength }
    /// `maxLength`, in the units of `minLength`.
    public var maxLength: Located<Int>? { box.details.maxLength }
    /// `pattern`
    public var pattern: Located<String>? { box.details.pattern }
    /// How many characters of the pattern's range stand before its text, when the text stands in the
    /// file as it is, so that a place inside it can be shown; nil otherwise.
    public var patternOffset: Int? { box.details.patternOffset }
    /// `onDelete`
    public var onDelete: Located<DeleteRule>? { box.details.onDelete }
    /// `onUpdate: now`
    public var onUpdateNow: SourceRange? { box.details.onUpdateNow }
    /// `version: true`
    public var version: Located<Bool>? { box.details.version }
    /// `sensitive: true`
    public var sensitive: Located<Bool>? { box.details.sensitive }
    /// `renamedFrom`
    public var renamedFrom: [Located<String>] { box.details.renamedFrom }
    /// `deprecated`: the message, empty when it was just `true`.
    public var deprecated: Located<String>? { box.details.deprecated }
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
