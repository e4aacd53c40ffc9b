/// The bytes of a Realm file, decrypted if it is encrypted.
///
/// An encrypted file consists of groups: a page of metadata and up to 64 pages of data.
struct DataPages: Sendable {
    /// The size of an encrypted page.
    private static let page = 4096

    private struct Keys: Sendable {
        let cipher: AES256
        let authentication: [UInt8]
    }

    private let file: FileBytes
    private let keys: Keys?
    /// The number of bytes.
    let size: Int

    /// - Parameters:
    ///   - file: the file.
    ///   - key: the key of 64 bytes, if the file is encrypted.
    init(_ file: FileBytes, key: [UInt8]?) throws(RealmFileError) {
        self.file = file
        let fileSize = try file.status().size
        guard let key else {
            keys = nil
            size = fileSize
            return
        }
        guard key.count == 64 else {
            throw RealmFileError(.wrongKey, "the key has \(key.count) bytes, not 64")
        }
        var magic = [UInt8](repeating: 0, count: 4)
        let count = try Self.read(file, 16, &magic, 0..<4)
        guard count < 4 || magic != Array("T-DB".utf8) else {
            throw RealmFileError(.notEncrypted, "the file is not encrypted: read it without a key")
        }
        guard fileSize >= 2 * Self.page else {
            throw RealmFileError(.notRealm, "too small (\(fileSize) bytes) for an encrypted file")
        }
        keys = Keys(cipher: AES256(key: key[..<32]), authentication: Array(key[32...]))
        let pages = (fileSize + Self.page - 1) / Self.page
        size = (pages - (pages + 64) / 65) * Self.page
        var first = [UInt8](repeating: 0, count: Self.page)
        try read(at: 0, into: &first)
        guard first[16..<20].elementsEqual("T-DB".utf8) else { throw Self.wrongKey }
    }

    private static let wrongKey = RealmFileError(
        .wrongKey, "wrong key, or not an encrypted Realm file")

    /// Reads bytes until the buffer is full. What a program must not rely on is zero.
    ///
    /// - Parameter offset: the offset of the data, a multiple of 4096.
    func read(at offset: Int, into buffer: inout [UInt8]) throws(RealmFileError) {
        guard let keys else {
            guard try Self.read(file, offset, &buffer, 0..<buffer.count) == buffer.count else {
                throw RealmFileError(.changed, "the file has become shorter while it was read")
            }
            return
        }
        var done = 0
        while done < buffer.count {
            // All pages of one group are read at once.
            let at = offset + done
            let (group, index) = (at / (64 * Self.page), at / Self.page % 64)
            let count = min((64 - index) * Self.page, buffer.count - done)
            var encrypted = [UInt8](repeating: 0, count: count)
            var entries = [UInt8](repeating: 0, count: count / Self.page * 64)
            let start = group * 65 * Self.page
            let found = try Self.read(
                file, start + (1 + index) * Self.page, &encrypted, 0..<count)
            _ = try Self.read(file, start + 64 * index, &entries, 0..<entries.count)
            for page in 0..<count / Self.page where (page + 1) * Self.page <= found {
                try decrypt(
                    encrypted[page * Self.page..<(page + 1) * Self.page],
                    entries[64 * page..<64 * (page + 1)], keys, at + page * Self.page, &buffer,
                    done + page * Self.page)
            }
            done += count
        }
    }

    /// Decrypts a page. A page that was never written stays zero.
    private func decrypt(
        _ page: ArraySlice<UInt8>, _ entry: ArraySlice<UInt8>, _ keys: Keys, _ offset: Int,
        _ buffer: inout [UInt8], _ start: Int
    ) throws(RealmFileError) {
        let (first, second) = (entry.prefix(32), entry.dropFirst(32))
        func isZero(_ entry: ArraySlice<UInt8>) -> Bool { entry.prefix(4).allSatisfy { $0 == 0 } }
        guard !isZero(first) else { return }
        let code = page.withUnsafeBytes {
            SHA224.authenticationCode(of: $0, key: keys.authentication)
        }
        let used: ArraySlice<UInt8>
        if first.dropFirst(4).elementsEqual(code) {
            used = first
        } else if isZero(second) {
            return  // The first write was interrupted.
        } else if second.dropFirst(4).elementsEqual(code) {
            used = second  // The last write was announced, and not made.
        } else if page.allSatisfy({ $0 == 0 }) {
            return  // The file has shrunk and grown again.
        } else {
            guard offset > 0 else { throw Self.wrongKey }
            throw .damaged("the page at data offset \(offset) fails its authentication")
        }
        var vector = Array(used.prefix(4))
        withUnsafeBytes(of: UInt64(offset).littleEndian) { vector += $0 }
        vector += [0, 0, 0, 0]
        page.withUnsafeBytes { page in
            buffer.withUnsafeMutableBytes { buffer in
                keys.cipher.decrypt(
                    page, vector: vector,
                    into: UnsafeMutableRawBufferPointer(
                        rebasing: buffer[start..<start + Self.page]))
            }
        }
    }

    /// Reads bytes of the file into a part of a buffer.
    private static func read(
        _ file: FileBytes, _ offset: Int, _ buffer: inout [UInt8], _ part: Range<Int>
    ) throws(RealmFileError) -> Int {
        var result: Result<Int, RealmFileError> = .success(0)
        buffer.withUnsafeMutableBytes { bytes in
            do throws(RealmFileError) {
                result = .success(
                    try file.read(
                        at: offset, into: UnsafeMutableRawBufferPointer(rebasing: bytes[part])))
            } catch { result = .failure(error) }
        }
        return try result.get()
    }
}
