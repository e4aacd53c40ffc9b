/// What all kinds of declaration share.
public struct DeclarationHeader: Sendable, Hashable {
    /// The type's name.
    public var name: Located<String>
    /// `doc`
    public var doc: String?
    /// `deprecated`: the message, empty when it was just `true`.
    public var deprecated: Located<String>?
    /// The schema file's path relative to the schema folder, with `/` and its extension: `people/Author.yaml`.
    public var sourceFile: String
    /// Whether everything written in the declaration was understood; otherwise parts are missing
    /// here, and have been reported.
    public var isComplete = true

    /// Makes a header.
    public init(name: Located<String>, sourceFile: String) {
        self.name = name
        self.sourceFile = sourceFile
    }
}

/// How an entity is identified.
public enum IdentityDeclaration: Sendable, Hashable {
    /// One field of its own; `{ name: id, type: UUID, default: generated }` when left out.
    case single(FieldDeclaration)
    /// The names of declared fields, in order.
    case composite([Located<String>])
}

/// One field of an index or a sort order: `-updatedAt` is descending.
public struct SortKey: Sendable, Hashable {
    /// The field's declared name.
    public var field: Located<String>
    /// Whether larger values come first.
    public var descending: Bool

    /// Makes a sort key.
    public init(field: Located<String>, descending: Bool) {
        self.field = field
        self.descending = descending
    }
}

/// An entry of `indexes`.
public struct IndexDeclaration: Sendable, Hashable {
    /// The fields in order.
    public var keys: [SortKey]
    /// `name`
    public var name: Located<String>?
    /// `unique`
    public var unique: Bool = false
    /// `where`: which records the index covers.
    public var condition: ConditionText?
    /// The whole entry.
    public var range: SourceRange
    /// The mixin that an entity has the index from, at the place that includes it; nil for one of its own.
    public var origin: Located<String>?

    /// Makes an index over `keys`.
    public init(keys: [SortKey], range: SourceRange) {
        self.keys = keys
        self.range = range
    }
}

/// An embedded value: fields without an identity.
public struct ValueDeclaration: Sendable, Hashable {
    /// What all kinds share.
    public var header: DeclarationHeader
    /// `fields`, in the order written.
    public var fields: [FieldDeclaration] = []

    /// Makes a value without fields.
    public init(header: DeclarationHeader) {
        self.header = header
    }
}

/// Fields, indexes and checks that entities include as if they were written there.
public struct MixinDeclaration: Sendable, Hashable {
    /// What all kinds share.
    public var header: DeclarationHeader
    /// `fields`, in the order written.
    public var fields: [FieldDeclaration] = []
    /// `indexes`
    public var indexes: [IndexDeclaration] = []
    /// `checks`
    public var checks: [CheckDeclaration] = []

    /// Makes a mixin without fields.
    public init(header: DeclarationHeader) {
        self.header = header
    }
}

/// A case of an enum.
public struct EnumCaseDeclaration: Sendable, Hashable {
    /// The case's name in Swift.
    public var name: Located<String>
    /// The raw value as text; nil where it is the name (String enums only).
    public var rawValue: Located<String>?
    /// `doc`
    public var doc: String?

    /// Makes a case.
    public init(name: Located<String>, rawValue: Located<String>? = nil, doc: String? = nil) {
        self.name = name
        self.rawValue = rawValue
        self.doc = doc
    }
}

/// An enum over strings or integers.
public struct EnumDeclaration: Sendable, Hashable {
    /// What all kinds share.
    public var header: DeclarationHeader
    /// `.string` or `.int`.
    public var rawType: Located<BaseType>
    /// `cases`, in the order written.
    public var cases: [EnumCaseDeclaration] = []
    /// `unknown`: the name of the case that holds unknown raw values.
    public var unknownCase: Located<String>?

    /// Makes an enum without cases.
    public init(header: DeclarationHeader, rawType: Located<BaseType>) {
        self.header = header
        self.rawType = rawType
    }
}

/// A case of a union with its fields.
public struct UnionCaseDeclaration: Sendable, Hashable {
    /// The case's name, which is its key where it is stored.
    public var name: Located<String>
    /// The fields, in the order written.
    public var fields: [FieldDeclaration]

    /// Makes a case.
    public init(name: Located<String>, fields: [FieldDeclaration]) {
        self.name = name
        self.fields = fields
    }
}

/// One of several: an enum with associated values, stored as one tagged object.
public struct UnionDeclaration: Sendable, Hashable {
    /// What all kinds share.
    public var header: DeclarationHeader
    /// `cases`, in the order written.
    public var cases: [UnionCaseDeclaration] = []

    /// Makes a union without cases.
    public init(header: DeclarationHeader) {
        self.header = header
    }
}

/// A Swift type of the user's own, stored as a base type.
public struct ScalarDeclaration: Sendable, Hashable {
    /// What all kinds share.
    public var header: DeclarationHeader
    /// `stored`: the base type that it is stored as.
    public var stored: Located<BaseType>
    /// `import`: the module that declares it.
    public var module: Located<String>?

    /// Makes a scalar without a module.
    public init(header: DeclarationHeader, stored: Located<BaseType>) {
        self.header = header
        self.stored = stored
    }
}

/// Any declaration of a schema file. Declarations are large: indirectly, they are not copied where they are handed on.
public indirect enum Declaration: Sendable, Hashable {
    /// A stored type with an identity.
    case entity(EntityDeclaration)
    /// An embedded value.
    case value(ValueDeclaration)
    /// One of several.
    case union(UnionDeclaration)
    /// An enum.
    case enumeration(EnumDeclaration)
    /// A Swift type of the user's own.
    case scalar(ScalarDeclaration)
    /// Fields, indexes and checks for entities to include.
    case mixin(MixinDeclaration)

    /// What all kinds share.
    public var header: DeclarationHeader {
        switch self {
        case .entity(let entity): entity.header
        case .value(let value): value.header
        case .union(let union): union.header
        case .enumeration(let enumeration): enumeration.header
        case .scalar(let scalar): scalar.header
        case .mixin(let mixin): mixin.header
        }
    }
}
