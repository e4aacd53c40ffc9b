import Foundation
import Generated
import RepositoryRuntime
import Testing

@testable import RepositorySQLCore
@testable import RepositorySQLite

/// The SQL of typical queries.
@Suite struct SQLiteQueryTextTests {
    private let books = SQLTable(BookMapper.table, in: Library.schema)
    private let loans = SQLTable(LoanMapper.table, in: Library.schema)

    /// What stands after `FROM "books"`; nil where the runtime does a part of the query.
    private func text(_ query: Query<Book>) -> String? {
        let plan = SQLQueryPlanner(books, SQLiteDialect()).plan(query, StoreCapabilities([:]))
        guard case .selection(let selection) = plan.access, plan.remainder.isEmpty,
            !plan.sortsInRuntime
        else { return nil }
        return text(selection)
    }

    private func text(_ selection: StoreSelection) -> String? {
        let text = SQLSelectionWriter.select(selection, books, SQLiteDialect())?.text
        return text?.components(separatedBy: " FROM \"books\"").last
    }

    @Test func comparisons() {
        #expect(
            text(.where { $0.pages > 300 && $0.status == .available })
                == #" WHERE "pages" > ?1 AND "status" = ?2 ORDER BY "isbn""#)
        #expect(
            text(.where { $0.subtitle == nil || $0.subtitle != nil && $0.pages <= 5 })
                == #" WHERE ("subtitle" IS NULL OR ("subtitle" IS NOT NULL AND "pages" <= ?1)) ORDER BY "isbn""#
        )
        #expect(
            text(.where { !($0.subtitle > "a") })
                == #" WHERE ("subtitle" > ?1) IS NOT TRUE ORDER BY "isbn""#)
        #expect(
            text(.where { $0.price < Decimal(1005) / 1000 })
                == #" WHERE "price" <= ?1 ORDER BY "isbn""#)
        #expect(
            text(.where { $0.price == Decimal(1005) / 1000 }) == #" WHERE FALSE ORDER BY "isbn""#)
        #expect(
            text(.where { $0.updatedAt < Date(timeIntervalSince1970: 1e18) })
                == #" WHERE TRUE ORDER BY "isbn""#)
    }

    @Test func texts() {
        #expect(
            text(.where { $0.title.contains("x%") })
                == #" WHERE instr("title", ?1) > 0 ORDER BY "isbn""#)
        #expect(
            text(.where { $0.title.hasPrefix("Em") })
                == #" WHERE ("title" >= ?1 AND "title" < ?2) ORDER BY "isbn""#)
        #expect(text(.where { $0.title.contains("x", ignoringCase: true) }) == nil)
    }

    @Test func lists() {
        #expect(
            text(.where { $0.pages.in([3, 1, 2]) })
                == #" WHERE "pages" IN (?1, ?2, ?3, ?4) ORDER BY "isbn""#)
        #expect(
            text(.where { $0.pages.in(Array(1...5000)) })
                == #" WHERE "pages" IN (SELECT value FROM json_each(?1)) ORDER BY "isbn""#)
        #expect(
            text(.where { $0.subtitle.in([nil, "a"]) })
                == #" WHERE ("subtitle" IS NULL OR "subtitle" = ?1) ORDER BY "isbn""#)
        #expect(
            text(.where { $0.tags.contains("new") })
                == #" WHERE EXISTS (SELECT 1 FROM json_each("tags") WHERE json_each.value = ?1) ORDER BY "isbn""#
        )
    }

    @Test func partsOfEmbeddedValues() {
        #expect(
            text(Query<Book>.where { $0.shelf.room == "B" }.sorted(by: \.shelf.row, .descending))
                == #" WHERE json_extract("shelf", '$."room"') = ?1 ORDER BY json_extract("shelf", '$."row"') DESC, "isbn""#
        )
    }

    @Test func placesAndLimits() {
        var selection = StoreSelection(
            sortKeys: [SortKey(path: FieldPath(3), direction: .ascending)],
            after: [.integer(5), .text("a")], maximum: 20)
        selection.sortKeys = [
            SortKey(
                path: FieldPath(BookMapper.table.layout.indexByKey["pages"] ?? 0),
                direction: .ascending)
        ]
        #expect(
            text(selection)
                == #" WHERE ("pages", "isbn") > (?1, ?2) ORDER BY "pages", "isbn" LIMIT ?3"#)
        selection.sortKeys[0] = SortKey(
            path: selection.sortKeys[0].path, direction: .descending)
        selection.skipped = 3
        #expect(
            text(selection)
                == #" WHERE ("pages" <= ?1 AND ("pages" < ?1 OR "isbn" > ?2)) ORDER BY "pages" DESC, "isbn" LIMIT ?3 OFFSET ?4"#
        )
    }

    @Test func aKeyThatIsAReferenceIsItsColumn() {
        let condition = (Query<Loan>.where { $0.bookID == "0000000001" }).condition.tree
        let query = SQLSelectionWriter.select(StoreSelection([condition]), loans, SQLiteDialect())
        #expect(
            query?.text.hasSuffix(
                #" FROM "loans" WHERE "book_id" = ?1 ORDER BY "book_id", "number""#) == true)
        #expect(query?.parameters == [SQLParameter(.text("0000000001"), .text)])
    }

    @Test func scansOfIndexes() {
        func text(_ scan: IndexScan, limit: Int = .max) -> String? {
            SQLSelectionWriter.find(scan, limit: limit, books, SQLiteDialect())?.text
                .components(separatedBy: " FROM \"books\"").last
        }
        #expect(
            text(IndexScan(2, lower: .init(.text("a"), isIncluded: true), isReversed: true))
                == #" WHERE "title" >= ?1 ORDER BY "title" DESC, "updated_at", "isbn""#)
        let day = StoredValue.date(Date(timeIntervalSince1970: 0))
        #expect(
            text(
                IndexScan(2, equal: [.text("a")], after: [.text("a"), day, .text("i")]), limit: 9)
                == #" WHERE "title" = ?1 AND ("updated_at" <= ?2 AND ("updated_at" < ?2 OR "isbn" > ?3)) ORDER BY "updated_at" DESC, "isbn" LIMIT ?4"#
        )
    }

    @Test func summaries() {
        let pages = FieldPath(BookMapper.table.layout.indexByKey["pages"] ?? 0)
        let status = FieldPath(BookMapper.table.layout.indexByKey["status"] ?? 0)
        var writer = SQLSummaryWriter(books, SQLiteDialect())
        let grouped = writer.query(
            StoreSelection(), StoreSummary(groups: [status], [.count, .sum(pages)]))
        #expect(
            grouped?.text
                == #"SELECT "status", count(*), coalesce(sum("pages"), 0) FROM "books" GROUP BY "status" ORDER BY "status""#
        )
    }
}
