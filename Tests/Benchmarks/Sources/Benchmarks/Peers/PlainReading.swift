import Foundation
import GRDB

/// The record as the peers want it: a struct with synthesised `Codable`.
struct PlainReading: Codable, FetchableRecord, PersistableRecord {
    var id: String
    var station: String
    var quantity: String
    var note: String
    var count: Int
    var value: Double
    var isValid: Bool
    var takenAt: Date

    enum CodingKeys: String, CodingKey {
        case id, station, quantity, note, count, value
        case isValid = "is_valid"
        case takenAt = "taken_at"
    }

    static let databaseTableName = "readings"

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .millisecondsSince1970
    }

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .millisecondsSince1970
    }
}

extension Reading {
    /// The reading of a number: four texts of common lengths, and no two alike.
    init(number: Int) {
        self.init(
            id: Reading.ID(Reading.id(number)), station: "Zürich Fluntern \(number % 100)",
            quantity: "air temperature", note: "Read by hand at the usual hour, number \(number).",
            count: number, value: Double(number) * 0.37 - 20, isValid: number % 7 != 0,
            takenAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 60))
    }

    /// The id of a number; in the order of the numbers.
    static func id(_ number: Int) -> String { "reading-\(1_000_000_000 + number)" }

    /// The first readings.
    static func first(_ count: Int) -> [Reading] { (0..<count).map(Reading.init) }
}

extension PlainReading {
    init(_ reading: Reading) {
        id = reading.id.rawValue
        station = reading.station
        quantity = reading.quantity
        note = reading.note
        count = reading.count
        value = reading.value
        isValid = reading.isValid
        takenAt = reading.takenAt
    }
}
