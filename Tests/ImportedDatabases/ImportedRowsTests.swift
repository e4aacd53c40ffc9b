import Foundation
import RepositoryRuntime
import Testing

/// Every row of an imported database, read by the generated types and by SQL.
@Suite("Rows of imported databases")
struct ImportedRowsTests {
    @Test(
        "of Chinook are those of SQL",
        .enabled(if: RealDatabase.chinook.file != nil, "needs the Chinook data"))
    func chinook() async throws {
        try await RealDatabase.chinook.withCopy { path in
            let plain = try PlainFile(path)
            let set = Chinook(context: RealDatabase.chinook.context(path, Chinook.schema))
            func check<E: Entity>(
                _ records: [E], _ table: String, _ columns: String, _ row: (E) -> [Any?]
            ) throws {
                let found = records.map { row($0).map(Self.text) }
                let expected = try plain.rows("SELECT \(columns) FROM \"\(table)\" ORDER BY 1, 2")
                #expect(found == expected, "\(table)")
                #expect(!expected.isEmpty)
            }
            try await check(set.artists.fetch(), "Artist", "ArtistId, Name") { [$0.id, $0.name] }
            try await check(set.albums.fetch(), "Album", "AlbumId, Title, ArtistId") {
                [$0.id, $0.title, $0.artistID]
            }
            try await check(set.genres.fetch(), "Genre", "GenreId, Name") { [$0.id, $0.name] }
            try await check(set.mediaTypes.fetch(), "MediaType", "MediaTypeId, Name") {
                [$0.id, $0.name]
            }
            try await check(
                set.tracks.fetch(), "Track",
                """
                TrackId, Name, AlbumId, MediaTypeId, GenreId, Composer, Milliseconds, Bytes,
                CAST(round(UnitPrice * 100) AS INTEGER)
                """
            ) {
                [
                    $0.id, $0.name, $0.albumID, $0.mediaTypeID, $0.genreID, $0.composer,
                    $0.milliseconds, $0.bytes, $0.unitPrice * 100,
                ]
            }
            try await check(set.playlists.fetch(), "Playlist", "PlaylistId, Name") {
                [$0.id, $0.name]
            }
            try await check(set.playlistTracks.fetch(), "PlaylistTrack", "PlaylistId, TrackId") {
                [$0.playlistID, $0.trackID]
            }
            try await check(
                set.employees.fetch(), "Employee",
                """
                EmployeeId, LastName, FirstName, Title, ReportsTo, BirthDate, HireDate, Address,
                City, State, Country, PostalCode, Phone, Fax, Email
                """
            ) {
                [
                    $0.id, $0.lastName, $0.firstName, $0.title, $0.reportsToID, $0.birthDate,
                    $0.hireDate, $0.address, $0.city, $0.state, $0.country, $0.postalCode, $0.phone,
                    $0.fax, $0.email,
                ]
            }
            try await check(
                set.customers.fetch(), "Customer",
                """
                CustomerId, FirstName, LastName, Company, Address, City, State, Country, PostalCode,
                Phone, Fax, Email, SupportRepId
                """
            ) {
                [
                    $0.id, $0.firstName, $0.lastName, $0.company, $0.address, $0.city, $0.state,
                    $0.country, $0.postalCode, $0.phone, $0.fax, $0.email, $0.supportRepID,
                ]
            }
            try await check(
                set.invoices.fetch(), "Invoice",
                """
                InvoiceId, CustomerId, InvoiceDate, BillingAddress, BillingCity, BillingState,
                BillingCountry, BillingPostalCode, CAST(round(Total * 100) AS INTEGER)
                """
            ) {
                [
                    $0.id, $0.customerID, $0.invoiceDate, $0.billingAddress, $0.billingCity,
                    $0.billingState, $0.billingCountry, $0.billingPostalCode, $0.total * 100,
                ]
            }
            try await check(
                set.invoiceLines.fetch(), "InvoiceLine",
                "InvoiceLineId, InvoiceId, TrackId, CAST(round(UnitPrice * 100) AS INTEGER), Quantity"
            ) { [$0.id, $0.invoiceID, $0.trackID, $0.unitPrice * 100, $0.quantity] }

            let playlists = try await set.tracks.playlists(of: Track.ID(1))
            #expect(
                try playlists.map { "\($0.id)" }
                    == plain.values("SELECT PlaylistId FROM PlaylistTrack WHERE TrackId = 1"))
        }
    }

    @Test("of GRDB's file are those of SQL")
    func grdb() async throws {
        try await RealDatabase.grdb.withCopy { path in
            let plain = try PlainFile(path)
            let set = GRDB(context: RealDatabase.grdb.context(path, GRDB.schema))
            let observers = try await set.observers.fetch()
            #expect(
                try observers.map { ["\($0.id)".replacing("-", with: ""), $0.name] }
                    == plain.rows("SELECT hex(id), name FROM observer ORDER BY id"))
            let cameras = try await set.cameras.fetch()
            #expect(
                try cameras.map { ["\($0.id)".lowercased(), $0.model] }
                    == plain.rows("SELECT id, model FROM camera ORDER BY id"))
            let sightings = try await set.sightings.fetch()
            #expect(
                try sightings.map { row in
                    [row.id, row.species, row.number, row.weather, row.place, row.link]
                        .map(Self.text)
                }
                    == plain.rows(
                        "SELECT id, species, number, weather, place, link FROM sighting ORDER BY id"
                    ))
            #expect(sightings.count { $0.isRare } == 1)
            #expect(
                try sightings.map { Int(($0.seenAt.timeIntervalSince1970 * 1000).rounded()) }
                    == plain.values(
                        """
                        SELECT CAST(round((julianday(seenAt) - 2440587.5) * 86400000) AS INTEGER)
                        FROM sighting ORDER BY id
                        """
                    ).compactMap { Int($0) })
            let byObserver = try await set.observers.sightingsByObserver(of: observers)
            #expect(byObserver.values.map(\.count).reduce(0, +) == sightings.count)
            #expect(try await set.grdbMigrations.count() == 2)
        }
    }

    @Test("of awkward tables are all readable")
    func awkward() async throws {
        let database = try RealDatabase.awkward()
        defer { database.file.map { try? FileManager.default.removeItem(at: $0) } }
        try await database.withCopy { path in
            let plain = try PlainFile(path)
            let set = Awkward(context: database.context(path, Awkward.schema))
            var tables = 0
            func check<E: Entity>(_ records: [E]) throws {
                let table = E.Mapper.table.name.replacing("\"", with: "\"\"")
                #expect(
                    try ["\(records.count)"] == plain.values("SELECT count(*) FROM \"\(table)\""))
                tables += 1
            }
            try await check(set.authors.fetch())
            try await check(set.backwards.fetch())
            try await check(set.bigints.fetch())
            try await check(set.books.fetch())
            try await check(set.bookAuthors.fetch())
            try await check(set.bytes.fetch())
            try await check(set.checks.fetch())
            try await check(set.chickens.fetch())
            try await check(set.childs.fetch())
            try await check(set.classes.fetch())
            try await check(set.composites.fetch())
            try await check(set.counteds.fetch())
            try await check(set.dateRecords.fetch())
            try await check(set.defaults.fetch())
            try await check(set.descendings.fetch())
            try await check(set.describeds.fetch())
            try await check(set.details.fetch())
            try await check(set.eggs.fetch())
            try await check(set.empties.fetch())
            try await check(set.etcs.fetch())
            try await check(set.follows.fetch())
            try await check(set.größens.fetch())
            try await check(set.integers.fetch())
            try await check(set.loans.fetch())
            try await check(set.lowers.fetch())
            try await check(set.mixeds.fetch())
            try await check(set.moments.fetch())
            try await check(set.newLines.fetch())
            try await check(set.nodes.fetch())
            try await check(set.nullableKeys.fetch())
            try await check(set.orderDetails.fetch())
            try await check(set.pairs.fetch())
            try await check(set.parents.fetch())
            try await check(set.persons.fetch())
            try await check(set.selects.fetch())
            try await check(set.stricts.fetch())
            try await check(set.table2nds.fetch())
            try await check(set.traps.fetch())
            try await check(set.triples.fetch())
            try await check(set.uppers.fetch())
            try await check(set.items.fetch())
            try await check(set.logs.fetch())
            try await check(set.nullKeys.fetch())
            try await check(set.requireds.fetch())
            try await check(set.sales.fetch())
            try await check(set.stringRecords.fetch())
            try await check(set.tags.fetch())
            try await check(set.visits.fetch())
            try await check(set.weights.fetch())
            try await check(set.words.fetch())
            #expect(tables == Awkward.schema.tables.count)
        }
    }

    /// Returns a value as SQLite writes it.
    private static func text(_ value: Any?) -> String {
        guard let value else { return "NULL" }
        if let date = value as? Date {
            return date.formatted(.iso8601).replacing("T", with: " ").replacing("Z", with: "")
        }
        return "\(value)"
    }
}
