internal import Synchronization

/// The paths of plain keys, as absolute C strings without an allocation, for reads from the page
/// cache.
extension FileLayout {
    /// Passes the absolute path of a document to a body, if the key and the collection are plain
    /// and therefore unchanged in the path. Nearly all are.
    ///
    /// A file created by hand cannot have a plain key, so that this is the only possible path of
    /// the document. Returns nil for other keys without calling the body, and returns nil if the
    /// body does.
    func withPlainPath<R>(
        _ key: String, in collection: String, isPlaceholder: Bool = false,
        _ body: (UnsafePointer<CChar>) throws -> R?
    ) rethrows -> R? {
        let size = plainRoot.count + collection.utf8.count + key.utf8.count + plainEnding.count + 16
        guard key.utf8.count <= FileNamePart.longest, collection.utf8.count <= FileNamePart.longest,
            !FileNamePart.isUUID(key) || isKnownToBeCaseSensitive
        else { return nil }
        return try withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
            var path = PlainPath(buffer: buffer)
            path.add(plainRoot)
            if !collection.isEmpty {
                guard path.add(plain: collection) else { return nil }
                path.add(Self.separator)
            }
            if isPlaceholder { path.add(Self.dot) }
            path.add(Self.itemPrefix)
            guard path.add(plain: key) else { return nil }
            path.add(isPlaceholder ? placeholderEnding : plainEnding)
            return try path.withPath(body)
        }
    }

    private static let dot = Array(".".utf8)
    private static let separator = Array("/".utf8)
    private static let itemPrefix = Array("item_".utf8)
}

/// A path under construction: a sequence of bytes that ends with 0.
private struct PlainPath {
    /// The memory of the path. The caller ensures that it is large enough.
    let buffer: UnsafeMutableRawBufferPointer
    /// The number of bytes added so far.
    private var count = 0

    init(buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    mutating func add(_ bytes: [UInt8]) {
        UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: bytes)
        count += bytes.count
    }

    /// Appends a string. Returns false if the string is not plain.
    mutating func add(plain text: String) -> Bool {
        let isUUID = FileNamePart.isUUID(text)
        guard !text.isEmpty else { return false }
        for byte in text.utf8 {
            guard isUUID || FileNamePart.isPlain(byte) else { return false }
            buffer[count] = byte
            count += 1
        }
        return true
    }

    /// Passes the path to a body. The last added bytes must end with 0.
    func withPath<R>(_ body: (UnsafePointer<CChar>) throws -> R?) rethrows -> R? {
        guard let start = buffer.baseAddress else { return nil }
        return try body(UnsafePointer(start.assumingMemoryBound(to: CChar.self)))
    }
}
