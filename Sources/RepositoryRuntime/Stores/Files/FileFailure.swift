internal import Foundation

/// A failed system call.
struct FileFailure: Error, Sendable, CustomStringConvertible {
    /// What was tried, as a verb: `rename`.
    var operation: String
    /// The path it was tried on, below the root of the store.
    var path: String
    /// The system's error number.
    var code: Int32
    /// Whether what was begun could not be undone either, so that it is unknown whether it
    /// happened.
    var isOutcomeUnknown = false
    /// What has the name of a record, where that is not a file.
    var obstacle: FileStatus.Kind?
    /// What a call waited for until its time limit.
    var busyLock: BusyLock?

    /// The system's words for the number.
    var reason: String { String(cString: strerror(code)) }

    var description: String { "\(operation) \(path): \(reason) (\(code))" }

    /// The failure as an error of the store.
    func error(id: String? = nil, table: String? = nil) -> CRUDRepositoryError {
        if let obstacle, let id {
            return .invalidRecord(
                id: id, table: table, reason: "'\(path)' is \(obstacle.description)",
                underlyingError: self)
        }
        if let busyLock {
            return CRUDRepositoryError(
                .databaseError, busyLock.message(path), id: id, table: table, isRetryable: true,
                underlyingError: self)
        }
        let mayPass = [ENOSPC, EDQUOT, EMFILE, ENFILE, EAGAIN, ENOMEM, EBUSY].contains(code)
        let subject = path.isEmpty ? "its folder" : "'\(path)'"
        // The system's words for a link that is not followed speak of too many levels of links.
        let reason =
            code == ELOOP ? "a symbolic link is in its path, which is not followed" : reason
        if isOutcomeUnknown {
            return CRUDRepositoryError(
                .outcomeUnknown,
                "The file store could not \(operation) \(subject): \(reason). Undoing the write failed too: it is unknown whether it happened.",
                id: id, table: table, underlyingError: self)
        }
        return CRUDRepositoryError(
            .databaseError, "The file store could not \(operation) \(subject): \(reason).",
            id: id, table: table, isRetryable: mayPass, underlyingError: self)
    }
}

/// A lock that was not free within the time limit.
struct BusyLock: Sendable {
    /// How long the call waited.
    var limit: Duration
    /// Who took the lock last; nil where that is unknown.
    var holder: String?

    /// The sentence of the error.
    func message(_ path: String) -> String {
        let holder = holder.map { ", which was last taken by \($0)" } ?? ""
        return "The file store waited \(limit) for the lock '\(path)'\(holder)."
    }
}
