import Foundation

/// What `write` stores: the same every time.
struct Samples {
    var observers: [Observer] = []
    var cameras: [Camera] = []
    var sightings: [Sighting] = []

    private static func uuid(_ last: UInt8) -> UUID {
        UUID(
            uuid: (0xAB, 0xCD, 0xEF, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, last))
    }

    private static func date(_ seconds: Double) -> Date {
        Date(timeIntervalSince1970: 1_700_000_000 + seconds)
    }

    /// Two observers, two cameras and three sightings: one with every value, one with none that may lack.
    static var all: Samples {
        let (ada, grace) = (uuid(1), uuid(2))
        var samples = Samples()
        samples.observers = [
            Observer(id: ada, name: "Ada", email: "ada@example.org", joinedAt: date(0.125)),
            Observer(id: grace, name: "Grace 🦉", email: nil, joinedAt: date(-4_000_000_000)),
        ]
        samples.cameras = [
            Camera(id: uuid(0xC1), serial: uuid(0xD1), model: "Wide"),
            Camera(id: uuid(0xC2), serial: nil, model: "Long"),
        ]
        samples.sightings = [
            Sighting(
                id: nil, observerId: ada, confirmerId: grace, cameraId: uuid(0xC1),
                species: "Strix aluco", number: 2, distance: 12.5, isRare: true,
                seenAt: date(60.25), reportedAt: date(60.5), checkedAt: date(100),
                photo: Data([0, 1, 0xFF]), link: URL(string: "https://example.org/owl?q=1"),
                weight: Decimal(string: "0.4375"), weather: .rain,
                place: Place(
                    height: 411.5, latitude: 47.5, longitude: -8.25, name: "Wood",
                    surveyedAt: date(0.5)),
                tags: ["night", "pair \"two\""], flock: ["adult": 2, "young": 0]),
            Sighting(
                id: nil, observerId: grace, confirmerId: nil, cameraId: nil,
                species: "Apus apus", number: -1, distance: nil, isRare: false, seenAt: date(0),
                reportedAt: nil, checkedAt: nil, photo: nil, link: nil, weight: nil,
                weather: .clear,
                place: Place(
                    height: nil, latitude: 0, longitude: 0, name: "", surveyedAt: nil),
                tags: [], flock: [:]),
            Sighting(
                id: nil, observerId: ada, confirmerId: nil, cameraId: uuid(0xC2),
                species: "Strix aluco", number: 1, distance: 3, isRare: false,
                seenAt: date(86_400.001), reportedAt: date(86_401), checkedAt: date(86_400),
                photo: Data(), link: nil, weight: 12, weather: .cloudy,
                place: Place(
                    height: nil, latitude: 47, longitude: 8, name: "Field", surveyedAt: nil),
                tags: ["night"], flock: ["adult": 1]),
        ]
        return samples
    }
}
