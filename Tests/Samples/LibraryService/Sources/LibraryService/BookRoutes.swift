import Hummingbird
import RepositoryRuntime

/// The routes that only books have.
struct BookRoutes: Sendable {
    let library: Library

    /// Adds the routes to a router.
    func add(to router: Router<BasicRequestContext>) {
        router.get("search", use: search)
        router.post("books/batch", use: createAll)
        router.get("authors/:id/books", use: books)
    }

    /// The books whose title has the words of a text, best first.
    @Sendable private func search(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> Response {
        let text = request.uri.queryParameters.get("text") ?? ""
        return try .json(await library.books.search(text, limit: 20))
    }

    /// Stores all books of the body, or none.
    @Sendable private func createAll(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> Response {
        let drafts = try await request.body(as: [RecordDraft<Book>].self)
        return try .json(await library.books.createAll(drafts), status: .created)
    }

    /// The books of an author.
    @Sendable private func books(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> Response {
        let id = try context.parameters.require("id", as: Author.ID.self)
        return try .json(await library.authors.books(of: library.authors.read(id)))
    }
}
