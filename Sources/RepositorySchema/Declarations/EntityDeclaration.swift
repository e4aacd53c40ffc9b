/// An entity: a stored type with an identity.
///
/// Entities are handed on and copied everywhere. What is declared of one is kept behind a reference, so that a copy is a
/// word, and what handles one compiles to little code.
public struct EntityDeclaration: Sendable, Hashable {
    private var box: Box

    /// Makes an entity without fields.
    public init(header: DeclarationHeader, identity: IdentityDeclaration) {
        box = Box(Contents(header: header, identity: identity))
    }

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
        var renamedFrom: [Located<String>] = []
        var conformances: [Located<String>] = []
        var manage: Located<Bool>?
    }

    private final class Box: Sendable, Hashable {
        let contents: Contents

        init(_ contents: Contents) { self.contents = contents }

        static func == (left: Box, right: Box) -> Bool {
            left === right || left.contents == right.contents
        }

        func hash(into hasher: inout Hasher) { hasher.combine(contents) }
    }

    private mutating func change(_ change: (inout Contents) -> Void) {
        var contents = box.contents
        change(&contents)
        box = Box(contents)
    }
}

extension EntityDeclaration {
    /// What all kinds share.
    public var header: DeclarationHeader {
        get { box.contents.header }
        set { change { $0.header = newValue } }
    }
    /// `table`; when nil the name is derived.
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
    /// `fields`, in the order written.
    public var fields: [FieldDeclaration] {
        get { box.contents.fields }
        set { change { $0.fields = newValue } }
    }
    /// `indexes`
    public var indexes: [IndexDeclaration] {
        get { box.contents.indexes }
        set { change { $0.indexes = newValue } }
    }
    /// `relations`, in the order written.
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
    /// `renamedFrom`: earlier names of the entity.
    public var renamedFrom: [Located<String>] {
        get { box.contents.renamedFrom }
        set { change { $0.renamedFrom = newValue } }
    }
    /// `conformances`: protocols that the generated type declares besides its own.
    public var conformances: [Located<String>] {
        get { box.contents.conformances }
        set { change { $0.conformances = newValue } }
    }
    /// `manage`
    public var manage: Located<Bool>? {
        get { box.contents.manage }
        set { change { $0.manage = newValue } }
    }
}
