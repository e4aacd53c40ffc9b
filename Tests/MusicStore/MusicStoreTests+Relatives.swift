import Foundation
import RepositoryRuntime
import Testing

/// Conditions on related records, and the rows that joins and subqueries find in SQL.
extension MusicStoreTests {
    func expectRelativesToAgree(_ store: MusicStore) async throws {
        let original = OriginalDatabase(folder: try #require(Chinook.folder))
        let tracks = try await store.tracks.ids(
            .where { $0.album.artist.name == "Iron Maiden" && $0.milliseconds > 400_000 })
        #expect(!tracks.isEmpty)
        #expect(
            tracks.map { "\($0)" }
                == (try original.rows(
                    """
                    SELECT TrackId FROM Track JOIN Album USING (AlbumId) JOIN Artist a USING (ArtistId)
                    WHERE a.Name = 'Iron Maiden' AND Milliseconds > 400000 ORDER BY TrackId
                    """
                ).map { $0[0] }))
        let artists = try await store.artists.ids(
            .where { $0.albums.count >= 5 && $0.albums.none { $0.title.hasPrefix("The") } })
        #expect(!artists.isEmpty)
        #expect(
            artists.map { "\($0)" }
                == (try original.rows(
                    """
                    SELECT ArtistId FROM Album GROUP BY ArtistId
                    HAVING count(*) >= 5 AND sum(substr(Title, 1, 3) = 'The') = 0 ORDER BY 1
                    """
                ).map { $0[0] }))
        let playlists = try await store.playlists.ids(
            .where { $0.tracks.any { $0.genre.name == "Jazz" } && $0.tracks.count < 100 })
        let lists = try original.rows(
            """
            SELECT PlaylistId FROM PlaylistTrack JOIN Track USING (TrackId)
            JOIN Genre g USING (GenreId) GROUP BY PlaylistId
            HAVING sum(g.Name = 'Jazz') > 0 AND count(DISTINCT TrackId) < 100 ORDER BY 1
            """)
        #expect(playlists.map { "\($0)" } == lists.map { $0[0] })
    }

    @Test("A search begins at the side that reads less, and the explanation shows both.")
    func sides() async throws {
        let store = MusicStore(InMemoryStore(), fullScans: .refuse)
        for number in 1...4 {
            try await store.artists.create(Artist(id: .init(number), name: "Artist \(number % 2)"))
            try await store.albums.create(
                Album(id: .init(number), title: "T\(number)", artistID: .init(number)))
        }
        // Artists are not indexed by their names, but the album is known by its id.
        let known = Query<Album>.where { $0.id == 3 && $0.artist.name == "Artist 1" }
        #expect(try await store.albums.fetch(known).map(\.id) == [3])
        #expect(
            try await store.albums.explain(known).description == """
                first, the records are found by their own conditions, and those of 'artists' that \
                'artist' links with them are read
                memory: reads 1 ids of albums
                runtime: tests artist(name == ?)
                reads 1 records at most
                """)
        let other = Query<Album>.where { $0.id == 2 && $0.artist.name == "Artist 1" }
        #expect(try await store.albums.fetch(other).isEmpty)
        // The artist is known by its id, and leads to its albums.
        let back = Query<Album>.where { $0.title == "T4" && $0.artist.id == 4 }
        #expect(try await store.albums.fetch(back).map(\.id) == [4])
        #expect(
            try await store.albums.explain(back).description == """
                first, the records of 'artists' for 'artist' are found:
                    memory: reads 1 ids of artists
                    reads 1 records at most
                memory: finds by the index albums_artist (artistID)
                runtime: tests title == ?
                reads as many records as it finds
                """)
        let relation = Query<Artist>.where {
            $0.id.in([1, 2]) && $0.albums.any { $0.title == "T2" }
        }
        #expect(try await store.artists.fetch(relation).map(\.id) == [2])
        // No index leads to either side.
        await #expect(throws: CRUDRepositoryError.self) {
            try await store.albums.fetch(.where { $0.artist.name == "Artist 1" })
        }
        #expect(
            try await store.albums.count(
                Query.where { $0.artist.name == "Artist 1" }.allowingFullScan()) == 2)
    }
}
