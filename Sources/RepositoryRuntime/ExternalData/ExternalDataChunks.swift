public import Foundation
internal import StoredSchema

extension ExternalData {
    /// Returns all bytes.
    ///
    /// - Throws: `unsupported` if the value was decoded and not read from a store;
    ///   `externalDataNotFound` if the record was changed or deleted since it was read;
    ///   `invalidRecord` if the stored bytes are damaged.
    public func load() async throws -> Data {
        var data = Data()
        // A damaged record may claim any size.
        data.reserveCapacity(Swift.min(size, 64 * Self.chunkSize))
        for try await chunk in chunks() { data.append(chunk) }
        return data
    }

    /// The bytes in parts, read one after another. The memory in use does not depend on the size.
    ///
    /// ```swift
    /// for try await chunk in cover.chunks() { try await response.write(chunk) }
    /// ```
    /// The iteration throws the errors of ``load()``. The hash is compared before the last part is
    /// returned.
    public func chunks() -> ExternalDataChunks { ExternalDataChunks(data: self) }

    /// Returns the chunk with an index from where the bytes are; nil after the last one, or if that
    /// is not known. The hash is not compared.
    package func chunk(at index: Int) async throws -> Data? { try await source?.chunk(index) }

    /// Writes the bytes to a file, in chunks. An existing file is replaced when all bytes have been
    /// written and their hash is right; if the method throws, it stays as it is.
    ///
    /// - Throws: the errors of ``load()``; `databaseError` if the file cannot be written.
    public func write(to url: URL) async throws {
        let temporary = url.deletingLastPathComponent().appendingPathComponent(
            ".\(UUID().uuidString).part")
        do {
            try await BlockingFiles.run {
                try BlockingFiles.mapped(url.path) { try Data().write(to: temporary) }
            }
            for try await chunk in chunks() {
                try await BlockingFiles.run {
                    try BlockingFiles.mapped(url.path) {
                        let file = try FileHandle(forWritingTo: temporary)
                        defer { try? file.close() }
                        try file.seekToEnd()
                        try file.write(contentsOf: chunk)
                    }
                }
            }
            try await BlockingFiles.run {
                try BlockingFiles.mapped(url.path) {
                    // Unlike `moveItem`, this replaces a file in one step.
                    if rename(temporary.path, url.path) != 0 {
                        throw CocoaError(.fileWriteUnknown)
                    }
                }
            }
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw error
        }
    }
}

/// The bytes of an ``ExternalData`` in parts; see ``ExternalData/chunks()``.
public struct ExternalDataChunks: AsyncSequence, Sendable {
    fileprivate let data: ExternalData

    /// Creates an iterator that begins with the first byte.
    public func makeAsyncIterator() -> Iterator { Iterator(data: data) }

    /// Reads the parts one after another.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let data: ExternalData
        private var index = 0
        private var hash = SHA256Stream()

        fileprivate init(data: ExternalData) { self.data = data }

        /// Reads the next part.
        ///
        /// - Returns: the next bytes, at least one; nil after the last part.
        public mutating func next() async throws -> Data? {
            guard let source = data.source else {
                throw CRUDRepositoryError(
                    .unsupported, "External data that was not read from a store has no bytes.")
            }
            if hash.count == data.size { return nil }
            try Task.checkCancellation()
            guard let chunk = try await source.chunk(index), !chunk.isEmpty else {
                throw source.failure(.missing)
            }
            index += 1
            chunk.withUnsafeBytes { hash.append($0) }
            if hash.count > data.size
                || hash.count == data.size
                    && ExternalData.hexadecimal(hash.finish()) != data.digest
            {
                throw source.failure(.changed)
            }
            return chunk
        }
    }
}
