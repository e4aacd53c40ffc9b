public import Foundation

extension EntityStore {
    /// Throws `unsupported`: the store has no backups.
    public func backup(to url: URL) async throws {
        throw CRUDRepositoryError.unsupported("backups", by: name)
    }

    /// Throws `unsupported`: the store has no backups.
    public func restore(from url: URL) async throws {
        throw CRUDRepositoryError.unsupported("backups", by: name)
    }

    /// Throws `unsupported`: the store cannot be compacted.
    public func compact() async throws {
        throw CRUDRepositoryError.unsupported("compaction", by: name)
    }

    /// Reads every record, follows every reference, and scans every declared index. To repair,
    /// calls ``EntityStore/rebuildIndexes()``.
    public func check(_ schema: StoreSchema, repair: Bool) async throws -> StoreCheck {
        guard capabilities.has(.listing) else {
            throw CRUDRepositoryError.unsupported("a check of its records", by: name)
        }
        return try await RecordCheck(self, schema).run(repair: repair)
    }
}

extension EntityStoreWrapper {
    /// Backs up the wrapped store.
    public func backup(to url: URL) async throws { try await store.backup(to: url) }

    /// Restores a backup into the wrapped store.
    public func restore(from url: URL) async throws { try await store.restore(from: url) }

    /// Compacts the wrapped store.
    public func compact() async throws { try await store.compact() }

    /// Checks the wrapped store.
    public func check(_ schema: StoreSchema, repair: Bool) async throws -> StoreCheck {
        try await store.check(schema, repair: repair)
    }
}

extension CRUDRepositoryError.Code {
    /// A backup can be restored only into an empty store. Nothing was changed.
    public static let storeNotEmpty = Self(rawValue: "storeNotEmpty")
    /// What should be restored is no backup, is not complete, or was changed. Nothing was changed
    /// in the store.
    public static let invalidBackup = Self(rawValue: "invalidBackup")
    /// A restore was interrupted before it was complete. Restore the backup again.
    public static let restoreInterrupted = Self(rawValue: "restoreInterrupted")
}

extension CRUDRepositoryError {
    /// The store has data, so that a backup cannot be restored into it.
    package static func storeNotEmpty(_ store: String) -> Self {
        Self(
            .storeNotEmpty,
            "A backup can only be restored into an empty store of the kind '\(store)' that has not been opened. Nothing was changed."
        )
    }

    /// What should be restored is no whole backup.
    ///
    /// - Parameters:
    ///   - path: the file or folder.
    ///   - reason: the problem, as a sentence without a final period.
    package static func invalidBackup(
        _ path: String, _ reason: String, underlyingError: (any Error)? = nil
    ) -> Self {
        Self(
            .invalidBackup, "'\(path)' cannot be restored: \(reason). Nothing was changed.",
            underlyingError: underlyingError)
    }
}
