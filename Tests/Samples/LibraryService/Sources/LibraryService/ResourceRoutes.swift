import Foundation
import Hummingbird
import RepositoryRuntime

/// The routes of one entity: list, create, read, change, delete.
struct ResourceRoutes<Repository: EntityRepository>: Sendable where Repository.Model: Resource {
    typealias Model = Repository.Model

    private let library: Library
    private let path: String
    private let repository: @Sendable (Library) -> Repository
    private let query: @Sendable (Request) throws -> Query<Model>

    /// Makes the routes.
    ///
    /// - Parameters:
    ///   - library: the repositories.
    ///   - path: the first component of the paths.
    ///   - repository: returns the entity's repository of a set.
    ///   - query: returns the query that a request for a list describes, without its page.
    init(
        _ library: Library, at path: String,
        _ repository: @escaping @Sendable (Library) -> Repository,
        query: @escaping @Sendable (Request) throws -> Query<Model>
    ) {
        self.library = library
        self.path = path
        self.repository = repository
        self.query = query
    }

    /// Adds the routes to a router.
    func add(to router: Router<BasicRequestContext>) {
        router.group(RouterPath(path))
            .get(use: list).post(use: create)
            .get(":id", use: read).patch(":id", use: change).delete(":id", use: delete)
    }

    @Sendable private func list(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> Response {
        let limit = try request.value(of: "limit", as: Int.self) ?? 20
        guard (1...100).contains(limit) else {
            throw HTTPError(.badRequest, message: "The limit is a number from 1 to 100.")
        }
        let cursor = try request.value(of: "after", as: QueryCursor.self)
        let page = try await repository(library).page(query(request).limit(limit), after: cursor)
        return try .json(Page(items: page.items, next: page.next))
    }

    @Sendable private func create(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> Response {
        let draft = try await request.body(as: RecordDraft<Model>.self)
        let record = try await repository(library).create(draft)
        var response = try Response.json(record, status: .created, tag: record.revision)
        response.headers[.location] = "/\(path)/\(record.id)"
        return response
    }

    @Sendable private func read(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> Response {
        let record = try await repository(library).read(id(context))
        if request.headers[.ifNoneMatch] == EntityTag(record.revision).description {
            return Response(status: .notModified)
        }
        return try .json(record, tag: record.revision)
    }

    @Sendable private func change(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> Response {
        var patch = try await request.body(as: RecordPatch<Model>.self)
        if let tag = try request.expectedTag { patch.expectedVersion = tag.version }
        let record = try await repository(library).update(id(context), patch)
        return try .json(record, tag: record.revision)
    }

    @Sendable private func delete(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> Response {
        let id = try id(context)
        guard let tag = try request.expectedTag else {
            try await repository(library).delete(id)
            return Response(status: .noContent)
        }
        try await library.transaction { library in
            let stored = try await repository(library).read(id).revision
            guard stored == tag.version else {
                throw CRUDRepositoryError.versionConflict(
                    id: id.description, expected: tag.version, stored: stored)
            }
            try await repository(library).delete(id)
        }
        return Response(status: .noContent)
    }

    /// The id in the path. No record has an id of another form.
    private func id(_ context: BasicRequestContext) throws -> Model.ID {
        let text = try context.parameters.require("id")
        guard let id = Model.ID(text) else { throw CRUDRepositoryError.recordNotFound(id: text) }
        return id
    }
}

/// A page of a list, and where the next one begins.
private struct Page<Item: Encodable & Sendable>: Encodable {
    let items: [Item]
    let next: QueryCursor?
}
