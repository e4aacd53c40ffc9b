import Foundation
import GRDB
import RepositorySQLite
import SQLiteAPI

/// Small batches of records that refer to others: each is a commit, and each reference is looked at.
func sqliteReferences(_ scratch: Scratch) -> [Workload] {
    let batches = 100
    let size = 10
    func copies(_ batch: Int) -> [Copy] {
        (0..<size).map { number in
            Copy(
                id: Copy.ID("copy-\(batch * size + number)"), bookID: Book.ID(Book.id(number)),
                shelf: batch)
        }
    }

    /// A database with some books and no copies.
    func books() async throws -> (Measurements, String) {
        let (library, path) = try await filled(scratch, 0)
        try await library.books.createAll((0..<size).map { Book(number: $0, author: $0) })
        return (library, path)
    }

    let insert = "INSERT INTO copies (id, book_id, shelf) VALUES (?, ?, ?)"
    return [
        Workload(name: "sqlite: durable batch of 10 with references", count: batches) {
            let all = (0..<batches).map(copies)
            return Sides(
                ours: Side {
                    let (library, _) = try await books()
                    return try await timed {
                        for batch in all { try await library.copies.createAll(batch) }
                    }
                },
                limit: Side("C API") {
                    let (_, path) = try await books()
                    let database = try RawDatabase(path)
                    try database.execute("PRAGMA foreign_keys = ON")
                    let statement = try database.prepare(insert)
                    defer { sqlite3_finalize(statement) }
                    return try timed {
                        for batch in all {
                            try database.execute("BEGIN IMMEDIATE")
                            for copy in batch {
                                try RawDatabase.bind(copy.id.rawValue, statement, 1)
                                try RawDatabase.bind(copy.bookID.rawValue, statement, 2)
                                try RawDatabase.check(
                                    sqlite3_bind_int64(statement, 3, Int64(copy.shelf)))
                                try RawDatabase.run(statement)
                            }
                            try database.execute("COMMIT")
                        }
                    }
                },
                peer: Side("GRDB, statement") {
                    let (_, path) = try await books()
                    let pool = try await durablePool(path)
                    return try await timed {
                        for batch in all {
                            try await pool.write { database in
                                let statement = try database.cachedStatement(sql: insert)
                                for copy in batch {
                                    try statement.execute(arguments: [
                                        copy.id.rawValue, copy.bookID.rawValue, copy.shelf,
                                    ])
                                }
                            }
                        }
                    }
                })
        }
    ]
}
