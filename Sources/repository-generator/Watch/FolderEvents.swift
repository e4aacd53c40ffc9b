internal import Foundation

/// Notifies that something in folders may have changed.
///
/// It is only a hint: the watcher compares the folders itself. It is used by one thread.
protocol FolderEvents: AnyObject {
    /// A file descriptor that becomes readable after an event. The data that is read from it has no
    /// meaning.
    var descriptor: Int32 { get }

    /// Watches a tree in its present state, in addition to what is already watched.
    ///
    /// - Returns: whether the whole tree is watched. If not, the caller must poll.
    func watch(_ tree: WatchedTree) -> Bool
}

/// Returns the events of the platform; `nil` if it has none or its resources are exhausted.
func systemFolderEvents() -> (any FolderEvents)? {
    #if os(Linux)
        return InotifyEvents()
    #elseif canImport(Darwin)
        return KernelQueueEvents()
    #else
        return nil
    #endif
}
