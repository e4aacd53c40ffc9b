import Foundation
import GRDB
import RepositoryRuntime
import RepositorySQLite
import SQLiteAPI

/// Queries across a reference: the loans of the books of one author, in the order of their titles.
/// A result of 50 rows shows what planning costs, and one of 5,000 what the rows cost.
func sqliteRelatives(_ scratch: Scratch) -> [Workload] {
    [
        sqliteRelatives(scratch, authors: 500, booksPerAuthor: 10),
        sqliteRelatives(scratch, authors: 5, booksPerAuthor: 1_000),
    ]
}

private func sqliteRelatives(
    _ scratch: Scratch, authors: Int, booksPerAuthor: Int
) -> Workload {
    let loansPerBook = 5
    let books = authors * booksPerAuthor
    let rows = booksPerAuthor * loansPerBook

    /// A database with books of some authors and loans of each.
    func filled() async throws -> (Measurements, String) {
        let path = scratch.file("lendings-\(rows).sqlite")
        let library = Measurements(SQLiteStore(path: path))
        try await library.books.createAll(
            (0..<books).map { Book(number: $0, author: $0 % authors) })
        try await library.lendings.createAll(
            (0..<books * loansPerBook).map {
                Lending(
                    id: Lending.ID($0), bookID: Book.ID(Book.id($0 * 7_919 % books)), day: $0 % 365)
            })
        return (library, path)
    }

    let select = """
        SELECT lendings.id, lendings.book_id, lendings.day FROM lendings
        JOIN books ON books.id = lendings.book_id
        WHERE books.author = ? ORDER BY books.title, lendings.id
        """
    return
        Workload(name: "sqlite: query and sort across a reference, \(rows) rows", count: authors) {
            let (library, path) = try await filled()
            let database = try RawDatabase(path)
            let statement = try database.prepare(select)
            let pool = try DatabasePool(path: path)
            return Sides(
                ours: Side {
                    try await timed {
                        for number in 0..<authors {
                            let author = Book.author(number)
                            let query = Query<Lending>.where { $0.book.author == author }
                            use(
                                try await library.lendings.fetch(
                                    query.sorted { $0.book.title }))
                        }
                    }
                },
                limit: Side("C API") {
                    defer { use(database) }
                    return try timed {
                        for number in 0..<authors {
                            try RawDatabase.bind(Book.author(number), statement, 1)
                            var found: [Lending] = []
                            while sqlite3_step(statement) == SQLITE_ROW {
                                found.append(
                                    Lending(
                                        id: Lending.ID(Int(sqlite3_column_int64(statement, 0))),
                                        bookID: Book.ID(RawDatabase.text(statement, 1)),
                                        day: Int(sqlite3_column_int64(statement, 2))))
                            }
                            use(found)
                            sqlite3_reset(statement)
                        }
                    }
                },
                peer: Side("GRDB, rows") {
                    try await timed {
                        for number in 0..<authors {
                            let author = Book.author(number)
                            use(
                                try await pool.read { database in
                                    let statement = try database.cachedStatement(sql: select)
                                    return try Row.fetchAll(statement, arguments: [author]).map {
                                        Lending(
                                            id: Lending.ID($0[0]), bookID: Book.ID($0[1]),
                                            day: $0[2])
                                    }
                                })
                        }
                    }
                })
        }
}
