#if canImport(Darwin)
    internal import Darwin
    internal import Dispatch

    /// The events of files and folders as Darwin's kernel queues tell them, a descriptor for each.
    final class KernelQueueEvents: FolderEvents {
        private static let mostPaths = 128
        private let ends: DescriptorPair
        private let queue = DispatchQueue(label: "folder events")
        private var sources: [any DispatchSourceFileSystemObject] = []

        var descriptor: Int32 { ends.reader }

        init?() {
            guard let ends = try? DescriptorPair() else { return nil }
            self.ends = ends
        }

        deinit {
            for source in sources { source.cancel() }
            close(ends.reader)
            close(ends.writer)
        }

        func watch(_ tree: WatchedTree) -> Bool {
            for source in sources { source.cancel() }
            sources = []
            let paths = tree.folders + tree.files
            // Descriptors are few, and the files that are generated need some, too.
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
