internal import Foundation
internal import Synchronization

/// Reads from the system's page cache.
///
/// Such a read takes less time than a change of threads, so that the caller performs it on its own
/// thread. Any read that might wait for a disk returns nil, and the caller repeats it on a thread
/// that may block.
extension FileDriver {
    /// The size of a page of the cache in bytes, or a divisor of it. If the number of cached bytes
    /// is not a multiple, they include the end of the file.
    private static var pageSize: Int { 4_096 }

    /// Reads a document of less than 16 KiB from the page cache.
    ///
    /// A read that returns a multiple of the page size may have reached the end of the cached part
    /// instead of the end of the file. The method then returns nil.
    func withCachedDocument<R>(
        _ key: String, in collection: String, _ body: (UnsafeRawBufferPointer?) throws -> R
    ) throws -> R? {
        try withCache(key, collection) { path in
            try withUnsafeTemporaryAllocation(byteCount: 4 * Self.pageSize, alignment: 16) {
                buffer in
                switch cached({ operations.readCached(path, into: buffer) }) {
                case .found(let count) where count % Self.pageSize != 0:
                    try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                case .absent: try mayBePlaceholder(key, collection) ? nil : body(nil)
                default: nil
                }
            }
        }
    }

    /// Returns whether a document that is absent may have a placeholder.
    private func mayBePlaceholder(_ key: String, _ collection: String) -> Bool {
        let found: Bool? = layout.withPlainPath(key, in: collection, isPlaceholder: true) { path in
            cached { operations.findCached(path) } != .absent
        }
        return found ?? true
    }

    /// Looks a document up in the system's cache of names.
    func containsCached(_ key: String, in collection: String) throws -> Bool? {
        withCache(key, collection) { path in
            switch cached({ operations.findCached(path) }) {
            case .found: true
            case .absent: mayBePlaceholder(key, collection) ? nil : false
            default: nil
            }
        }
    }

    /// Reads the documents that are not in the page cache concurrently.
    func documents(_ keys: [String], in collection: String) throws -> [Data?] {
        var documents: [Data?] = []
        documents.reserveCapacity(keys.count)
        var others: [Int] = []
        for key in keys {
            let atHand = try withCachedDocument(key, in: collection) { $0.map { Data($0) } }
            if atHand == nil { others.append(documents.count) }
            documents.append(atHand ?? nil)
        }
        // If the system cannot report what is cached, most documents usually are. Several threads
        // would then only slow each other down.
        guard others.count > 3, knowsCache.load(ordering: .relaxed) else {
            for index in others { documents[index] = try get(keys[index], in: collection) }
            return documents
        }
        let fetched = Mutex(documents)
        let fetching = SharedWork<any Error>(others.count) { [self, others] number in
            let data = try get(keys[others[number]], in: collection)
            fetched.withLock { $0[others[number]] = data }
        }
        try fetching.run()
        return fetched.withLock(\.self)
    }

    /// Passes the path of a document to a body if that is the only path that the document can have.
    private func withCache<R>(
        _ key: String, _ collection: String, _ body: (UnsafePointer<CChar>) throws -> R?
    ) rethrows -> R? {
        guard knowsCache.load(ordering: .relaxed) else { return nil }
        return try layout.withPlainPath(key, in: collection, body)
    }

    /// Performs a cache access, and records if the system does not support it.
    private func cached(_ look: () -> CachedFile) -> CachedFile {
        let file = look()
        if file == .unsupported { knowsCache.store(false, ordering: .relaxed) }
        return file
    }
}
