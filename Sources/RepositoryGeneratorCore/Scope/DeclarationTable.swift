internal import RepositorySchema
internal import Synchronization

/// The declarations of a set by name. Can record the names that are looked up, for incremental
/// rendering.
///
/// The table without notes is immutable. A copy with notes shares the declarations.
struct DeclarationTable: Sendable {
    private let declarations: [String: Declaration]
    private var notes: LookupNotes?

    init(_ declarations: [String: Declaration]) {
        self.declarations = declarations
    }

    /// Returns the declaration of a name, and records the lookup if notes are attached.
    subscript(name: String) -> Declaration? {
        notes?.add(name)
        return declarations[name]
    }

    /// Returns the same table with every lookup recorded in `notes`.
    func noting(in notes: LookupNotes) -> DeclarationTable {
        var table = self
        table.notes = notes
        return table
    }
}

/// The names that were looked up in a table, whether they are declared or not.
///
/// Safe to share between threads: a mutex protects the set.
final class LookupNotes: Sendable {
    private let noted = Mutex<Set<String>>([])

    /// The names recorded so far.
    var names: Set<String> { noted.withLock { $0 } }

    /// Records a lookup.
    func add(_ name: String) { noted.withLock { _ = $0.insert(name) } }
}

/// The identity of the declaration that a name resolves to: the revision of its file and the
/// revisions of the mixins that it includes.
///
/// For a value or a union the stamp also contains whether it holds sensitive fields, because that
/// depends on declarations in other files.
///
/// Two stamps are equal if the declaration and everything that it includes are unchanged.
struct DeclarationStamp: Sendable, Hashable {
    private let revision: Int
    private let included: [Int?]
    private let isSensitive: Bool

    /// Creates the stamp of a name, or returns nil if the name is not declared or its file has no
    /// revision.
    init?(of name: String, in scope: SchemaScope) {
        guard let declaration = scope.declarations[name],
            let revision = scope.set.revisions[declaration.header.sourceFile]
        else { return nil }
        self.revision = revision
        isSensitive = scope.sensitiveTypes.names.contains(name)
        guard case .entity(let entity) = declaration, !entity.include.isEmpty else {
            included = []
            return
        }
        included = entity.include.map { mixin in
            scope.declarations[mixin.value].flatMap { scope.set.revisions[$0.header.sourceFile] }
        }
    }
}
