import Foundation
import GRDB

/// A bird that was seen: a column for each kind of value that GRDB stores.
struct Sighting: Codable, FetchableRecord, MutablePersistableRecord {
    /// Given by SQLite.
    var id: Int64?
    var observerId: UUID
    var confirmerId: UUID?
    var cameraId: UUID?
    var species: String
    var number: Int
    var distance: Double?
    var isRare: Bool
    var seenAt: Date
    /// Seconds since 1970: a floating-point number, and a whole one.
    var reportedAt: Date?
    var checkedAt: Date?
    var photo: Data?
    var link: URL?
    var weight: Decimal?
    var weather: Weather
    /// JSON, as everything that SQLite has no column for.
    var place: Place
    var tags: [String]
    var flock: [String: Int]

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        switch column {
        case "reportedAt": .timeIntervalSince1970
        case "checkedAt": .secondsSince1970
        default: .deferredToDate
        }
    }

    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        column == "cameraId" ? .lowercaseString : .deferredToUUID
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

extension Sighting {
    /// What the columns of numbers hold, which are no moments of the default form.
    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        switch column {
        case "reportedAt", "checkedAt": .timeIntervalSince1970
        default: .deferredToDate
        }
    }
}

enum Weather: String, Codable {
    case clear, cloudy
    case rain = "light_rain"
}

struct Place: Codable {
    var height: Double?
    var latitude: Double
    var longitude: Double
    var name: String
    var surveyedAt: Date?
}
