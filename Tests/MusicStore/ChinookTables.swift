import Foundation
import RepositoryRuntime

/// The rows of the JSON file, under its own names.
struct Tables: Decodable {
    struct Artist: Decodable { let ArtistId: Int, Name: String? }
    struct Album: Decodable { let AlbumId: Int, Title: String, ArtistId: Int }
    struct Genre: Decodable { let GenreId: Int, Name: String? }
    struct MediaType: Decodable { let MediaTypeId: Int, Name: String? }
    struct Playlist: Decodable { let PlaylistId: Int, Name: String? }
    struct PlaylistTrack: Decodable { let PlaylistId: Int, TrackId: Int }
    struct Track: Decodable {
        let TrackId: Int, Name: String, AlbumId: Int?, MediaTypeId: Int, GenreId: Int?
        let Composer: String?, Milliseconds: Int, Bytes: Int?, UnitPrice: Decimal
    }
    struct Employee: Decodable {
        let EmployeeId: Int, LastName: String, FirstName: String, Title: String?, ReportsTo: Int?
        let BirthDate: String?, HireDate: String?, Address: String?, City: String?, State: String?
        let Country: String?, PostalCode: String?, Phone: String?, Fax: String?, Email: String?
    }
    struct Customer: Decodable {
        let CustomerId: Int, FirstName: String, LastName: String, Company: String?, Address: String?
        let City: String?, State: String?, Country: String?, PostalCode: String?, Phone: String?
        let Fax: String?, Email: String, SupportRepId: Int?
    }
    struct Invoice: Decodable {
        let InvoiceId: Int, CustomerId: Int, InvoiceDate: String, BillingAddress: String?
        let BillingCity: String?, BillingState: String?, BillingCountry: String?
        let BillingPostalCode: String?, Total: Decimal
    }
    struct InvoiceLine: Decodable {
        let InvoiceLineId: Int, InvoiceId: Int, TrackId: Int, UnitPrice: Decimal, Quantity: Int
    }

    let Artist: [Artist], Album: [Album], Genre: [Genre], MediaType: [MediaType], Track: [Track]
    let Playlist: [Playlist], PlaylistTrack: [PlaylistTrack], Employee: [Employee]
    let Customer: [Customer], Invoice: [Invoice], InvoiceLine: [InvoiceLine]
}

/// The JSON form writes a null text as an empty one; the original file holds no empty text.
private func known(_ text: String?) -> String? {
    text == "" ? nil : text
}

extension Track {
    init(_ row: Tables.Track) {
        self.init(
            id: .init(row.TrackId), name: row.Name, albumID: row.AlbumId.map { .init($0) },
            mediaTypeID: .init(row.MediaTypeId), genreID: row.GenreId.map { .init($0) },
            composer: known(row.Composer), milliseconds: row.Milliseconds, bytes: row.Bytes,
            unitPrice: row.UnitPrice)
    }
}

extension Employee {
    init(_ row: Tables.Employee) throws {
        self.init(
            id: .init(row.EmployeeId), lastName: row.LastName, firstName: row.FirstName,
            title: known(row.Title), reportsToID: row.ReportsTo.map { .init($0) },
            birthDate: try row.BirthDate.map(Chinook.date),
            hireDate: try row.HireDate.map(Chinook.date),
            place: Place(
                address: known(row.Address), city: known(row.City), state: known(row.State),
                country: known(row.Country),
                postalCode: known(row.PostalCode)),
            phone: known(row.Phone), fax: known(row.Fax), email: known(row.Email))
    }
}

extension Customer {
    init(_ row: Tables.Customer) {
        self.init(
            id: .init(row.CustomerId), firstName: row.FirstName, lastName: row.LastName,
            company: known(row.Company),
            place: Place(
                address: known(row.Address), city: known(row.City), state: known(row.State),
                country: known(row.Country),
                postalCode: known(row.PostalCode)),
            phone: known(row.Phone), fax: known(row.Fax), email: row.Email,
            supportRepID: row.SupportRepId.map { .init($0) })
    }
}

extension Invoice {
    init(_ row: Tables.Invoice) throws {
        self.init(
            id: .init(row.InvoiceId), customerID: .init(row.CustomerId),
            invoiceDate: try Chinook.date(row.InvoiceDate),
            billing: Place(
                address: known(row.BillingAddress), city: known(row.BillingCity),
                state: known(row.BillingState),
                country: known(row.BillingCountry), postalCode: known(row.BillingPostalCode)),
            total: row.Total)
    }
}

extension InvoiceLine {
    init(_ row: Tables.InvoiceLine) {
        self.init(
            id: .init(row.InvoiceLineId), invoiceID: .init(row.InvoiceId),
            trackID: .init(row.TrackId), unitPrice: row.UnitPrice, quantity: row.Quantity)
    }
}
