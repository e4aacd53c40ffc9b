internal import RepositorySchema

/// The inputs of a cached result about a schema file: the revision of the file, and the
/// declarations that were looked up by name, missing ones included.
///
/// ``RenderCache`` and ``CheckCache`` store one stamp per file.
struct FileStamp: Sendable {
    private let revision: Int
    private let stamps: [String: DeclarationStamp?]

    /// Creates the stamp of a file in its current state, or returns nil if the file has no
    /// revision. Without a revision, later changes to its text cannot be detected.
    ///
    /// - Parameter names: The names that were looked up.
    init?(of file: String, dependingOn names: Set<String>, in scope: SchemaScope) {
        guard let revision = scope.set.revisions[file] else { return nil }
        self.revision = revision
        let stamps = names.map { ($0, DeclarationStamp(of: $0, in: scope)) }
        self.stamps = Dictionary(stamps, uniquingKeysWith: { first, _ in first })
    }

    /// Returns whether the file and all recorded declarations are unchanged.
    func stands(for file: String, in scope: SchemaScope) -> Bool {
        revision == scope.set.revisions[file]
            && stamps.allSatisfy { $1 == DeclarationStamp(of: $0, in: scope) }
    }
}
