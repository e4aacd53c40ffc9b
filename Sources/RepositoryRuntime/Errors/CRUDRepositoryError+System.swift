internal import Foundation

/// Errors of the system.
extension CRUDRepositoryError {
    /// Returns whether an error number says that the disk or the quota of the user is full.
    package static func isFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

    /// Returns the error for a failed call to the system or to Foundation: `storageFull`, which is
    /// retryable, if the disk is full, otherwise `databaseError`.
    ///
    /// - Parameters:
    ///   - message: what failed.
    ///   - error: the cause.
    package static func failedCall(_ message: String, _ error: any Error) -> CRUDRepositoryError {
        var cause: NSError? = error as NSError
        while let found = cause {
            let isFull =
                found.domain == NSPOSIXErrorDomain && isFull(Int32(truncatingIfNeeded: found.code))
                || found.domain == NSCocoaErrorDomain
                    && found.code == CocoaError.fileWriteOutOfSpace.rawValue
            if isFull {
                return CRUDRepositoryError(
                    .storageFull, message, isRetryable: true, underlyingError: error)
            }
            cause = found.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        return CRUDRepositoryError(.databaseError, message, underlyingError: error)
    }
}
