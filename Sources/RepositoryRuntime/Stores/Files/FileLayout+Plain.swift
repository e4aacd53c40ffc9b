internal import Synchronization

extension FileLayout {
    /// Gives a body the path of a document whose key and collection stand in it as they are, as nearly all do: no file written
    /// by hand can be meant by such a key, so that this is the only one. Nil for other keys, and where the body says so.
    func withPlainPath<R>(
        _ key: String, in collection: String, _ body: (UnsafePointer<CChar>) throws -> R?
    ) rethrows -> R? {
        let size = plainRoot.count + collection.utf8.count + key.utf8.count + plainEnding.count + 7
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
            path.add(Self.itemPrefix)
            guard path.add(plain: key) else { return nil }
            path.add(plainEnding)
            return try path.withPath(body)
        }
    }

    private static let separator = Array("/".utf8)
    private static let itemPrefix = Array("item_".utf8)
}

/// A path that is being written, of bytes that end with 0.
private struct PlainPath {
    let buffer: UnsafeMutableRawBufferPointer
    private var count = 0

    init(buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    mutating func add(_ bytes: [UInt8]) {
        UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: bytes)
        count += bytes.count
    }

    /// Adds a text; false where it does not stand in a name as it is.
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

    func withPath<R>(_ body: (UnsafePointer<CChar>) throws -> R?) rethrows -> R? {
        guard let start = buffer.baseAddress else { return nil }
        return try body(UnsafePointer(start.assumingMemoryBound(to: CChar.self)))
    }
}
