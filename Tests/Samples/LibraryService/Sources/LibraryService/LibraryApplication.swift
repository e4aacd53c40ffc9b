public import Hummingbird
public import RepositoryRuntime

/// Makes the HTTP server of a library.
///
/// - Parameters:
///   - store: the store with the library's records. It is opened and closed with the server.
///   - address: where the server listens.
///   - onServerRunning: is called with the port when the server accepts connections.
public func libraryApplication(
    store: any EntityStore, address: BindAddress,
    onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }
) -> some ApplicationProtocol {
    let meter = StoreMeter()
    let library = Library(store.retrying().instrumented(by: meter))

    let router = Router()
    router.add(middleware: LogRequestsMiddleware(.debug))
    router.add(middleware: ErrorMiddleware())
    ResourceRoutes(library, at: "authors", { $0.authors }) { request in
        let name = request.uri.queryParameters.get("name")
        let all = Query<Author>.sorted(by: \.name)
        return name.map { name in all.where { $0.name.hasPrefix(name) } } ?? all
    }.add(to: router)
    ResourceRoutes(library, at: "books", { $0.books }) { request in
        var query = Query<Book>.sorted(by: \.title)
        if let author = try request.value(of: "author", as: Author.ID.self) {
            query = query.where { $0.authorID == author }
        }
        if let status = try request.value(of: "status", as: Status.self) {
            query = query.where { $0.status == status }
        }
        return query
    }.add(to: router)
    BookRoutes(library: library).add(to: router)
    router.get("metrics") { _, _ in MetricsText(meter.totals).response }

    // Services are shut down in reverse order: the server first, then the store.
    return Application(
        router: router,
        configuration: ApplicationConfiguration(address: address, serverName: "library"),
        services: [StoreService(library: library)],
        onServerRunning: { await onServerRunning($0.localAddress?.port ?? 0) })
}
