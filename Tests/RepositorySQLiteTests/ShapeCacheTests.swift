import Foundation
import Generated
import Testing

@testable import RepositoryRuntime
@testable import RepositorySQLite

/// Statements of queries that differ only in their values.
@Suite("Statements by shape")
struct ShapeCacheTests {
    private let books = SQLTable(BookMapper.table, in: Library.schema)
    private let loans = SQLTable(LoanMapper.table, in: Library.schema)

    /// Whether the statement of the second query is bound anew from that of the first.
    private func share<E: Entity>(_ one: Query<E>, _ two: Query<E>, _ table: SQLTable) -> Bool {
        func selection(_ query: Query<E>) -> StoreSelection {
            StoreSelection(
                query.condition.tree.conjuncts, sortKeys: query.sortKeys, skipped: query.skipped,
                maximum: query.maximum)
        }
        for query in [one, two] {
            #expect(
                table.select(selection(query), SQLiteDialect())
                    == SQLSelectionWriter.select(selection(query), table, SQLiteDialect()))
        }
        guard let first = SQLSelectionShape(selection(one), of: table),
            let second = SQLSelectionShape(selection(two), of: table),
            first.selection == second.selection
        else { return false }
        return table.shapes.statement(second, table, SQLiteDialect()) != nil
    }

    @Test("Values of one kind share a statement, each bound in its place")
    func valuesShare() {
        #expect(
            share(
                .where { $0.book.title >= "a" && $0.book.title < "b" }.limit(3).offset(1),
                .where { $0.book.title >= "b" && $0.book.title < "a" }.limit(1).offset(3), loans))
        let date = Date(timeIntervalSince1970: 5)
        #expect(
            share(
                .where { $0.number == 1 && $0.takenAt > date && !($0.number == 2) },
                .where { $0.number == 2 && $0.takenAt > date && !($0.number == 1) }, loans))
    }

    @Test("A value that its column cannot hold has a statement of its own")
    func otherComparands() {
        let date = Date(timeIntervalSince1970: 1e18)
        #expect(
            share(
                .where { $0.updatedAt < Date(timeIntervalSince1970: 5) },
                .where { $0.updatedAt < date }, books))
        let query = StoreSelection(
            Query<Book>.where { $0.updatedAt < date }.condition.tree.conjuncts)
        #expect(books.select(query, SQLiteDialect())?.text.contains("TRUE") == true)
    }

    @Test("Null, lists and joined equalities have no shape, or another one")
    func othersDoNotShare() {
        #expect(!share(.where { $0.subtitle == nil }, .where { $0.subtitle == "a" }, books))
        #expect(!share(.where { $0.pages.in([1, 2]) }, .where { $0.pages.in([1, 2, 3]) }, books))
        #expect(
            !share(
                .where { $0.pages == 1 || $0.pages == 2 },
                .where { $0.pages == 1 || $0.pages == 1 }, books))
    }
}
