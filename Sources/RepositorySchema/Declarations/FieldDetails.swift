/// The optional properties of a field declaration. Most fields have none of them.
public struct FieldDetails: Sendable, Hashable {
    /// `doc`
    public var doc: String?
    /// `default`
    public var defaultValue: Located<DefaultValue>?
    /// `column`
    public var column: Located<String>?
    /// `storedAs`: the column representation by store name.
    public var storedAs: [Located<String>: Located<String>] = [:]
    /// `scale`
    public var scale: Located<Int>?
    /// `index: true`
    public var index: Located<Bool>?
    /// `unique: true`
    public var unique: Located<Bool>?
    /// `ignoringCase: true`
    public var ignoringCase: Located<Bool>?
    /// `minimum`: the smallest value, a literal of the field's type.
    public var minimum: Located<Literal>?
    /// `maximum`: the largest value, a literal of the field's type.
    public var maximum: Located<Literal>?
    /// `minLength`, in Unicode scalars for strings, elements for lists and bytes for data.
    public var minLength: Located<Int>?
    /// `maxLength`, in the same units as `minLength`.
    public var maxLength: Located<Int>?
    /// `pattern`
    public var pattern: Located<String>?
    /// The number of characters between the start of the pattern's range and its text, if the text
    /// occurs verbatim in the file, so that positions inside the pattern can be computed; nil
    /// otherwise.
    public var patternOffset: Int?
    /// `onDelete`
    public var onDelete: Located<DeleteRule>?
    /// `onCreate: now`
    public var onCreateNow: SourceRange?
    /// `onUpdate: now`
    public var onUpdateNow: SourceRange?
    /// `version: true`
    public var version: Located<Bool>?
    /// `external: true`
    public var external: Located<Bool>?
    /// `computed: true`
    public var computed: Located<Bool>?
    /// `readAs: text`
    public var readAsText: SourceRange?
    /// Whether the field belongs to an entity that is only read.
    public var isOfReadOnlyEntity = false
    /// Whether the field is the row number of a table: `id: rowid`.
    public var isRowNumber = false
    /// `encrypted: true`
    public var encrypted: Located<Bool>?
    /// `sensitive: true`
    public var sensitive: Located<Bool>?
    /// `from`: what the values are taken from in the files of other databases.
    public var from: [SourceKind: Located<String>] = [:]
    /// `renamedFrom`
    public var renamedFrom: [Located<String>] = []
    /// `fill`
    public var fill: FillDecision?
    /// `convert`
    public var convert: ConvertDecision?
    /// `deprecated`: the message; empty if the value is `true`.
    public var deprecated: Located<String>?

    /// Creates details without any property set.
    public init() {}
}
