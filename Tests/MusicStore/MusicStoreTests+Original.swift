import Foundation
import RepositoryRuntime
import Testing

extension MusicStoreTests {
    /// Compares what a store holds with what the original file answers to SQL, value by value.
    func expectEqualToOriginal(_ store: MusicStore) async throws {
        let original = OriginalDatabase(folder: try #require(Chinook.folder))
        try await compareCatalogue(store, original)
        try await compareSales(store, original)
    }

    private func compareCatalogue(_ store: MusicStore, _ original: OriginalDatabase) async throws {
        #expect(
            try await store.artists.fetch().map { ["\($0.id)", $0.name] }
                == original.rows("SELECT ArtistId, Name FROM Artist ORDER BY 1"))
        #expect(
            try await store.albums.fetch().map { ["\($0.id)", $0.title, "\($0.artistID)"] }
                == original.rows("SELECT AlbumId, Title, ArtistId FROM Album ORDER BY 1"))
        #expect(
            try await store.genres.fetch().map { ["\($0.id)", $0.name] }
                == original.rows("SELECT GenreId, Name FROM Genre ORDER BY 1"))
        #expect(
            try await store.mediaTypes.fetch().map { ["\($0.id)", $0.name] }
                == original.rows("SELECT MediaTypeId, Name FROM MediaType ORDER BY 1"))
        #expect(
            try await store.playlists.fetch().map { ["\($0.id)", $0.name] }
                == original.rows("SELECT PlaylistId, Name FROM Playlist ORDER BY 1"))
        #expect(
            try await store.playlistTracks.fetch().map { ["\($0.playlistID)", "\($0.trackID)"] }
                == original.rows("SELECT PlaylistId, TrackId FROM PlaylistTrack ORDER BY 1, 2"))
        #expect(
            try await store.tracks.fetch().map {
                [
                    "\($0.id)", $0.name, text($0.albumID), "\($0.mediaTypeID)", text($0.genreID),
                    $0.composer, "\($0.milliseconds)", text($0.bytes), cents($0.unitPrice),
                ]
            }
                == original.rows(
                    """
                    SELECT TrackId, Name, AlbumId, MediaTypeId, GenreId, Composer, Milliseconds, Bytes,
                        CAST(ROUND(UnitPrice * 100) AS INTEGER) FROM Track ORDER BY 1
                    """))
    }

    private func compareSales(_ store: MusicStore, _ original: OriginalDatabase) async throws {
        #expect(
            try await store.employees.fetch().map {
                [
                    "\($0.id)", $0.lastName, $0.firstName, $0.title, text($0.reportsToID),
                    day($0.birthDate),
                ]
                    + [day($0.hireDate)] + columns($0.place) + [$0.phone, $0.fax, $0.email]
            }
                == original.rows(
                    """
                    SELECT EmployeeId, LastName, FirstName, Title, ReportsTo, date(BirthDate), date(HireDate),
                        Address, City, State, Country, PostalCode, Phone, Fax, Email FROM Employee ORDER BY 1
                    """))
        #expect(
            try await store.customers.fetch().map {
                ["\($0.id)", $0.firstName, $0.lastName, $0.company] + columns($0.place)
                    + [$0.phone, $0.fax, $0.email, text($0.supportRepID)]
            }
                == original.rows(
                    """
                    SELECT CustomerId, FirstName, LastName, Company, Address, City, State, Country, PostalCode,
                        Phone, Fax, Email, SupportRepId FROM Customer ORDER BY 1
                    """))
        #expect(
            try await store.invoices.fetch().map {
                ["\($0.id)", "\($0.customerID)", day($0.invoiceDate)] + columns($0.billing) + [
                    cents($0.total)
                ]
            }
                == original.rows(
                    """
                    SELECT InvoiceId, CustomerId, date(InvoiceDate), BillingAddress, BillingCity, BillingState,
                        BillingCountry, BillingPostalCode, CAST(ROUND(Total * 100) AS INTEGER)
                        FROM Invoice ORDER BY 1
                    """))
        #expect(
            try await store.invoiceLines.fetch().map {
                [
                    "\($0.id)", "\($0.invoiceID)", "\($0.trackID)", cents($0.unitPrice),
                    "\($0.quantity)",
                ]
            }
                == original.rows(
                    """
                    SELECT InvoiceLineId, InvoiceId, TrackId, CAST(ROUND(UnitPrice * 100) AS INTEGER), Quantity
                        FROM InvoiceLine ORDER BY 1
                    """))
    }

    /// Asks questions of a store and of the original file.
    func expectQueriesToAgree(_ store: MusicStore) async throws {
        let original = OriginalDatabase(folder: try #require(Chinook.folder))
        let long = try await store.tracks.fetch(
            .where { $0.milliseconds > 2_000_000 && $0.composer == nil && $0.unitPrice > 1 }
                .sorted(by: \.name, .descending).limit(40).offset(3).allowingFullScan())
        #expect(
            try long.map { ["\($0.id)", $0.name] }
                == original.rows(
                    """
                    SELECT TrackId, Name FROM Track WHERE Milliseconds > 2000000 AND Composer IS NULL
                        AND UnitPrice > 1 ORDER BY Name DESC, TrackId LIMIT 40 OFFSET 3
                    """))
        let abroad = try await store.customers.count(
            .where { $0.place.country != "USA" && $0.place.city.hasPrefix("P") }
                .allowingFullScan())
        #expect(
            try [["\(abroad)"]]
                == original.rows(
                    "SELECT COUNT(*) FROM Customer WHERE Country <> 'USA' AND City GLOB 'P*'"))
    }

    private func columns(_ place: Place) -> [String?] {
        [place.address, place.city, place.state, place.country, place.postalCode]
    }

    private func text<V: CustomStringConvertible>(_ value: V?) -> String? {
        value?.description
    }

    private func cents(_ price: Decimal) -> String? {
        (price * 100).description
    }

    private func day(_ date: Date?) -> String? {
        date?.formatted(.iso8601.year().month().day())
    }
}
