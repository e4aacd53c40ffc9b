public import Foundation
internal import Synchronization

/// Backups and compaction.
extension DocumentStore {
    /// The note that exists while a backup is being restored.
    static var restoreNote: String { "restore" }

    /// Returns the driver, if it supports backups.
    private func maintained(_ operation: String) throws -> any MaintainedDriver {
        guard let driver = driver as? any MaintainedDriver else {
            throw CRUDRepositoryError.unsupported(operation, by: name)
        }
        return driver
    }

    /// Writes a backup; see `EntityStore`. Writers wait while the documents are linked or copied.
    public func backup(to url: URL) async throws {
        let driver = try maintained("backups")
        try await life.during {
            try await line.take()
            let place = LinePlace(line)
            defer { place.leave() }
            try await cancellable { cancellation in
                try driver.backUp(to: url, cancellation) { place.leave() }
            }
        }
    }

    /// Runs a body on a thread that may block, with a flag that the cancelled task sets.
    private func cancellable(
        _ body: @escaping @Sendable (CancellationFlag) throws -> Void
    ) async throws {
        let cancellation = CancellationFlag()
        try await withTaskCancellationHandler {
            try await reading.run {
                try cancellation.check()
                try Self.mapped { try body(cancellation) }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Runs a body, and converts the errors of Foundation.
    private static func mapped(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error where error is CRUDRepositoryError || error is CancellationError {
            throw error
        } catch {
            throw CRUDRepositoryError.failedCall("The backup failed.", error)
        }
    }

    /// Restores a backup into the empty store; see `EntityStore`.
    public func restore(from url: URL) async throws {
        let driver = try maintained("backups")
        try await cancellable { try driver.verifyBackup(at: url, $0) }
        try await alone { [self] in
            guard state.withLock({ $0.sets.schemas.isEmpty }) else {
                throw CRUDRepositoryError.storeNotEmpty(name)
            }
            try driver.recover()
            let isRepeated = try driver.note(Self.restoreNote) != nil
            try driver.requireEmpty(isRepeated: isRepeated)
            try Self.mapped {
                // The lock is held: the data of a cancelled restore would have to be removed.
                try driver.setNote(Self.restoreNote, Data("restore".utf8))
                try driver.restore(from: url, CancellationFlag())
                try driver.setNote(Self.restoreNote, nil)
            }
        }
    }

    /// Throws if a restore was interrupted. The caller holds the driver's lock.
    ///
    /// - Throws: `restoreInterrupted`.
    func requireWhole() throws {
        guard driver is any MaintainedDriver, try driver.note(Self.restoreNote) != nil else {
            return
        }
        throw CRUDRepositoryError(
            .restoreInterrupted,
            "The restore of a backup into the store was interrupted. Restore the backup again.")
    }

    /// Removes what killed processes left; see `EntityStore`.
    public func compact() async throws {
        let driver = try maintained("compaction")
        try await alone {
            try driver.recover()
            try driver.compact()
        }
    }
}

/// A place in the queue of the writers, which is left once.
private final class LinePlace: Sendable {
    private let line: WriterLine
    private let isLeft = Atomic(false)

    init(_ line: WriterLine) { self.line = line }

    func leave() {
        if !isLeft.exchange(true, ordering: .acquiringAndReleasing) { line.leave() }
    }
}
