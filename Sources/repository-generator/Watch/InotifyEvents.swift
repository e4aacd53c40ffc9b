#if os(Linux)
    internal import Glibc

    /// The events of folders as Linux tells them.
    final class InotifyEvents: FolderEvents {
        let descriptor: Int32

        init?() {
            descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            guard descriptor >= 0 else { return nil }
        }

        deinit { close(descriptor) }

        /// A file counts as changed when it is closed, not while it is being written. A folder that is watched twice is
        /// watched once.
        private static let mask: Int32 =
            IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ATTRIB

        func watch(_ tree: WatchedTree) -> Bool {
            var isWhole = !tree.folders.isEmpty
            for folder in tree.folders
            where inotify_add_watch(descriptor, folder, UInt32(Self.mask)) < 0 { isWhole = false }
            return isWhole
        }
    }
#endif
