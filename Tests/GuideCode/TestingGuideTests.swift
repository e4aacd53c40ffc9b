import Foundation
import Generated
import RepositoryRuntime
import RepositorySQLite
import Testing

// The code of the article 'Testing your app', which shows parts of this file.

@Test func lendsABook() async throws {
    let library = Library(InMemoryStore())
    let author = try await library.authors.create(Author(name: "Jane Austen"))
    let book = try await library.books.create(
        Book(isbn: "9780141439587", title: "Emma", pages: 474, authorID: author.id))
    try await library.books.update(book.id) { $0.status = .onLoan }
    #expect(try await library.books.count(where: { $0.status == .onLoan }) == 1)
}

@Test(arguments: ["memory", "files", "sqlite"])
func countsBooks(on name: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store: any EntityStore =
        switch name {
        case "files": FileSystemStore(directory: folder, transformer: JSONDataTransformer())
        case "sqlite": SQLiteStore(path: folder.appending(path: "library.sqlite").path)
        default: InMemoryStore()
        }
    let library = Library(store)
    #expect(try await library.books.count() == 0)
    try await library.close()
    try FileManager.default.removeItem(at: folder)
}

@Test func stampsUpdates() async throws {
    let noon = Date(timeIntervalSince1970: 1_800_000_000)
    let firstID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    let library = Library(InMemoryStore(), now: { noon }, uuid: { firstID })
    let author = library.withDefaults { Author(name: "Jane Austen") }
    #expect(author.id.rawValue == firstID)
    try await library.authors.create(author)
    let book = try await library.books.create(
        Book(isbn: "9780141439587", title: "Emma", pages: 474, authorID: author.id))
    let updated = try await library.books.update(book.id) { $0.pages += 1 }
    #expect(updated.updatedAt == noon)
    #expect(updated.revision == 2)
}

@Test func refusesABookWithoutAnAuthor() async throws {
    let library = Library(InMemoryStore())
    let book = Book(isbn: "9780141439587", title: "Emma", pages: 474, authorID: Author.ID(UUID()))
    let error = await #expect(throws: CRUDRepositoryError.self) {
        try await library.books.create(book)
    }
    #expect(error?.code == .constraintViolated)
    #expect(error?.field == "authorID")
}

/// A store whose writes fail.
struct FullDisk: EntityStoreInterceptor {
    let store: any EntityStore

    nonisolated(nonsending) func intercept<R>(
        _ operation: @autoclosure () -> StoreOperation, volume: (R) -> StoreVolume,
        _ body: nonisolated(nonsending) () async throws -> R
    ) async throws -> R {
        guard [.create, .update, .save].contains(operation().kind) else { return try await body() }
        throw CRUDRepositoryError(.databaseError, "The disk is full.")
    }
}

@Test func reportsAFullDisk() async throws {
    let library = Library(FullDisk(store: InMemoryStore()))
    let error = await #expect(throws: CRUDRepositoryError.self) {
        try await library.authors.create(Author(name: "Jane Austen"))
    }
    #expect(error?.code == .databaseError)
}
