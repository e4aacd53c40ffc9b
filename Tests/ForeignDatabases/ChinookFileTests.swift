import Foundation
import RepositoryRuntime
import RepositorySQLite
import Testing

/// The original Chinook file, as its makers wrote it: all tables opened, read, queried and, in a copy, written.
@Suite(.enabled(if: ChinookFile.url != nil, "needs the Chinook data: set REPOSITORY_TEST_DATA"))
struct ChinookFileTests {
    @Test func everyRowIsReadAndNothingChanges() async throws {
        try await withFile { path in
            try ChinookFile.copy(to: path)
            let original = try Data(contentsOf: URL(filePath: path))
            let tables = ChinookFile.tables
            let store = ChinookFile.context(path)
            let counts = [
                try await ArtistRepository(store).fetch().count,
                try await AlbumRepository(store).fetch().count,
                try await GenreRepository(store).fetch().count,
                try await MediaTypeRepository(store).fetch().count,
                try await TrackRepository(store).fetch().count,
                try await PlaylistRepository(store).fetch().count,
                try await PlaylistTrackRepository(store).fetch().count,
                try await EmployeeRepository(store).fetch().count,
                try await CustomerRepository(store).fetch().count,
                try await InvoiceRepository(store).fetch().count,
                try await InvoiceLineRepository(store).fetch().count,
            ]
            #expect(counts.reduce(0, +) == 15_607)
            let plain = try PlainFile(path)
            for (table, count) in zip(tables, counts) {
                #expect(try plain.values("SELECT count(*) FROM \"\(table)\"") == ["\(count)"])
            }
            // Not a byte: no table of ours, no other journal.
            #expect(try Data(contentsOf: URL(filePath: path)) == original)
            #expect(try plain.values("PRAGMA journal_mode") == ["delete"])
        }
    }

    @Test func queriesAnswerAsSQLDoes() async throws {
        try await withFile { path in
            try ChinookFile.copy(to: path)
            let plain = try PlainFile(path)
            let invoices = InvoiceRepository(ChinookFile.context(path))
            let start = try Date("2022-02-01T00:00:00Z", strategy: .iso8601)
            let end = try Date("2022-03-01T00:00:00Z", strategy: .iso8601)

            let february = try await invoices.fetch(
                .where { $0.invoiceDate >= start && $0.invoiceDate < end }
                    .sorted(by: \.total, .descending))
            #expect(
                try february.map { "\($0.id)" }
                    == plain.values(
                        """
                        SELECT InvoiceId FROM Invoice WHERE date(InvoiceDate) BETWEEN '2022-02-01' AND '2022-02-28'
                        ORDER BY Total DESC, InvoiceId
                        """))
            #expect(!february.isEmpty)
            #expect(
                try await invoices.count(.where { $0.invoiceDate == start })
                    == Int(
                        plain.values(
                            "SELECT count(*) FROM Invoice WHERE InvoiceDate = '2022-02-01 00:00:00'"
                        )[0]
                    ))
            let large = try #require(Decimal(string: "13.86"))
            #expect(
                try await invoices.ids(.where { $0.total == large }).map { "\($0)" }
                    == plain.values(
                        "SELECT InvoiceId FROM Invoice WHERE round(Total * 100) = 1386 ORDER BY 1"))
            #expect(try await invoices.sum(of: \.total) == Decimal(string: "2328.60"))
            let last = try plain.values("SELECT max(InvoiceDate) FROM Invoice")[0]
            #expect(
                try await invoices.maximum(of: \.invoiceDate)
                    == Date(last.replacing(" ", with: "T") + "Z", strategy: .iso8601))
            let customer = Customer.ID(2)
            #expect(
                try await invoices.findAll(customerID: customer).map { "\($0.id)" }
                    == plain.values("SELECT InvoiceId FROM Invoice WHERE CustomerId = 2 ORDER BY 1")
            )
        }
    }

    @Test func pagesHoldEveryRecordOnce() async throws {
        try await withFile { path in
            try ChinookFile.copy(to: path)
            let invoices = InvoiceRepository(ChinookFile.context(path))
            let query = Query<Invoice>.all.sorted(by: \.invoiceDate, .descending)
            var (found, place): ([String], QueryCursor?) = ([], nil)
            repeat {
                let page = try await invoices.page(query.limit(50), after: place)
                found += page.items.map { "\($0.id)" }
                place = page.next
            } while place != nil
            #expect(
                try found
                    == PlainFile(path).values(
                        "SELECT InvoiceId FROM Invoice ORDER BY InvoiceDate DESC, InvoiceId"))
        }
    }

    @Test func writesAreWhatTheFileHoldsAlready() async throws {
        try await withFile { path in
            try ChinookFile.copy(to: path)
            let plain = try PlainFile(path)
            let objects = try plain.objects()
            let context = ChinookFile.context(path)
            let invoices = InvoiceRepository(context)
            let day = try Date("2026-01-02T00:00:00Z", strategy: .iso8601)
            var invoice = Invoice(
                id: 1000, customerID: 1, invoiceDate: day,
                total: try #require(Decimal(string: "4.95")))
            try await invoices.create(invoice)
            #expect(try await invoices.read(1000) == invoice)
            #expect(
                try plain.rows(
                    "SELECT InvoiceDate, typeof(Total), Total FROM Invoice WHERE InvoiceId = 1000")
                    == [["2026-01-02 00:00:00.000", "real", "4.95"]])
            invoice.total = 6
            try await invoices.save(invoice)
            #expect(try await invoices.read(1000).total == 6)
            let lines = InvoiceLineRepository(context)
            try await lines.create(
                InvoiceLine(id: 9000, invoiceID: 1000, trackID: 1, unitPrice: 1, quantity: 1))
            // The file's own foreign keys hold.
            await #expect(throws: CRUDRepositoryError.self) { try await invoices.delete(1000) }
            await #expect(throws: CRUDRepositoryError.self) {
                try await invoices.create(
                    Invoice(id: 1001, customerID: 777, invoiceDate: day, total: 1))
            }
            try await lines.delete(9000)
            try await invoices.delete(1000)
            #expect(try plain.objects() == objects)
            #expect(try plain.values("PRAGMA journal_mode") == ["delete"])
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await context.reset()
            }
            #expect(error?.code == .unsupported)
            #expect(try plain.objects() == objects)
        }
    }
}

/// The original file and the schema of its tables.
enum ChinookFile {
    /// The file, where there is one.
    static let url: URL? = {
        let environment = ProcessInfo.processInfo.environment["REPOSITORY_TEST_DATA"]
        let package = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folders = [
            environment.map { URL(filePath: $0) }, package.appending(path: "../shared/data"),
        ]
        return folders.compactMap { $0?.appending(path: "chinook/Chinook.sqlite") }
            .map(\.standardizedFileURL)
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }()

    static let schema = StoreSchema(
        "Chinook",
        [
            Artist.self, Album.self, Genre.self, MediaType.self, Track.self, Playlist.self,
            PlaylistTrack.self, Employee.self, Customer.self, Invoice.self, InvoiceLine.self,
        ])

    static var tables: [String] { schema.tables.map(\.name) }

    /// Copies the file, which may be one that nobody may write.
    static func copy(to path: String) throws {
        try Data(contentsOf: #require(url)).write(to: URL(filePath: path))
    }

    static func context(_ path: String) -> RepositoryContext {
        RepositoryContext(store: SQLiteStore(path: path), schema: schema, fullScans: .allow)
    }
}
