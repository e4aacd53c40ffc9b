#if Compression
    public import Foundation
    public import RepositoryRuntime

    /// A format whose documents are compressed with gzip (RFC 1952), by the system's zlib.
    ///
    /// ```swift
    /// FileSystemStore(directory: url, transformer: CompressedTransformer(JSONDataTransformer()))
    /// ```
    ///
    /// Records, the pages of indexes and the chunks of external data are compressed. Each file is a
    /// complete gzip file with the checksum of its contents, which `zcat` can show. Equal records
    /// have equal bytes, as long as the version of zlib is the same.
    ///
    /// With an encryption, the compression goes inside it:
    /// `EncryptedTransformer(CompressedTransformer(…), keys: …)`. The other order throws
    /// `unsupported` when the store is opened.
    public struct CompressedTransformer: WrappingTransformer {
        /// The format of the documents.
        public let base: any DataTransformer
        /// How much time is spent on compression: from 1 (fast) to 9 (small).
        public let level: Int
        /// The maximum number of bytes of a document before compression.
        public let maximumSize: Int

        /// The file name extension: that of the base, followed by `.gz`.
        public var formatExtension: String { base.formatExtension + ".gz" }

        /// Creates a transformer.
        ///
        /// - Parameters:
        ///   - base: The format of the documents.
        ///   - level: How much time is spent on compression: from 1 (fast) to 9 (small). Other
        ///     numbers are replaced by the nearest one of these. It can be changed at any time.
        ///   - maximumSize: The maximum number of bytes of a document before compression. A larger
        ///     one is an `invalidItem` when it is written, and an `invalidRecord` when it is read,
        ///     so that a few stored bytes cannot fill the memory.
        public init(
            _ base: any DataTransformer, level: Int = 6, maximumSize: Int = 256 << 20
        ) {
            self.base = base
            self.level = min(max(level, 1), 9)
            self.maximumSize = max(maximumSize, 0)
        }

        /// Compresses bytes.
        ///
        /// - Throws: `CRUDRepositoryError` with code `invalidItem` for more
        ///   bytes than ``maximumSize``; `databaseError` if zlib has too little memory.
        public func wrap(_ bytes: Data, at place: DocumentPlace) throws -> Data {
            guard bytes.count <= maximumSize else {
                throw CRUDRepositoryError.invalidItem(
                    field: nil,
                    reason:
                        "is too large to be compressed: \(bytes.count) bytes, the limit is \(maximumSize)"
                )
            }
            return try Gzip.compressed(bytes, level: level)
        }

        /// Decompresses bytes.
        ///
        /// - Throws: `RecordDecodingError` for bytes that are not one complete
        ///   gzip document with the right checksum, or that become more bytes than
        ///   ``maximumSize``.
        public func unwrap(_ bytes: Data, at place: DocumentPlace) throws -> Data {
            try Gzip.decompressed(bytes, maximumSize: maximumSize)
        }
    }
#endif
