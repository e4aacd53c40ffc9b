import Foundation
import RepositoryRuntime
import RepositorySQLite
import Testing

/// The database that GRDB has written, and its schema.
enum GRDBFile {
    static let url = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Files/GRDB.sqlite")

    /// The program that writes and reads it with GRDB, where there is one.
    static let program = ProcessInfo.processInfo.environment["REPOSITORY_GRDB_PROGRAM"]

    static let schema = StoreSchema(
        "Sightings", [Observer.self, Camera.self, Sighting.self])

    static var tables: [String] { schema.tables.map(\.name) }

    /// Copies the file, which may be one that nobody may write.
    static func copy(to path: String) throws {
        try Data(contentsOf: url).write(to: URL(filePath: path))
    }

    static func context(_ path: String) -> RepositoryContext {
        RepositoryContext(store: SQLiteStore(path: path), schema: schema, fullScans: .allow)
    }

    /// Stores a record in every table.
    static func write(_ context: RepositoryContext) async throws {
        let observer = try await ObserverRepository(context).create(
            Observer(
                id: Observer.ID(Samples.uuid(3)), name: "Mary", email: "m@example.org",
                joinedAt: Samples.date(0.001)))
        let camera = try await CameraRepository(context).create(
            Camera(
                id: Camera.ID(Samples.uuid(0xC3)), serial: Samples.uuid(0xD3), model: "Macro"))
        try await SightingRepository(context).create(
            Sighting(
                id: 7, observerID: observer.id, cameraID: camera.id, species: "Apus apus",
                number: 3, seenAt: Samples.date(1.5), reportedAt: Samples.date(0.25),
                checkedAt: Samples.date(2), photo: Data([0xFF, 0]),
                link: URL(string: "https://example.org/swift"), weight: Decimal(string: "0.5"),
                weather: .rain,
                place: Place(
                    latitude: 1.5, longitude: 2.25, name: "Pond", surveyedAt: 1_700_000_000_500),
                tags: ["new"], flock: ["adult": 3]))
    }

    /// Runs the program to its end.
    static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: try #require(program))
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}

/// What the program stores.
enum Samples {
    static func uuid(_ last: UInt8) -> UUID {
        UUID(uuid: (0xAB, 0xCD, 0xEF, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, last))
    }

    static func date(_ seconds: Double) -> Date {
        StoredDate.rounded(Date(timeIntervalSince1970: 1_700_000_000 + seconds))
    }

    static let observers = [
        Observer(
            id: Observer.ID(uuid(1)), name: "Ada", email: "ada@example.org", joinedAt: date(0.125)),
        Observer(
            id: Observer.ID(uuid(2)), name: "Grace 🦉", email: nil, joinedAt: date(-4_000_000_000)),
    ]

    static let cameras = [
        Camera(id: Camera.ID(uuid(0xC1)), serial: uuid(0xD1), model: "Wide"),
        Camera(id: Camera.ID(uuid(0xC2)), serial: nil, model: "Long"),
    ]

    static let sightings = [
        Sighting(
            id: 1, observerID: observers[0].id, confirmerID: observers[1].id,
            cameraID: cameras[0].id, species: "Strix aluco", number: 2, distance: 12.5,
            isRare: true, seenAt: date(60.25), reportedAt: date(60.5), checkedAt: date(100),
            photo: Data([0, 1, 0xFF]), link: URL(string: "https://example.org/owl?q=1"),
            weight: Decimal(string: "0.4375"), weather: .rain,
            place: Place(
                height: 411.5, latitude: 47.5, longitude: -8.25, name: "Wood",
                surveyedAt: 1_700_000_000_500),
            tags: ["night", "pair \"two\""], flock: ["adult": 2, "young": 0]),
        Sighting(
            id: 2, observerID: observers[1].id, species: "Apus apus", number: -1, seenAt: date(0),
            weather: .clear, place: Place(latitude: 0, longitude: 0, name: ""), tags: [],
            flock: [:]),
        Sighting(
            id: 3, observerID: observers[0].id, cameraID: cameras[1].id, species: "Strix aluco",
            number: 1, distance: 3, seenAt: date(86_400.001), reportedAt: date(86_401),
            checkedAt: date(86_400), photo: Data(), weight: 12, weather: .cloudy,
            place: Place(latitude: 47, longitude: 8, name: "Field"), tags: ["night"],
            flock: ["adult": 1]),
    ]
}

extension PlainFile {
    /// Every row of a table as SQL literals, which tell types apart.
    func stored(_ table: String) throws -> [[String]] {
        let columns = try values("SELECT name FROM pragma_table_info('\(table)')")
            .map { "quote(\"\($0)\")" }
        return try rows("SELECT \(columns.joined(separator: ", ")) FROM \"\(table)\" ORDER BY id")
    }
}
