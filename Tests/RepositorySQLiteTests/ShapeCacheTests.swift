import Foundation
import Generated
import Testing

@testable import RepositorySQLCore
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

    /// Whether the statements of two conditions are shared.
    private func share(
        _ one: (Book.Fields) -> Condition, _ two: (Book.Fields) -> Condition
    ) -> Bool {
        share(Query<Book>.where(one), Query<Book>.where(two), books)
    }

    @Test("Values of one kind share a statement, each bound in its place")
    func valuesShare() {
        let one = Query<Loan>.where { $0.book.title >= "a" && $0.book.title < "b" }
        let two = Query<Loan>.where { $0.book.title >= "b" && $0.book.title < "a" }
        #expect(share(one.limit(3).offset(1), two.limit(1).offset(3), loans))
        let (least, most): (Int, Int) = (1, 2)
        let between = share {
            $0.pages > least && !($0.pages > most)
        } _: {
            $0.pages > most && !($0.pages > least)
        }
        #expect(between)
    }

    @Test("A value that its column cannot hold has a statement of its own")
    func otherComparands() {
        let (usual, late) = (Date(timeIntervalSince1970: 5), Date(timeIntervalSince1970: 1e18))
        let dates = share {
            $0.updatedAt < usual
        } _: {
            $0.updatedAt < late
        }
        #expect(dates)
        let query = Query<Book>.where { $0.updatedAt < late }
        let selection = StoreSelection(query.condition.tree.conjuncts)
        #expect(books.select(selection, SQLiteDialect())?.text.contains("TRUE") == true)
    }

    @Test("Null, lists and joined equalities have no shape, or another one")
    func othersDoNotShare() {
        let null = share {
            $0.subtitle == nil
        } _: {
            $0.subtitle == "a"
        }
        #expect(!null)
        let lists = share {
            $0.pages.in([1, 2])
        } _: {
            $0.pages.in([1, 2, 3])
        }
        #expect(!lists)
        let (one, two): (Int, Int) = (1, 2)
        let joined = share {
            $0.pages == one || $0.pages == two
        } _: {
            $0.pages == one || $0.pages == one
        }
        #expect(!joined)
    }

    @Test("A plan has the statement of its query, which a changed selection loses")
    func prepared() throws {
        let query = Query<Loan>
            .where { $0.book.title >= "a" && $0.takenAt < Date(timeIntervalSince1970: 5) }
            .sorted { $0.book.title }.limit(3)
        let plan = SQLQueryPlanner(loans, SQLiteDialect())
            .plan(query, for: SQLiteStore(path: "never opened"))
        let whole = try #require(plan.wholeSelection(of: query))
        #expect(whole.prepared.statement is SQLShapeCache.Statement)

        /// Whether a table has the statement of a selection without writing it.
        func isReady(_ selection: StoreSelection, _ table: SQLTable) -> Bool {
            let ready = selection.preparedQuery(table.shapes, SQLiteDialect())
            let written = SQLSelectionWriter.select(selection, table, SQLiteDialect())
            #expect(ready == nil || ready == written)
            #expect(table.select(selection, SQLiteDialect()) == written)
            return ready != nil
        }
        #expect(isReady(whole, loans))
        var limits = whole
        limits.maximum = 5
        #expect(!isReady(limits, loans))
        limits.maximum = nil
        #expect(!isReady(limits, loans))
        limits = whole
        limits.skipped = 2
        #expect(!isReady(limits, loans))

        let changes: [(inout StoreSelection) -> Void] = [
            { $0.conditions.removeLast() }, { $0.sortKeys = [] },
            { $0.after = [.text("b"), .text("c"), .integer(1)] },
            { $0.mostOfEach = StoreSelection.Share(FieldPath(0), maximum: 1) },
            { $0.narrowing = [.constant(true)] },
        ]
        for change in changes {
            var changed = whole
            change(&changed)
            #expect(changed.prepared.statement == nil)
            #expect(!isReady(changed, loans))
        }

        // The table of another database.
        #expect(!isReady(whole, SQLTable(LoanMapper.table, in: Library.schema, for: .native)))
    }
}
