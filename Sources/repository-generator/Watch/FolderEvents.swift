internal import Foundation

/// Tells that something below folders may have changed.
protocol FolderEvents: AnyObject {
    /// Can be read from when it has; what is read means nothing.
    var descriptor: Int32 { get }

    /// Watches a tree as it is now, besides what is watched already.
    ///
    /// - Returns: whether all of it is watched. Where not, somebody must look from time to time.
    func watch(_ tree: WatchedTree) -> Bool
}

/// The system's way of telling; nil where it has none, or none left.
func systemFolderEvents() -> (any FolderEvents)? {
    #if os(Linux)
        return InotifyEvents()
    #elseif canImport(Darwin)
        return KernelQueueEvents()
    #else
        return nil
    #endif
}
