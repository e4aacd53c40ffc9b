import Foundation
import RepositoryRuntime
import Testing

/// The questions of a music store, asked through repositories and, in SQL, of the original file.
extension MusicStoreTests {
    func expectAnswersToAgree(_ store: MusicStore) async throws {
        let original = OriginalDatabase(folder: try #require(Chinook.folder))
        #expect(try await topCustomers(store) == original.rows(Self.topCustomers))
        #expect(try await tracksByGenre(store) == original.rows(Self.tracksByGenre))
        #expect(try await invoicesByMonth(store) == original.rows(Self.invoicesByMonth))
        #expect(try await employeesAndManagers(store) == original.rows(Self.employeesAndManagers))
        #expect(try await longestPlaylists(store) == original.rows(Self.longestPlaylists))
        #expect(try await strangersToJazz(store) == original.rows(Self.strangersToJazz))
        #expect(try await salesByAgent(store) == original.rows(Self.salesByAgent))
        #expect(try await longTracks(store) == original.rows(Self.longTracks))
        #expect(try await spring(store) == original.rows(Self.spring))
    }

    private static let topCustomers = """
        SELECT c.CustomerId, c.LastName, SUM(CAST(ROUND(i.Total * 100) AS INTEGER)) AS spent
        FROM Customer c JOIN Invoice i ON i.CustomerId = c.CustomerId
        GROUP BY c.CustomerId ORDER BY spent DESC, c.CustomerId LIMIT 10
        """

    private func topCustomers(_ store: MusicStore) async throws -> [[String?]] {
        let customers = try await store.customers.fetch()
        let invoices = try await store.customers.invoices(of: customers)
        var rows = customers.map { customer in
            let totals = invoices[customer.id, default: []].map(\.total)
            return (customer: customer, spent: totals.reduce(0, +) * 100)
        }
        rows.sort { ($1.spent, $0.customer.id) < ($0.spent, $1.customer.id) }
        return rows.prefix(10).map { ["\($0.customer.id)", $0.customer.lastName, "\($0.spent)"] }
    }

    private static let tracksByGenre = """
        SELECT g.Name, COUNT(t.TrackId), MAX(t.Milliseconds), SUM(t.Bytes)
        FROM Genre g LEFT JOIN Track t ON t.GenreId = g.GenreId GROUP BY g.GenreId ORDER BY g.Name
        """

    private func tracksByGenre(_ store: MusicStore) async throws -> [[String?]] {
        var rows: [[String?]] = []
        let genres = try await store.genres.fetch(.sorted(by: \.name))
        let tracks = try await store.genres.tracks(of: genres)
        for genre in genres {
            let own = tracks[genre.id, default: []]
            let query = Query<Track>.where { $0.genreID == genre.id }
            // What the store counts is what it loads.
            #expect(try await store.tracks.count(query) == own.count)
            rows.append([
                genre.name, "\(own.count)", own.first?.milliseconds.description,
                "\(own.compactMap(\.bytes).reduce(0, +))",
            ])
        }
        return rows
    }

    private static let invoicesByMonth = """
        SELECT strftime('%Y-%m', InvoiceDate), COUNT(*), SUM(CAST(ROUND(Total * 100) AS INTEGER))
        FROM Invoice GROUP BY 1 ORDER BY 1
        """

    private func invoicesByMonth(_ store: MusicStore) async throws -> [[String?]] {
        var months: [String: (count: Int, total: Decimal)] = [:]
        for try await invoice in store.invoices.stream(.sorted(by: \.invoiceDate)) {
            let month = invoice.invoiceDate.formatted(.iso8601.year().month())
            months[month, default: (0, 0)].count += 1
            months[month, default: (0, 0)].total += invoice.total * 100
        }
        return months.sorted { $0.key < $1.key }.map { [$0, "\($1.count)", "\($1.total)"] }
    }

    private static let employeesAndManagers = """
        SELECT e.LastName, m.LastName, (SELECT COUNT(*) FROM Employee r WHERE r.ReportsTo = e.EmployeeId)
        FROM Employee e LEFT JOIN Employee m ON m.EmployeeId = e.ReportsTo ORDER BY e.EmployeeId
        """

    private func employeesAndManagers(_ store: MusicStore) async throws -> [[String?]] {
        var rows: [[String?]] = []
        for employee in try await store.employees.fetch() {
            let manager = try await store.employees.fetch(
                .where { $0.id.in(employee.reportsToID.map { [$0] } ?? []) })
            let reports = try await store.employees.reports(of: employee)
            rows.append([employee.lastName, manager.first?.lastName, "\(reports.count)"])
        }
        return rows
    }

    private static let longestPlaylists = """
        SELECT p.PlaylistId, p.Name, COUNT(*) AS tracks FROM Playlist p
        JOIN PlaylistTrack t ON t.PlaylistId = p.PlaylistId
        GROUP BY p.PlaylistId ORDER BY tracks DESC, p.PlaylistId LIMIT 5
        """

    private func longestPlaylists(_ store: MusicStore) async throws -> [[String?]] {
        var counts: [Playlist.ID: Int] = [:]
        for try await entry in store.playlistTracks.stream(.all) {
            counts[entry.playlistID, default: 0] += 1
        }
        let playlists = try await store.playlists.fetch(.where { $0.id.in(Array(counts.keys)) })
        let rows = playlists.map { (playlist: $0, tracks: counts[$0.id] ?? 0) }
            .sorted { ($1.tracks, $0.playlist.id) < ($0.tracks, $1.playlist.id) }
        return rows.prefix(5).map { ["\($0.playlist.id)", $0.playlist.name, "\($0.tracks)"] }
    }

    private static let strangersToJazz = """
        SELECT c.CustomerId, c.LastName FROM Customer c WHERE c.CustomerId NOT IN (
            SELECT i.CustomerId FROM Invoice i JOIN InvoiceLine l ON l.InvoiceId = i.InvoiceId
            JOIN Track t ON t.TrackId = l.TrackId JOIN Genre g ON g.GenreId = t.GenreId
            WHERE g.Name = 'Jazz') ORDER BY c.LastName, c.CustomerId
        """

    private func strangersToJazz(_ store: MusicStore) async throws -> [[String?]] {
        let jazz = try #require(try await store.genres.called(name: "Jazz").first)
        let tracks = try await store.genres.tracks(of: jazz)
        let lines = try await store.invoiceLines.sold(tracks: tracks.map(\.id))
        let invoices = try await store.invoices.fetch(
            .where { $0.id.in(lines.map(\.invoiceID)) })
        return try await store.customers.others(customers: invoices.map(\.customerID))
            .map { ["\($0.id)", $0.lastName] }
    }

    private static let salesByAgent = """
        SELECT e.LastName, COUNT(DISTINCT c.CustomerId), SUM(CAST(ROUND(i.Total * 100) AS INTEGER))
        FROM Employee e JOIN Customer c ON c.SupportRepId = e.EmployeeId
        JOIN Invoice i ON i.CustomerId = c.CustomerId GROUP BY e.EmployeeId ORDER BY e.EmployeeId
        """

    private func salesByAgent(_ store: MusicStore) async throws -> [[String?]] {
        var rows: [[String?]] = []
        for employee in try await store.employees.fetch() {
            let customers = try await store.employees.customers(of: employee).map(\.id)
            guard !customers.isEmpty else { continue }
            let total = try await store.invoices.sum(
                of: \.total, from: .where { $0.customerID.in(customers) })
            rows.append([employee.lastName, "\(customers.count)", "\(total * 100)"])
        }
        return rows
    }

    private static let longTracks = """
        SELECT t.TrackId, t.Name FROM Track t JOIN Genre g ON g.GenreId = t.GenreId
        WHERE g.Name = 'Rock' AND t.Milliseconds > 600000
        ORDER BY t.Milliseconds DESC, t.Name, t.TrackId LIMIT 5
        """

    private func longTracks(_ store: MusicStore) async throws -> [[String?]] {
        let rock = try #require(try await store.genres.called(name: "Rock").first)
        return try await store.tracks.longerThan(genre: rock.id, milliseconds: 600_000)
            .map { ["\($0.id)", $0.name] }
    }

    private static let spring = """
        SELECT InvoiceId FROM Invoice
        WHERE InvoiceDate >= '2022-03-01' AND InvoiceDate < '2022-06-01' ORDER BY InvoiceDate, InvoiceId
        """

    private func spring(_ store: MusicStore) async throws -> [[String?]] {
        let from = try Date("2022-03-01T00:00:00Z", strategy: .iso8601)
        let until = try Date("2022-06-01T00:00:00Z", strategy: .iso8601)
        let invoices = try await store.invoices.issued(from: from, until: until)
        #expect(!invoices.isEmpty)
        return invoices.map { ["\($0.id)"] }
    }
}
