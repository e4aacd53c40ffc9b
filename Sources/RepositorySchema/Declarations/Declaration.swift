/// The properties common to all kinds of declarations.
public struct DeclarationHeader: Sendable, Hashable {
    /// The type's name.
    public var name: Located<String>
    /// `doc`
    public var doc: String?
    /// `deprecated`: the message; empty if the value is `true`.
    public var deprecated: Located<String>?
    /// The path of the schema file, relative to the schema folder, with `/` and its extension:
    /// `people/Author.yaml`.
    public var sourceFile: String
    /// Whether the whole declaration was understood. If not, parts are missing here, and
    /// diagnostics have been reported.
    public var isComplete = true

    /// Creates a header.
    public init(name: Located<String>, sourceFile: String) {
        self.name = name
        self.sourceFile = sourceFile
    }
}

/// How an entity is identified.
public enum IdentityDeclaration: Sendable, Hashable {
    /// One id field. The default is `{ name: id, type: UUID, default: generated }`.
    case single(FieldDeclaration)
    /// The names of declared fields, in order.
    case composite([Located<String>])
}

/// One field of an index or a sort order: `-updatedAt` is descending.
public struct SortKey: Sendable, Hashable {
    /// The field's declared name; in an index and in the order of a query also the path of a field
    /// inside a value, `shelf.room`. In the order of a query also a path such as `author.name`, or
    /// `count(loans)`.
    public var field: Located<String>
    /// Whether larger values come first.
    public var descending: Bool

    /// Creates a sort key.
    public init(field: Located<String>, descending: Bool) {
        self.field = field
        self.descending = descending
    }

    /// Whether the key is more than the name of a field.
    public var isPath: Bool { field.value.contains { $0 == "." || $0 == "(" } }

    /// The names of a path, or of what is counted.
    public var names: [String] { Self.names(of: field.value) }

    /// Whether the key counts the records of a relation.
    public var isCount: Bool { Self.isCount(field.value) }

    /// The number of characters before the first of the names.
    public var nameOffset: Int { isCount ? Self.count.count : 0 }

    private static let count = "count("

    private static func isCount(_ text: String) -> Bool {
        text.hasPrefix(count) && text.hasSuffix(")")
    }

    /// Returns the names of a path, or of what is counted.
    ///
    /// - Parameter text: a key without a leading `-`.
    public static func names(of text: String) -> [String] {
        let path = isCount(text) ? text.dropFirst(count.count).dropLast() : text[...]
        return path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// The entity's own field, with which the path begins.
    public var outerField: Located<String> {
        guard isInsideValue else { return field }
        return Located(String(field.value.prefix { $0 != "." }), at: field.range)
    }

    /// The names inside the value, outermost first; empty for a field of the entity itself.
    public var innerNames: [String] {
        field.value.split(separator: ".").dropFirst().map(String.init)
    }

    /// Whether the field lies inside a value.
    public var isInsideValue: Bool { field.value.utf8.contains(UInt8(ascii: ".")) }
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
    /// The position at which the entity includes the mixin that declares the index; nil if the
    /// entity itself declares it.
    public var origin: Located<String>?

    /// Creates an index over `keys`.
    public init(keys: [SortKey], range: SourceRange) {
        self.keys = keys
        self.range = range
    }
}

/// An embedded value: fields without an identity.
public struct ValueDeclaration: Sendable, Hashable {
    /// The properties common to all kinds of declarations.
    public var header: DeclarationHeader
    /// `fields`, in source order.
    public var fields: [FieldDeclaration] = []
    /// `renamedFrom`: earlier names of the value.
    public var renamedFrom: [Located<String>] = []
    /// `removed`: fields that are no longer declared, and whose stored values are dropped.
    public var removed: [Located<String>] = []
    /// `reuse`: names of removed fields that are declared again, for other data.
    public var reuse: [Located<String>] = []

    /// Creates a value without fields.
    public init(header: DeclarationHeader) {
        self.header = header
    }
}

/// Fields, indexes and checks that entities include as if they declared them.
public struct MixinDeclaration: Sendable, Hashable {
    /// The properties common to all kinds of declarations.
    public var header: DeclarationHeader
    /// `fields`, in source order.
    public var fields: [FieldDeclaration] = []
    /// `indexes`
    public var indexes: [IndexDeclaration] = []
    /// `checks`
    public var checks: [CheckDeclaration] = []

    /// Creates a mixin without fields.
    public init(header: DeclarationHeader) {
        self.header = header
    }
}

/// A case of an enum.
public struct EnumCaseDeclaration: Sendable, Hashable {
    /// The case's name in Swift.
    public var name: Located<String>
    /// The raw value; nil if it is the name (String enums only).
    public var rawValue: Located<String>?
    /// `doc`
    public var doc: String?
    /// `renamedFrom`: earlier names of the case.
    public var renamedFrom: [Located<String>] = []
    /// `from`: the raw values in the files of other databases.
    public var from: [SourceKind: Located<String>] = [:]

    /// Creates a case.
    public init(name: Located<String>, rawValue: Located<String>? = nil, doc: String? = nil) {
        self.name = name
        self.rawValue = rawValue
        self.doc = doc
    }
}

/// An enum over strings or integers.
public struct EnumDeclaration: Sendable, Hashable {
    /// The properties common to all kinds of declarations.
    public var header: DeclarationHeader
    /// `.string` or `.int`.
    public var rawType: Located<BaseType>
    /// `cases`, in source order.
    public var cases: [EnumCaseDeclaration] = []
    /// `unknown`: the name of the case that stands for unknown raw values.
    public var unknownCase: Located<String>?
    /// `renamedFrom`: earlier names of the enum.
    public var renamedFrom: [Located<String>] = []
    /// `removed`: cases that are no longer declared, with those that replace them in stored
    /// records.
    public var removed: [RemovedCase] = []

    /// Creates an enum without cases.
    public init(header: DeclarationHeader, rawType: Located<BaseType>) {
        self.header = header
        self.rawType = rawType
    }
}

/// A case of a union with its fields.
public struct UnionCaseDeclaration: Sendable, Hashable {
    /// The case's name, which is also its key in stored data.
    public var name: Located<String>
    /// The fields, in source order.
    public var fields: [FieldDeclaration]

    /// Creates a case.
    public init(name: Located<String>, fields: [FieldDeclaration]) {
        self.name = name
        self.fields = fields
    }
}

/// A union: an enum with associated values, stored as one tagged object.
public struct UnionDeclaration: Sendable, Hashable {
    /// The properties common to all kinds of declarations.
    public var header: DeclarationHeader
    /// `cases`, in source order.
    public var cases: [UnionCaseDeclaration] = []
    /// `renamedFrom`: earlier names of the union.
    public var renamedFrom: [Located<String>] = []
    /// `removed`: cases, and fields of cases such as `circle.radius`, that are no longer declared.
    public var removed: [Located<String>] = []
    /// `reuse`: removed names that are declared again, for other data.
    public var reuse: [Located<String>] = []

    /// Creates a union without cases.
    public init(header: DeclarationHeader) {
        self.header = header
    }
}

/// A user-defined Swift type, stored as a base type.
public struct ScalarDeclaration: Sendable, Hashable {
    /// The properties common to all kinds of declarations.
    public var header: DeclarationHeader
    /// `stored`: the base type that it is stored as.
    public var stored: Located<BaseType>
    /// `import`: the module that declares it.
    public var module: Located<String>?

    /// Creates a scalar without a module.
    public init(header: DeclarationHeader, stored: Located<BaseType>) {
        self.header = header
        self.stored = stored
    }
}

/// A declaration in a schema file. It is indirect because declarations are large; passing one
/// copies only a reference.
public indirect enum Declaration: Sendable, Hashable {
    /// A stored type with an identity.
    case entity(EntityDeclaration)
    /// An embedded value.
    case value(ValueDeclaration)
    /// A union of cases with fields.
    case union(UnionDeclaration)
    /// An enum.
    case enumeration(EnumDeclaration)
    /// A user-defined Swift type.
    case scalar(ScalarDeclaration)
    /// Fields, indexes and checks that entities can include.
    case mixin(MixinDeclaration)

    /// The properties common to all kinds of declarations.
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
