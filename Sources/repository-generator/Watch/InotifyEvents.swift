#if os(Linux)
    internal import Glibc

    /// Folder events on Linux, by means of `inotify`.
    final class InotifyEvents: FolderEvents {
        let descriptor: Int32

        /// Creates an `inotify` instance; the result is `nil` if the system allows no more.
        init?() {
            descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            guard descriptor >= 0 else { return nil }
        }

        deinit { close(descriptor) }

        /// The watched events. A write is reported when the file is closed, not while it is being
        /// written.
        ///
        /// Adding a watch for the same folder again replaces the existing one.
        private static let mask: Int32 =
            IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ATTRIB

        /// Adds watches for all folders of a tree. Watches of files are not needed.
        func watch(_ tree: WatchedTree) -> Bool {
            var isWhole = !tree.folders.isEmpty
            for folder in tree.folders
            where inotify_add_watch(descriptor, folder, UInt32(Self.mask)) < 0 { isWhole = false }
            return isWhole
        }
    }
#endif
