public import RepositoryRuntime

/// Code of an app: it names repositories, never a database.
public struct NoteReader {
    let notebook: NoteStore

    /// Makes a reader over any store.
    public init(_ store: any EntityStore) {
        notebook = NoteStore(store)
    }

    /// The texts of the notes of a priority.
    public func texts(_ priority: Priority) async throws -> [String] {
        try await notebook.notes.findAll(priority: priority).map(\.text)
    }
}
