public import Foundation

/// What a migration does with records that cannot be read or converted, or that violate a rule of
/// the new version.
public enum UnreadableRecords: Sendable, Hashable {
    /// The migration throws `schemaMismatch` with their number and the first ids, and changes
    /// nothing.
    case fail
    /// The records are written to a new file and left out of the migrated data.
    ///
    /// Each line of the file is a JSON object. The first line names the set and the versions. Every
    /// other line has the keys `table`, `id`, `reason`, and `columns` or `document` with the stored
    /// values, sensitive ones included. The file is readable by its owner only. It appears together
    /// with the migrated data: if the migration fails, there is none.
    ///
    /// Optional references to such a record become nil, and records with a required reference to
    /// one are set aside, too. Of records that share the values of a new unique index, the one with
    /// the smallest id stays. Of records that get the same id, one stays. A record for which a
    /// function throws is set aside, also if the function computes its new id.
    ///
    /// A function over several entities fails as a whole: records that it reads or writes are not
    /// set aside.
    case setAside(URL)
}

/// What a program asks of a migration. A ``StoreSchema`` carries them to the store.
package struct MigrationControl: Sendable {
    /// Receives the progress, on the thread of the migration.
    package var progress: (@Sendable (MigrationProgress) -> Void)?
    /// Where the data is copied before it is migrated; nil for no copy.
    package var backup: URL?
    /// Whether tables that another program has made become tables of the set.
    package var takesOver = false
    /// What happens to records that cannot be migrated.
    package var unreadable = UnreadableRecords.fail
    /// Returns the number of free bytes on the volume of a path; nil if it is unknown. Tests
    /// replace it.
    package var freeBytes: @Sendable (String) -> Int? = { FreeSpace.bytes(at: $0) }

    /// Whether the task that opens the store was cancelled.
    package var isCancelled: @Sendable () -> Bool = { false }

    /// Creates the wishes of a program that has none.
    package init() {}

    /// Checks that a volume has space for a migration.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes that the migration needs.
    ///   - path: a file or folder on the volume.
    ///   - store: the kind of store, for the message.
    /// - Throws: `storageFull`.
    package func requireSpace(for bytes: Int, at path: String, store: String) throws {
        guard let free = freeBytes(path), free < bytes else { return }
        throw CRUDRepositoryError(
            .storageFull,
            "The migration of the data in \(store) needs about \(Self.text(bytes)) of disk space, and \(Self.text(free)) are free. Nothing was changed.",
            isRetryable: true)
    }

    /// A number of bytes with a unit.
    static func text(_ bytes: Int) -> String {
        if bytes < 1_000_000 { return "\((bytes + 999) / 1000) kB" }
        return "\((bytes + 999_999) / 1_000_000) MB"
    }
}

/// The free space of a volume.
package enum FreeSpace {
    /// Returns the number of bytes that the process can still write on the volume of a path, or of
    /// its nearest existing folder; nil if it is unknown.
    package static func bytes(at path: String) -> Int? {
        var url = URL(filePath: path).standardizedFileURL
        while true {
            var status = statvfs()
            if statvfs(url.path, &status) == 0 {
                let (bytes, overflow) = UInt64(status.f_bavail)
                    .multipliedReportingOverflow(by: UInt64(status.f_frsize))
                return overflow ? Int.max : Int(clamping: bytes)
            }
            let parent = url.deletingLastPathComponent()
            if parent.path == url.path { return nil }
            url = parent
        }
    }
}
