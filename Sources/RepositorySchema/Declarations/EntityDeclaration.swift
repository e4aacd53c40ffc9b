/// An entity: a stored type with an identity.
///
/// The contents are stored in a class instance that copies share, because entities are passed and
/// copied often. A copy is one pointer, and code that passes entities stays small.
public struct EntityDeclaration: Sendable, Hashable {
    private var box: Box

    /// Creates an entity without fields.
    public init(header: DeclarationHeader, identity: IdentityDeclaration) {
        box = Box(Contents(header: header, identity: identity))
    }

    /// The properties of the declaration.
    private struct Contents: Sendable, Hashable {
        var header: DeclarationHeader
        var table: Located<String>?
        var identity: IdentityDeclaration
        var include: [Located<String>] = []
        var fields: [FieldDeclaration] = []
        var indexes: [IndexDeclaration] = []
        var relations: [RelationDeclaration] = []
        var checks: [CheckDeclaration] = []
        var queries: [QueryDeclaration] = []
        var search: [Located<String>] = []
        var softDelete: Located<String>?
        var distribute: Located<Distribution>?
        var renamedFrom: [Located<String>] = []
        var conformances: [Located<String>] = []
        var manage: Located<Bool>?
        var readOnly: Located<Bool>?
        var removed: [Located<String>] = []
        var reuse: [Located<String>] = []
        var migrate: MigrateDecision?
        var from: [SourceKind: Located<String>] = [:]
        var sourceNamespace: Located<String>?
    }

    /// The shared, immutable storage of the properties.
    private final class Box: Sendable, Hashable {
        let contents: Contents

        init(_ contents: Contents) { self.contents = contents }

        static func == (left: Box, right: Box) -> Bool {
            left === right || left.contents == right.contents
        }

        func hash(into hasher: inout Hasher) { hasher.combine(contents) }
    }

    /// Replaces the storage by a modified copy.
    private mutating func change(_ change: (inout Contents) -> Void) {
        var contents = box.contents
        change(&contents)
        box = Box(contents)
    }
}

extension EntityDeclaration {
    /// The properties common to all kinds of declarations.
    public var header: DeclarationHeader {
        get { box.contents.header }
        set { change { $0.header = newValue } }
    }
    /// `table`; nil if the name is derived from the entity's name.
    public var table: Located<String>? {
        get { box.contents.table }
        set { change { $0.table = newValue } }
    }
    /// `id`
    public var identity: IdentityDeclaration {
        get { box.contents.identity }
        set { change { $0.identity = newValue } }
    }
    /// `include`: names of mixins.
    public var include: [Located<String>] {
        get { box.contents.include }
        set { change { $0.include = newValue } }
    }
    /// `fields`, in source order.
    public var fields: [FieldDeclaration] {
        get { box.contents.fields }
        set { change { $0.fields = newValue } }
    }
    /// `indexes`
    public var indexes: [IndexDeclaration] {
        get { box.contents.indexes }
        set { change { $0.indexes = newValue } }
    }
    /// `relations`, in source order.
    public var relations: [RelationDeclaration] {
        get { box.contents.relations }
        set { change { $0.relations = newValue } }
    }
    /// `checks`
    public var checks: [CheckDeclaration] {
        get { box.contents.checks }
        set { change { $0.checks = newValue } }
    }
    /// `queries`
    public var queries: [QueryDeclaration] {
        get { box.contents.queries }
        set { change { $0.queries = newValue } }
    }
    /// `search`: the fields that full-text searches read, the most significant first.
    public var search: [Located<String>] {
        get { box.contents.search }
        set { change { $0.search = newValue } }
    }
    /// `softDelete`: the field that holds the time of a record's deletion; nil if deleted records
    /// are removed.
    public var softDelete: Located<String>? {
        get { box.contents.softDelete }
        set { change { $0.softDelete = newValue } }
    }
    /// `distribute`: which machines of a distributed database have which records; nil if one
    /// machine has all of them.
    public var distribute: Located<Distribution>? {
        get { box.contents.distribute }
        set { change { $0.distribute = newValue } }
    }
    /// `renamedFrom`: earlier names of the entity.
    public var renamedFrom: [Located<String>] {
        get { box.contents.renamedFrom }
        set { change { $0.renamedFrom = newValue } }
    }
    /// `conformances`: additional protocols of the generated type.
    public var conformances: [Located<String>] {
        get { box.contents.conformances }
        set { change { $0.conformances = newValue } }
    }
    /// `manage`
    public var manage: Located<Bool>? {
        get { box.contents.manage }
        set { change { $0.manage = newValue } }
    }
    /// `readOnly: true`, also by `id: rowid`
    public var readOnly: Located<Bool>? {
        get { box.contents.readOnly }
        set { change { $0.readOnly = newValue } }
    }
    /// Whether the entity is only read: its repository has no methods that write, and stores never
    /// create or change its table.
    public var isReadOnly: Bool { readOnly?.value == true }
    /// `removed`: fields that are no longer declared, and whose stored values are dropped.
    public var removed: [Located<String>] {
        get { box.contents.removed }
        set { change { $0.removed = newValue } }
    }
    /// `reuse`: names of removed fields that are declared again, for other data.
    public var reuse: [Located<String>] {
        get { box.contents.reuse }
        set { change { $0.reuse = newValue } }
    }
    /// `from`: what the records are taken from in the files of other databases.
    public var from: [SourceKind: Located<String>] {
        get { box.contents.from }
        set { change { $0.from = newValue } }
    }
    /// `namespace` of `from`: the UUID that makes UUIDs of the keys of another database.
    public var sourceNamespace: Located<String>? {
        get { box.contents.sourceNamespace }
        set { change { $0.sourceNamespace = newValue } }
    }
    /// `migrate: code`
    public var migrate: MigrateDecision? {
        get { box.contents.migrate }
        set { change { $0.migrate = newValue } }
    }
}
