internal import Foundation

/// A failed system call, with the context that ``error(id:table:)`` needs for a
/// `CRUDRepositoryError`.
struct FileFailure: Error, Sendable, CustomStringConvertible {
    /// The attempted operation, as a verb: `rename`.
    var operation: String
    /// The path of the file, relative to the root of the store.
    var path: String
    /// The system's error number (`errno`).
    var code: Int32
    /// Whether undoing the change failed too, so that it is unknown whether the change happened.
    var isOutcomeUnknown = false
    /// The type of what has the path of a record, if it is not a file.
    var obstacle: FileStatus.Kind?
    /// Whether a synchronized folder has only a placeholder of the file on this device.
    var isPlaceholder = false
    /// The lock for which a call waited until its time limit.
    var busyLock: BusyLock?

    /// The system's description of the error number.
    var reason: String { String(cString: strerror(code)) }

    var description: String { "\(operation) \(path): \(reason) (\(code))" }

    /// Converts the failure to the error that the store throws.
    ///
    /// Failures that may be temporary (no space, too many open files, a busy lock) are marked as
    /// retryable.
    ///
    /// - Parameters:
    ///   - root: the root of the store; empty if the path is not relative to it.
    ///   - id: the id of the record.
    ///   - table: the table of the record.
    func error(
        in root: String = "", id: String? = nil, table: String? = nil
    ) -> CRUDRepositoryError {
        let place = root.isEmpty || path.hasPrefix("/") ? "" : " in '\(root)'"
        if isPlaceholder {
            return CRUDRepositoryError(
                .databaseError,
                "The file of a record is not downloaded: '\(path)'\(place) is only its placeholder on this device.",
                id: id, table: table, isRetryable: true, underlyingError: self)
        }
        if let obstacle, let id {
            return .invalidRecord(
                id: id, table: table, reason: "'\(path)' is \(obstacle.description)",
                underlyingError: self)
        }
        if let busyLock, LockHolder.isMigrating(busyLock.holder) {
            return .migrating("files", underlyingError: self)
        }
        if let busyLock {
            return CRUDRepositoryError(
                .databaseError, busyLock.message(path), id: id, table: table, isRetryable: true,
                underlyingError: self)
        }
        let isFull = CRUDRepositoryError.isFull(code)
        let mayPass = isFull || [EMFILE, ENFILE, EAGAIN, ENOMEM, EBUSY].contains(code)
        let subject = path.isEmpty ? "its folder '\(root)'" : "'\(path)'\(place)"
        // The system's description of `ELOOP` mentions too many levels of links, which would
        // mislead here.
        let reason =
            code == ELOOP ? "a symbolic link is in its path, which is not followed" : reason
        if isOutcomeUnknown {
            return CRUDRepositoryError(
                .outcomeUnknown,
                "The file store could not \(operation) \(subject): \(reason). Undoing the write failed too: it is unknown whether it happened.",
                id: id, table: table, underlyingError: self)
        }
        return CRUDRepositoryError(
            isFull ? .storageFull : .databaseError,
            "The file store could not \(operation) \(subject): \(reason).",
            id: id, table: table, isRetryable: mayPass, underlyingError: self)
    }
}

/// A lock that was not released within the time limit.
struct BusyLock: Sendable {
    /// The time that the call waited.
    var limit: Duration
    /// The process that took the lock last; nil if unknown.
    var holder: String?

    /// The message of the error.
    func message(_ path: String) -> String {
        let holder = holder.map { ", which was last taken by \($0)" } ?? ""
        return "The file store waited \(limit) for the lock '\(path)'\(holder)."
    }
}
