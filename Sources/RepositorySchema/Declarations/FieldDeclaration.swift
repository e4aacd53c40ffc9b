/// The action on a record when the record that it refers to is deleted.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
    /// The deletion fails while a record refers to the deleted one.
    case restrict
    /// The referring record is deleted as well.
    case cascade
    /// The referring field becomes null.
    case setNull
    /// No action: the reference dangles.
    case none
}

/// The default of a field.
public enum DefaultValue: Sendable, Hashable {
    /// A literal of the field's type. The validator has checked it.
    case literal(Literal)
    /// The date of the creation (for `Date`).
    case now
    /// A new version 7 UUID.
    case generated
    /// The next number of the store (for the id of an entity, an `Int` or `Int64`).
    case assigned
}

/// The declaration of a field: of an entity's id, or of a field of an entity, value or mixin.
///
/// The rarely used properties are stored in a class instance that copies share, because fields are
/// passed and copied often.
public struct FieldDeclaration: Sendable, Hashable {
    /// The declared name. A reference `author` becomes the property `authorID`.
    public var name: Located<String>
    /// The declared type.
    public var type: Located<TypeExpression>
    /// The position at which the entity includes the mixin that declares the field; nil if the
    /// entity itself declares it.
    public var origin: Located<String>?
    private var box = Box.empty

    /// Creates a field with a name and a type. Set the other properties afterwards.
    public init(name: Located<String>, type: Located<TypeExpression>) {
        self.name = name
        self.type = type
    }

    /// The properties other than name and type.
    public var details: FieldDetails {
        get { box.details }
        set { box = Box(newValue) }
    }

    /// The shared, immutable storage of the details. Fields without details share one instance.
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

/// The properties of ``details``, read individually without copying all of them.
extension FieldDeclaration {
    /// `doc`
    public var doc: String? { box.details.doc }
    /// `default`
    public var defaultValue: Located<DefaultValue>? { box.details.defaultValue }
    /// `column`
    public var column: Located<String>? { box.details.column }
    /// `storedAs`: the column representation by store name.
    public var storedAs: [Located<String>: Located<String>] { box.details.storedAs }
    /// `scale`
    public var scale: Located<Int>? { box.details.scale }
    /// `index: true`
    public var index: Located<Bool>? { box.details.index }
    /// `unique: true`
    public var unique: Located<Bool>? { box.details.unique }
    /// `ignoringCase: true`
    public var ignoringCase: Located<Bool>? { box.details.ignoringCase }
    /// `minimum`: the smallest value, a literal of the field's type.
    public var minimum: Located<Literal>? { box.details.minimum }
    /// `maximum`: the largest value, a literal of the field's type.
    public var maximum: Located<Literal>? { box.details.maximum }
    /// `minLength`, in Unicode scalars for strings, elements for lists and bytes for data.
    public var minLength: Located<Int>? { box.details.minLength }
    /// `maxLength`, in the same units as `minLength`.
    public var maxLength: Located<Int>? { box.details.maxLength }
    /// `pattern`
    public var pattern: Located<String>? { box.details.pattern }
    /// The number of characters between the start of the pattern's range and its text, if the text
    /// occurs verbatim in the file, so that positions inside the pattern can be computed; nil
    /// otherwise.
    public var patternOffset: Int? { box.details.patternOffset }
    /// `onDelete`
    public var onDelete: Located<DeleteRule>? { box.details.onDelete }
    /// `onCreate: now`
    public var onCreateNow: SourceRange? { box.details.onCreateNow }
    /// `onUpdate: now`
    public var onUpdateNow: SourceRange? { box.details.onUpdateNow }
    /// `version: true`
    public var version: Located<Bool>? { box.details.version }
    /// `external: true`. The type is then ``BaseType/externalData`` instead of ``BaseType/data``.
    public var external: Located<Bool>? { box.details.external }
    /// `computed: true`
    public var computed: Located<Bool>? { box.details.computed }
    /// `readAs: text`
    public var readAsText: SourceRange? { box.details.readAsText }
    /// Whether the field belongs to an entity that is only read.
    public var isOfReadOnlyEntity: Bool { box.details.isOfReadOnlyEntity }
    /// Whether the field is the row number of a table: `id: rowid`.
    public var isRowNumber: Bool { box.details.isRowNumber }
    /// `encrypted: true`
    public var encrypted: Located<Bool>? { box.details.encrypted }
    /// `sensitive: true`, which `encrypted: true` implies.
    public var sensitive: Located<Bool>? { box.details.sensitive }
    /// `from`: what the values are taken from in the files of other databases.
    public var from: [SourceKind: Located<String>] { box.details.from }
    /// `renamedFrom`
    public var renamedFrom: [Located<String>] { box.details.renamedFrom }
    /// `fill`
    public var fill: FillDecision? { box.details.fill }
    /// `convert`
    public var convert: ConvertDecision? { box.details.convert }
    /// `deprecated`: the message; empty if the value is `true`.
    public var deprecated: Located<String>? { box.details.deprecated }
}

extension FieldDeclaration {
    /// Whether the data of the field is stored apart from the record.
    public var isExternal: Bool { type.value.unwrapped == .base(.externalData) }

    /// Whether stores read the field and never write it: `computed: true` or `readAs: text`.
    public var isOnlyRead: Bool { computed?.value == true || readAsText != nil }

    /// The delete rule of a reference. Where `onDelete` is left out, it is `restrict`, and `none`
    /// in an entity that is only read, which nothing can keep from being deleted.
    public var deleteRule: DeleteRule {
        onDelete?.value ?? (isOfReadOnlyEntity ? .none : .restrict)
    }

    /// Whether SQL stores encrypt the value of the field.
    public var isEncrypted: Bool { encrypted?.value == true }

    /// The representation in SQLite that `storedAs` requests.
    public var sqliteForm: Located<String>? {
        storedAs.first { $0.key.value == "sqlite" }?.value
    }

    /// The column type in PostgreSQL that `storedAs` declares for an unmanaged table.
    public var postgreSQLForm: Located<String>? {
        storedAs.first { $0.key.value == "postgresql" }?.value
    }
}
