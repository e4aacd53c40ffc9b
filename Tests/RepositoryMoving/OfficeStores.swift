import Foundation
import RepositoryMoving
import RepositoryRuntime
import RepositorySQLite

#if PostgreSQL
    import RepositoryPostgreSQL
#endif

/// The kinds of stores that are copied into each other.
enum StoreKind: String, CaseIterable, Sendable {
    case memory, defaults, filesJSON, filesCBOR, sqlite, postgresql

    /// The kinds that this run has. PostgreSQL needs a server.
    static var available: [StoreKind] {
        allCases.filter {
            $0 != .postgresql
                || ProcessInfo.processInfo.environment["REPOSITORY_POSTGRESQL"] != nil
        }
    }

    /// Each kind that can have external data, once as a source and once as a target.
    static var ring: [(StoreKind, StoreKind)] {
        let kinds = available.filter { $0 != .defaults }
        return zip(kinds, kinds.dropFirst() + kinds.prefix(1)).map { ($0, $1) }
    }

    /// All ordered pairs of those that can have external data.
    static var pairs: [(StoreKind, StoreKind)] {
        let kinds = available.filter { $0 != .defaults }
        return kinds.flatMap { one in kinds.map { (one, $0) } }
    }
}

/// A folder with the stores of one test.
final class OfficeStores: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Creates a store. The same name is the same data, apart from memory.
    func store(_ kind: StoreKind, _ name: String) -> any EntityStore {
        switch kind {
        case .memory: return InMemoryStore()
        case .defaults:
            return UserDefaultsStore(suiteName: folder.appending(path: name).path)
        case .filesJSON:
            return FileSystemStore(directory: folder.appending(path: name))
        case .filesCBOR:
            return FileSystemStore(
                directory: folder.appending(path: name), transformer: CBORDataTransformer())
        case .sqlite:
            return SQLiteStore(path: folder.appending(path: "\(name).sqlite").path)
        case .postgresql:
            #if PostgreSQL
                let address =
                    ProcessInfo.processInfo.environment["REPOSITORY_POSTGRESQL"] ?? ""
                let schema = "m\(folder.lastPathComponent.prefix(8))_\(name)".lowercased()
                return PostgreSQLStore(address, schema: schema)
            #else
                return InMemoryStore()
            #endif
        }
    }

    /// Stores teams in circles, people with everything that a record can have, and bookings.
    static func fill(_ store: any EntityStore, people: Int = 40) async throws {
        let time = Date(timeIntervalSince1970: 1_700_000_000.123456)
        let office = Office(store, now: { time })
        // The first ids are given and deleted again: they must not be given once more.
        for name in ["a", "b"] {
            let team = try await office.teams.create(.named(name))
            try await office.teams.delete(team.id)
        }
        var teams: [Team] = []
        for name in ["North", "South", "Café", "Cafe\u{301}"] {
            teams.append(try await office.teams.create(.named(name)))
        }
        let names = (0..<people).map { number in
            // Ids that differ in case and in Unicode form alone.
            switch number {
            case 0: "ada"
            case 1: "Ada"
            case 2: "caf\u{E9}"
            case 3: "cafe\u{301}"
            default: "p\(number)"
            }
        }
        for (number, name) in names.enumerated() {
            try await office.persons.create(
                Person(
                    id: .init(name), name: "Person \(number)", teamID: teams[number % 4].id,
                    desk: number % 3 == 0 ? nil : number, weight: Double(number) / 7,
                    photo: number == 5 ? ExternalData(Data(repeating: 7, count: 600_000)) : nil))
        }
        // A version above 1, a deleted record, and references in a circle.
        for _ in 0..<3 {
            try await office.persons.update(.init("ada")) { $0.name += "!" }
        }
        try await office.persons.delete(.init("Ada"))
        teams[0].parentID = teams[3].id
        teams[0].leadID = .init("ada")
        teams[3].parentID = teams[0].id
        teams[1].parentID = teams[1].id
        for team in [teams[0], teams[1], teams[3]] { try await office.teams.update(team) }
        for day in 0..<5 {
            try await office.bookings.create(
                Booking(personID: .init("ada"), day: day - 2, note: day == 0 ? nil : "día \(day)"))
        }
    }
}

extension RecordDraft<Team> {
    /// Creates the draft of a team.
    static func named(_ name: String) -> Self {
        var draft = Self()
        draft.name = name
        return draft
    }
}

/// The SQLite repository of items.
enum SQLiteItems {
    static func repository(in folder: URL) -> SQLiteRepository {
        SQLiteRepository(
            tableName: "items", path: folder.appending(path: "items.sqlite").path,
            dataTransformer: CBORDataTransformer())
    }
}
