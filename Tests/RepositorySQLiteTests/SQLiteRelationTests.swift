import Foundation
import Generated
import RepositoryRuntime
import Synchronization
import Testing

@testable import RepositorySQLCore
@testable import RepositorySQLite

/// What relations ask of a database.
@Suite struct SQLiteRelationTests {
    /// What was run, for a body.
    private final class Trace: Sendable {
        private let statements = Mutex<[(text: String, rows: Int)]>([])

        func add(_ statement: SQLiteTracedStatement) {
            statements.withLock { $0.append((statement.text, statement.rows)) }
        }

        /// The statements since the last time this was asked, without the transactions around them.
        func take() -> [(text: String, rows: Int)] {
            statements.withLock { statements in
                defer { statements = [] }
                return statements.filter { $0.text.hasPrefix("SELECT") }
            }
        }
    }

    private static let clients = (0..<600).map { Client.ID("c\($0)") }

    /// 600 clients, of whom every third took some of 30 books home.
    private func filled(_ trace: Trace) async throws -> Library {
        let library = Library(SQLiteStore.inMemory { trace.add($0) })
        let author = try await library.authors.create(Author(name: "A"))
        try await library.clients.createAll(
            Self.clients.map { Client(id: $0, name: "N", email: "\($0)@example.org") })
        let isbns = (0..<30).map { Book.ID("97800000000\($0)") }
        try await library.books.createAll(
            isbns.map { Book(isbn: $0, title: "T", pages: 1, authorID: author.id) })
        var loans: [Loan] = []
        for (number, client) in Self.clients.enumerated() where number % 3 == 0 {
            for count in 0..<(number % 50) {
                let day = Date(timeIntervalSince1970: Double(count * 7 % 40))
                loans.append(
                    Loan(
                        bookID: isbns[(number + count) % 30], number: number * 50 + count + 1,
                        clientID: client, takenAt: day))
            }
        }
        try await library.loans.createAll(loans)
        _ = trace.take()
        return library
    }

    @Test func manyRecordsCostAStatementForEachFiveHundred() async throws {
        let trace = Trace()
        let library = try await filled(trace)
        for count in [2, 500] {
            _ = try await library.clients.loans(of: Array(Self.clients.prefix(count)))
            #expect(trace.take().count == 1)
        }
        _ = try await library.clients.loans(of: Self.clients)
        #expect(trace.take().count == 2)
        // The loans of both lists, and the books of both together.
        _ = try await library.clients.books(of: Self.clients)
        #expect(trace.take().count == 3)
        let authors = try await library.authors.fetch()
        _ = trace.take()
        _ = try await library.authors.books(of: authors)
        #expect(trace.take().count == 1)
        _ = try await library.clients.fetch(ids: Self.clients)
        #expect(trace.take().count == 2)
    }

    @Test func noMoreRowsAreReadThanTheLimitOfEach() async throws {
        let trace = Trace()
        let library = try await filled(trace)
        let loans = try await library.clients.loans(of: Self.clients)
        let rows = trace.take().reduce(0) { $0 + $1.rows }
        #expect(loans.count == 600)
        #expect(rows == loans.values.reduce(0) { $0 + $1.count })
        let all = try await library.loans.fetch()
        #expect(rows < all.count)
        for client in Self.clients {
            let own = all.filter { $0.clientID == client }
                .sorted { ($1.takenAt, $0.id) < ($0.takenAt, $1.id) }
            #expect(loans[client] == Array(own.prefix(20)))
        }
        _ = trace.take()
        #expect(try await library.clients.loans(of: Self.clients[33]) == loans[Self.clients[33]])
        #expect(trace.take().map(\.rows) == [20])
    }

    @Test func theFirstOfEachAreNumbered() {
        let table = SQLTable(LoanMapper.table, in: Library.schema)
        let field = FieldPath(LoanMapper.table.layout.indexByKey["clientID"] ?? 0)
        var selection = StoreSelection([.isIn(field, [.text("a"), .text("b")])])
        selection.mostOfEach = StoreSelection.Share(field, maximum: 20)
        let query = SQLSelectionWriter.select(selection, table, SQLiteDialect())
        let text = query?.text.components(separatedBy: " FROM (").last
        #expect(
            text
                == #"SELECT *, row_number() OVER (PARTITION BY "client_id" ORDER BY "book_id", "number") AS "repository number" FROM "loans" WHERE "client_id" IN (?1, ?2)) AS "loans" WHERE "repository number" <= ?3 ORDER BY "book_id", "number""#
        )
        #expect(query?.parameters.count == 3)
    }
}
