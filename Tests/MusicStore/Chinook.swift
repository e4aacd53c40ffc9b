import Foundation
import RepositoryRuntime

/// The Chinook sample database as entities: a music store of 11 tables and 15,607 rows.
struct Chinook: Sendable {
    let artists: [Artist]
    let albums: [Album]
    let genres: [Genre]
    let mediaTypes: [MediaType]
    let tracks: [Track]
    let playlists: [Playlist]
    let playlistTracks: [PlaylistTrack]
    let employees: [Employee]
    let customers: [Customer]
    let invoices: [Invoice]
    let invoiceLines: [InvoiceLine]

    /// The folder of the data, or nil where there is none.
    static let folder: URL? = {
        let environment = ProcessInfo.processInfo.environment["REPOSITORY_TEST_DATA"]
        let package = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent()
        let candidates = [
            environment.map { URL(filePath: $0) }, package.appending(path: "../shared/data"),
        ]
        return candidates.compactMap { $0?.appending(path: "chinook").standardizedFileURL }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }()

    /// Reads the JSON form of the data.
    init(contentsOf folder: URL) throws {
        let data = try Data(contentsOf: folder.appending(path: "ChinookData.json"))
        let tables = try JSONDecoder().decode(Tables.self, from: data)
        artists = tables.Artist.map { Artist(id: .init($0.ArtistId), name: $0.Name) }
        albums = tables.Album.map {
            Album(id: .init($0.AlbumId), title: $0.Title, artistID: .init($0.ArtistId))
        }
        genres = tables.Genre.map { Genre(id: .init($0.GenreId), name: $0.Name) }
        mediaTypes = tables.MediaType.map { MediaType(id: .init($0.MediaTypeId), name: $0.Name) }
        tracks = tables.Track.map(Track.init)
        playlists = tables.Playlist.map { Playlist(id: .init($0.PlaylistId), name: $0.Name) }
        playlistTracks = tables.PlaylistTrack.map {
            PlaylistTrack(playlistID: .init($0.PlaylistId), trackID: .init($0.TrackId))
        }
        employees = try tables.Employee.map(Employee.init)
        customers = tables.Customer.map(Customer.init)
        invoices = try tables.Invoice.map(Invoice.init)
        invoiceLines = tables.InvoiceLine.map(InvoiceLine.init)
    }

    /// The number of rows of all tables.
    var rowCount: Int {
        artists.count + albums.count + genres.count + mediaTypes.count + tracks.count
            + playlists.count
            + playlistTracks.count + employees.count + customers.count + invoices.count
            + invoiceLines.count
    }

    /// Stores every row, referred-to tables first.
    func load(into store: MusicStore) async throws {
        try await store.genres.createAll(genres)
        try await store.mediaTypes.createAll(mediaTypes)
        try await store.artists.createAll(artists)
        try await store.albums.createAll(albums)
        try await store.tracks.createAll(tracks)
        try await store.playlists.createAll(playlists)
        try await store.playlistTracks.createAll(playlistTracks)
        try await store.employees.createAll(employees)
        try await store.customers.createAll(customers)
        try await store.invoices.createAll(invoices)
        try await store.invoiceLines.createAll(invoiceLines)
    }
}

extension Chinook {
    /// A moment as the data writes it, such as `2021-01-01T00:00:00` or `2021-01-01 00:00:00`, in UTC.
    static func date(_ text: String) throws -> Date {
        try Date(
            String(text.prefix(10)) + "T" + text.dropFirst(11) + "Z", strategy: .iso8601)
    }
}
