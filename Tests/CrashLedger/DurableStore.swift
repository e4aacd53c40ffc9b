internal import Foundation
package import RepositoryRuntime
internal import RepositorySQLite

#if PostgreSQL
    internal import RepositoryPostgreSQL
#endif

/// The stores that say of themselves that what they acknowledged is on the disk.
package enum DurableStore: String, CaseIterable, Sendable {
    case filesJSON, filesCBOR, sqlite, userDefaults
    #if PostgreSQL
        case postgresql
    #endif

    /// The stores that need no server.
    package static let allCases: [DurableStore] = [.filesJSON, .filesCBOR, .sqlite, .userDefaults]

    /// The longest text that its notes hold. User defaults are one file, written and read as a
    /// whole for each change.
    package var longestText: Int { self == .userDefaults ? 1_500 : 60_000 }

    /// Makes the store at a place: a folder; for user defaults a suite; for PostgreSQL the address
    /// of the server, a space and the schema of the tables.
    ///
    /// - Parameters:
    ///   - place: the place.
    ///   - busyTimeout: how long writes wait; without it, as long as a busy machine needs.
    package func make(
        at place: String, busyTimeout: Duration = .seconds(3_600)
    ) -> any EntityStore {
        switch self {
        case .filesJSON:
            FileSystemStore(directory: URL(fileURLWithPath: place), busyTimeout: busyTimeout)
        case .filesCBOR:
            FileSystemStore(
                directory: URL(fileURLWithPath: place), transformer: CBORDataTransformer(),
                busyTimeout: busyTimeout)
        case .sqlite:
            SQLiteStore(path: place + "/ledger.sqlite", busyTimeout: busyTimeout)
        case .userDefaults:
            UserDefaultsStore(suiteName: place, busyTimeout: busyTimeout)
        #if PostgreSQL
            case .postgresql:
                Self.postgresql(place.split(separator: " ").map(String.init), busyTimeout)
        #endif
        }
    }

    #if PostgreSQL
        private static func postgresql(
            _ words: [String], _ busyTimeout: Duration
        ) -> PostgreSQLStore {
            PostgreSQLStore(
                words.first ?? "", schema: words.count > 1 ? words[1] : nil,
                waitTimeout: busyTimeout, lockTimeout: busyTimeout)
        }
    #endif
}
