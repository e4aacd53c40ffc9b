internal import Foundation
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
            try withUnsafeTemporaryAllocation(byteCount: 4 * Self.pageSize, alignment: 16) {
                buffer in
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

    /// Those that the disk must be asked for are asked for together.
    func documents(_ keys: [String], in collection: String) throws -> [Data?] {
        var documents: [Data?] = []
        documents.reserveCapacity(keys.count)
        var others: [Int] = []
        for key in keys {
            let atHand = try withDocumentAtHand(key, in: collection) { $0.map { Data($0) } }
            if atHand == nil { others.append(documents.count) }
            documents.append(atHand ?? nil)
        }
        // Where it is not known which must be fetched, most need not be: threads would only get into each other's way.
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
