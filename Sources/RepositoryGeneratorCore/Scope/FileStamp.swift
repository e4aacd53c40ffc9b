internal import RepositorySchema

/// What something that was found out about a schema file stands on: the file's own text, and the declarations that were
/// asked for by name, those that are missing included.
struct FileStamp: Sendable {
    private let revision: Int
    private let stamps: [String: DeclarationStamp?]

    /// The stamp of a file as it is now; nil where nobody can say later whether the text is the same.
    ///
    /// - Parameter names: the names that were asked for.
    init?(of file: String, dependingOn names: Set<String>, in scope: SchemaScope) {
        guard let revision = scope.set.revisions[file] else { return nil }
        self.revision = revision
        let stamps = names.map { ($0, DeclarationStamp(of: $0, in: scope)) }
        self.stamps = Dictionary(stamps, uniquingKeysWith: { first, _ in first })
    }

    /// Whether each of them is what it was.
    func stands(for file: String, in scope: SchemaScope) -> Bool {
        revision == scope.set.revisions[file]
            && stamps.allSatisfy { $1 == DeclarationStamp(of: $0, in: scope) }
    }
}
