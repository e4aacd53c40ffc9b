import Foundation
import RepositoryRuntime
import SQLiteAPI

/// The functions of SQLite over a table of books.
final class RawBooks {
    private let database: RawDatabase
    private let statement: OpaquePointer

    init(_ path: String) throws {
        database = try RawDatabase(path)
        statement = try database.prepare(
            "SELECT id, title, author, publisher, pages, rating, is_available, published_at "
                + "FROM books WHERE id = ?")
    }

    deinit { sqlite3_finalize(statement) }

    /// Reads the books of some numbers.
    func read(_ numbers: [Int]) throws {
        for number in numbers {
            try RawDatabase.bind(Book.id(number), statement, 1)
            guard sqlite3_step(statement) == SQLITE_ROW else {
                throw RawDatabase.Failure(code: SQLITE_NOTFOUND)
            }
            use(book())
            sqlite3_reset(statement)
        }
    }

    private func book() -> Book {
        Book(
            id: Book.ID(RawDatabase.text(statement, 0)), title: RawDatabase.text(statement, 1),
            author: RawDatabase.text(statement, 2), publisher: RawDatabase.text(statement, 3),
            pages: Int(sqlite3_column_int64(statement, 4)),
            rating: sqlite3_column_double(statement, 5),
            isAvailable: sqlite3_column_int64(statement, 6) != 0,
            publishedAt: StoredDate.date(microseconds: sqlite3_column_int64(statement, 7)))
    }
}
