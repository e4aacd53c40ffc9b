import Foundation
import GRDB

/// Somebody who watches birds. Everything is stored as GRDB does by default.
struct Observer: Codable, FetchableRecord, PersistableRecord {
    /// A blob of 16 bytes.
    var id: UUID
    var name: String
    var email: String?
    /// Text: `YYYY-MM-DD HH:MM:SS.SSS` in UTC.
    var joinedAt: Date
}

/// A camera, whose id GRDB is told to keep as text in lower case.
struct Camera: Codable, FetchableRecord, PersistableRecord {
    var id: UUID
    /// Text in upper case.
    var serial: UUID?
    var model: String

    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        column == "serial" ? .uppercaseString : .lowercaseString
    }
}
