import Foundation
import RepositoryRuntime
import Testing

/// The relations of the music store, and the rows that joins give in SQL.
extension MusicStoreTests {
    func expectRelationsToAgree(_ store: MusicStore) async throws {
        let original = OriginalDatabase(folder: try #require(Chinook.folder))
        let artists = try await store.artists.fetch()
        let albums = try await store.artists.albums(of: artists)
        #expect(albums.count == artists.count)
        #expect(
            rows(artists, albums)
                == (try original.rows(
                    "SELECT ArtistId, AlbumId FROM Album ORDER BY ArtistId, Title, AlbumId")))
        let all = try await store.albums.fetch()
        #expect(
            rows(all, try await store.albums.tracks(of: all))
                == (try original.rows(
                    "SELECT AlbumId, TrackId FROM Track WHERE AlbumId NOT NULL ORDER BY 1, 2")))
        try await compareJoins(store, original)
        try await compareSelfReferences(store, original)
        try await compareLimits(store, original)
        try await compareReferences(store, original)
    }

    private func compareJoins(_ store: MusicStore, _ original: OriginalDatabase) async throws {
        let playlists = try await store.playlists.fetch()
        #expect(
            rows(playlists, try await store.playlists.tracks(of: playlists))
                == (try original.rows(
                    """
                    SELECT p.PlaylistId, t.TrackId FROM PlaylistTrack p JOIN Track t USING (TrackId)
                    ORDER BY p.PlaylistId, t.Name, t.TrackId
                    """)))
        let tracks = try await store.tracks.fetch()
        #expect(
            rows(tracks, try await store.tracks.playlists(of: tracks))
                == (try original.rows("SELECT TrackId, PlaylistId FROM PlaylistTrack ORDER BY 1, 2"))
        )
    }

    private func compareSelfReferences(
        _ store: MusicStore, _ original: OriginalDatabase
    ) async throws {
        let employees = try await store.employees.fetch()
        #expect(
            rows(employees, try await store.employees.reports(of: employees))
                == (try original.rows(
                    """
                    SELECT ReportsTo, EmployeeId FROM Employee WHERE ReportsTo NOT NULL
                    ORDER BY ReportsTo, LastName, FirstName, EmployeeId
                    """)))
        #expect(
            rows(employees, try await store.employees.customers(of: employees))
                == (try original.rows(
                    """
                    SELECT SupportRepId, CustomerId FROM Customer
                    ORDER BY SupportRepId, LastName, CustomerId
                    """)))
    }

    private func compareLimits(_ store: MusicStore, _ original: OriginalDatabase) async throws {
        let customers = try await store.customers.fetch()
        #expect(
            rows(customers, try await store.customers.dearest(of: customers))
                == (try original.rows(
                    """
                    SELECT CustomerId, InvoiceId FROM (SELECT CustomerId, InvoiceId, row_number() OVER
                        (PARTITION BY CustomerId ORDER BY ROUND(Total * 100) DESC, InvoiceId) AS n
                        FROM Invoice) WHERE n <= 2 ORDER BY CustomerId, n
                    """)))
        let playlists = try await store.playlists.fetch()
        #expect(
            rows(playlists, try await store.playlists.longest(of: playlists))
                == (try original.rows(
                    """
                    SELECT PlaylistId, TrackId FROM (SELECT PlaylistId, TrackId, row_number() OVER
                        (PARTITION BY PlaylistId ORDER BY Milliseconds DESC, TrackId) AS n
                        FROM PlaylistTrack JOIN Track USING (TrackId))
                    WHERE n <= 3 ORDER BY PlaylistId, n
                    """)))
    }

    /// References followed the other way: from what refers to what it refers to.
    private func compareReferences(_ store: MusicStore, _ original: OriginalDatabase) async throws {
        let customers = try await store.customers.fetch()
        let invoices = try await store.customers.invoices(of: customers)
        let buyers = try await store.customers.fetch(
            ids: invoices.values.joined().map(\.customerID))
        let employees = try await store.employees.fetch(
            ids: buyers.values.compactMap(\.supportRepID))
        let rows = invoices.values.joined().sorted { $0.id < $1.id }.map { invoice in
            let buyer = buyers[invoice.customerID]
            return [
                "\(invoice.id)", buyer?.lastName,
                buyer?.supportRepID.flatMap { employees[$0]?.lastName },
            ]
        }
        #expect(
            rows
                == (try original.rows(
                    """
                    SELECT i.InvoiceId, c.LastName, e.LastName FROM Invoice i
                    JOIN Customer c USING (CustomerId)
                    LEFT JOIN Employee e ON e.EmployeeId = c.SupportRepId ORDER BY 1
                    """)))
    }

    /// The ids of each parent and of what belongs to it, as rows of a join.
    private func rows<Parent: Entity, Related: Entity>(
        _ parents: [Parent], _ related: [Parent.ID: [Related]]
    ) -> [[String?]] {
        parents.flatMap { parent in
            (related[parent.id] ?? []).map { ["\(parent.id)", "\($0.id)"] }
        }
    }
}
