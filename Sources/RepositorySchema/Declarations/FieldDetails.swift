/// What may be said of a field besides its name and type; most fields say none of it.
public struct FieldDetails: Sendable, Hashable {
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

    /// Says nothing.
    public init() {}
}
