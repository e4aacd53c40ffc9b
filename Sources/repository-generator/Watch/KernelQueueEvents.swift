#if canImport(Darwin)
    internal import Darwin
    internal import Dispatch

    /// Events of files and folders on Darwin, by means of dispatch sources over kernel queues. Each
    /// file and folder needs a descriptor.
    final class KernelQueueEvents: FolderEvents {
        /// The maximum number of watched files and folders.
        private static let mostPaths = 128
        private let ends: DescriptorPair
        private let queue = DispatchQueue(label: "folder events")
        private var sources: [any DispatchSourceFileSystemObject] = []

        /// The reading end of the pipe that the dispatch sources write to.
        var descriptor: Int32 { ends.reader }

        /// Creates the pipe; the result is `nil` if no descriptors are left.
        init?() {
            guard let ends = try? DescriptorPair() else { return nil }
            self.ends = ends
        }

        deinit {
            for source in sources { source.cancel() }
            close(ends.reader)
            close(ends.writer)
        }

        /// Watches a tree instead of the one that was watched before.
        ///
        /// - Returns: `false` if the tree is empty or has too many files, or if one of them cannot
        ///   be opened.
        func watch(_ tree: WatchedTree) -> Bool {
            for source in sources { source.cancel() }
            sources = []
            let paths = tree.folders + tree.files
            // The number of descriptors is limited, and generating files needs some as well.
            guard !paths.isEmpty, paths.count <= Self.mostPaths else { return false }
            for path in paths {
                let file = open(path, O_EVTONLY | O_CLOEXEC)
                guard file >= 0 else { return false }
                let source = DispatchSource.makeFileSystemObjectSource(
                    fileDescriptor: file, eventMask: [.write, .extend, .delete, .rename],
                    queue: queue)
                source.setEventHandler { [ends] in ends.wake() }
                source.setCancelHandler { close(file) }
                source.activate()
                sources.append(source)
            }
            return true
        }
    }
#endif
