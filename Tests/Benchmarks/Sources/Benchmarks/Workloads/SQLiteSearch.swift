import Foundation
import RepositoryRuntime
import RepositorySQLite
import SQLiteAPI

/// Full-text searches of two words among 20,000 texts, beside FTS5 as somebody would write it out
/// for this one table. Both order the results by rank and read the best twenty.
func sqliteSearch(_ scratch: Scratch) -> [Workload] {
    let searches = 200
    return [
        Workload(name: "sqlite: search for two words", count: searches) {
            let abstracts = (0..<20_000).map(Abstract.init(number:))
            let library = Measurements(SQLiteStore(path: scratch.file("abstracts.sqlite")))
            try await library.abstracts.createAll(abstracts)
            // The first search indexes the records.
            use(try await library.abstracts.search("word1", limit: 1))
            let texts = (0..<searches).map { number in
                "\(Abstract.word(50 + number % 50)) \(Abstract.word(20 + number % 20))"
            }
            return Sides(
                ours: Side {
                    try await timed {
                        for text in texts {
                            use(try await library.abstracts.search(text, limit: 20))
                        }
                    }
                },
                limit: try fullTextTable(scratch.file("fts5.sqlite"), abstracts, texts))
        }
    ]
}

/// The same searches in a table of FTS5, which holds the texts.
private func fullTextTable(
    _ path: String, _ abstracts: [Abstract], _ texts: [String]
) throws -> Side {
    let database = try RawDatabase(path)
    try database.execute(
        """
        CREATE VIRTUAL TABLE abstracts USING fts5(title, body,
        tokenize = 'unicode61 remove_diacritics 2')
        """)
    try database.execute("BEGIN")
    let insert = try database.prepare("INSERT INTO abstracts (rowid, title, body) VALUES (?, ?, ?)")
    for abstract in abstracts {
        try RawDatabase.check(sqlite3_bind_int64(insert, 1, Int64(abstract.id.rawValue)))
        try RawDatabase.bind(abstract.title, insert, 2)
        try RawDatabase.bind(abstract.body, insert, 3)
        try RawDatabase.run(insert)
    }
    try database.execute("COMMIT")
    let statement = try database.prepare(
        """
        SELECT rowid, title, body FROM abstracts WHERE abstracts MATCH ? ORDER BY rank, rowid \
        LIMIT 20
        """)
    return Side("FTS5, C API") {
        defer { use(database) }
        return try timed {
            for text in texts {
                try RawDatabase.bind(text, statement, 1)
                var found: [Abstract] = []
                while sqlite3_step(statement) == SQLITE_ROW {
                    found.append(
                        Abstract(
                            id: Abstract.ID(Int(sqlite3_column_int64(statement, 0))),
                            title: RawDatabase.text(statement, 1),
                            body: RawDatabase.text(statement, 2)))
                }
                use(found)
                sqlite3_reset(statement)
            }
        }
    }
}

extension Abstract {
    /// The text of a number: 4 words as the title and 40 below it, of which the first ones of the
    /// language are in more texts than the others.
    fileprivate init(number: Int) {
        func words(_ count: Int, _ offset: Int) -> String {
            (0..<count).map { place in
                let seed = (number * 44 + offset + place) * 7_919 % 100_003
                return Self.word(seed * (seed % 1_000) / 50_000)
            }.joined(separator: " ")
        }
        self.init(id: Abstract.ID(number), title: words(4, 0), body: words(40, 4))
    }

    /// A word of the language.
    fileprivate static func word(_ number: Int) -> String { "word\(number)" }
}
