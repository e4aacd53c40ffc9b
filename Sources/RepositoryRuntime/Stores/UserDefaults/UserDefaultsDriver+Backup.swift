internal import Foundation

/// Backups of a domain: a binary property list of the keys and their data.
extension UserDefaultsDriver: MaintainedDriver {
    func backUp(
        to url: URL, _ cancellation: CancellationFlag, _ release: () -> Void
    ) throws {
        let values = try withLock(cancellation) { try storedValues { try cancellation.check() } }
        release()
        try write(values, to: url)
    }

    func requireEmpty(isRepeated: Bool) throws {
        let keys = try domain.keys().filter { Self.isStored($0) && !isRestoreNote($0) }
        if isRepeated, !keys.isEmpty { try domain.change(keys.map { ($0, nil) }) }
        guard isRepeated || keys.isEmpty else { throw CRUDRepositoryError.storeNotEmpty(name) }
    }

    func verifyBackup(at url: URL, _ cancellation: CancellationFlag) throws {
        _ = try Self.values(at: url)
    }

    func restore(from url: URL, _ cancellation: CancellationFlag) throws {
        let values = try Self.values(at: url)
        if values.isEmpty { return }
        try domain.change(values.filter { !isRestoreNote($0.key) }.map { ($0.key, $0.value) })
    }

    /// Does nothing: each change writes the whole file.
    func compact() throws {}

    private func isRestoreNote(_ key: String) -> Bool {
        Self.keys(ofNote: DocumentStore<UserDefaultsDriver>.restoreNote).contains(key)
    }

    /// Reads a backup.
    ///
    /// - Throws: `invalidBackup`.
    private static func values(at url: URL) throws -> [String: Data] {
        let values: [String: Data]
        do {
            let data = try Data(contentsOf: url)
            values = try PropertyListDecoder().decode([String: Data].self, from: data)
        } catch {
            throw CRUDRepositoryError.invalidBackup(
                url.path, "it is no property list of a backup", underlyingError: error)
        }
        guard values.keys.allSatisfy(isStored) else {
            throw CRUDRepositoryError.invalidBackup(url.path, "it contains other values")
        }
        return values
    }
}
