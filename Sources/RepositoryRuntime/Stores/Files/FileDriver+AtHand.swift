internal import Synchronization

/// Reading what the system has in memory: that takes less time than to change threads. Everything that might wait for a disk
/// is left to a thread that may.
extension FileDriver {
    /// The least that systems keep of a file, or a part of that: bytes that end in the middle of it end the file.
    private static var pageSize: Int { 4_096 }

    func withDocumentAtHand<R>(
        _ key: String, in collection: String, _ body: (UnsafeRawBufferPointer?) throws -> R
    ) throws -> R? {
        try withCache(key, collection) { path in
            try withUnsafeTemporaryAllocation(byteCount: 4 * Self.pageSize, alignment: 16) { buffer in
                switch cached({ operations.readCached(path, into: buffer) }) {
                case .found(let count) where count % Self.pageSize != 0:
                    try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                case .absent: try body(nil)
                default: nil
                }
            }
        }
    }

    func containsAtHand(_ key: String, in collection: String) throws -> Bool? {
        withCache(key, collection) { path in
            switch cached({ operations.findCached(path) }) {
            case .found: true
            case .absent: false
            default: nil
            }
        }
    }

    /// Runs a body with the path of a document, if there is no other that it could have.
    private func withCache<R>(
        _ key: String, _ collection: String, _ body: (UnsafePointer<CChar>) throws -> R?
    ) rethrows -> R? {
        guard knowsCache.load(ordering: .relaxed) else { return nil }
        return try layout.withPlainPath(key, in: collection, body)
    }

    private func cached(_ look: () -> CachedFile) -> CachedFile {
        let file = look()
        if file == .unsupported { knowsCache.store(false, ordering: .relaxed) }
        return file
    }
}
