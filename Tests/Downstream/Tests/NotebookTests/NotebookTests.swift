import Foundation
import Notebook
import RepositoryRuntime
import RepositorySQLite
import Testing

/// What a user does with the generated sources, on every store.
@Suite struct NotebookTests {
    static func stores() throws -> [any EntityStore] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "notebook-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return [
            InMemoryStore(),
            UserDefaultsStore(suiteName: "notebook-\(UUID())"),
            FileSystemStore(directory: folder.appending(path: "files")),
            FileSystemStore(
                directory: folder.appending(path: "cbor"), transformer: CBORDataTransformer()),
            SQLiteStore(path: folder.appending(path: "notes.sqlite").path),
        ]
    }

    @Test func everyStoreTellsTheSameStory() async throws {
        for store in try Self.stores() {
            let notebook = NoteStore(store, now: { Date(timeIntervalSince1970: 1_800_000_000) })
            let folder = try await notebook.folders.create(Folder(name: "Home"))
            var note = try await notebook.notes.create(
                Note(text: "Buy milk", tags: ["shop"], priority: .high, notebookID: folder.id))
            #expect(note.revision == 1)
            note.text = "Buy oat milk"
            let stored = try await notebook.notes.update(note)
            #expect(stored.revision == 2)
            #expect(stored.changedAt == Date(timeIntervalSince1970: 1_800_000_000))
            #expect(try await NoteReader(store).texts(.high) == ["Buy oat milk"])

            await #expect(throws: CRUDRepositoryError.self) {
                try await notebook.notes.update(note)
            }
            try await notebook.folders.delete(folder.id)
            #expect(try await notebook.notes.read(note.id).notebookID == nil)
            try await notebook.reset()
        }
    }

    @Test func anEmptyTextIsRefusedByName() async throws {
        let notebook = NoteStore(InMemoryStore())
        do {
            try await notebook.notes.create(Note(text: ""))
            Issue.record("An empty text was stored.")
        } catch let error as CRUDRepositoryError {
            #expect(error.code == .invalidItem)
            #expect(error.field == "text")
        }
    }
}
