public import RepositoryRuntime

/// One repository for each entity, over one store.
nonisolated public struct Library: RepositorySet {
    public static let schema = StoreSchema(
        "Library",
        [
            AuthorMapper.table,
            BookMapper.table,
            ClientMapper.table,
            LoanMapper.table,
        ])

    public let context: RepositoryContext

    /// The authors.
    public var authors: AuthorRepository { AuthorRepository(context) }
    /// The books.
    public var books: BookRepository { BookRepository(context) }
    /// The clients.
    public var clients: ClientRepository { ClientRepository(context) }
    /// The loans.
    public var loans: LoanRepository { LoanRepository(context) }

    public init(context: RepositoryContext) {
        self.context = context
    }
}
