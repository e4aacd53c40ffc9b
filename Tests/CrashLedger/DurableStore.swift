internal import Foundation
package import RepositoryRuntime
internal import RepositorySQLite

/// The stores that say of themselves that what they acknowledged is on the disk.
package enum DurableStore: String, CaseIterable, Sendable {
    case filesJSON, filesCBOR, sqlite, userDefaults

    /// The longest text that its notes hold. User defaults are one file, written and read as a
    /// whole for each change.
    package var longestText: Int { self == .userDefaults ? 1_500 : 60_000 }

    /// Makes the store at a place: a folder, or for user defaults a suite.
    ///
    /// - Parameters:
    ///   - place: the folder or suite.
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
        }
    }
}
