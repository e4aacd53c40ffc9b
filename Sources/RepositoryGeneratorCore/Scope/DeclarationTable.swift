internal import RepositorySchema
internal import Synchronization

/// The declarations of a set by name, which can note for whom it is asked.
struct DeclarationTable: Sendable {
    private let declarations: [String: Declaration]
    private var notes: LookupNotes?

    init(_ declarations: [String: Declaration]) {
        self.declarations = declarations
    }

    /// The declaration of a name.
    subscript(name: String) -> Declaration? {
        notes?.add(name)
        return declarations[name]
    }

    /// The same table, with notes of the names that it is asked for.
    func noting(in notes: LookupNotes) -> DeclarationTable {
        var table = self
        table.notes = notes
        return table
    }
}

/// The names that somebody asked for, whether they are declared or not.
final class LookupNotes: Sendable {
    private let noted = Mutex<Set<String>>([])

    /// The names so far.
    var names: Set<String> { noted.withLock { $0 } }

    func add(_ name: String) { noted.withLock { _ = $0.insert(name) } }
}

/// Which declaration stands behind a name: of which reading of its file, and with which readings of
/// what it includes. Of a value or a union also whether what it holds is sensitive, which other
/// files say.
struct DeclarationStamp: Sendable, Hashable {
    private let revision: Int
    private let included: [Int?]
    private let isSensitive: Bool

    /// The stamp of a name; nil where nothing is declared.
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
