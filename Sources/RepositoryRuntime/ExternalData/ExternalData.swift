public import Foundation
internal import StoredSchema

/// Data that a store keeps apart from the record, and reads only when it is asked for: the value of
/// a field declared `external: true`.
///
/// ```swift
/// var book = try await library.books.read(id)
/// book.cover = try ExternalData(contentsOf: scan)
/// try await library.books.update(book)
///
/// let image = try await library.books.read(id).cover?.load()
/// ```
///
/// The value itself holds the size and the SHA-256 of the bytes, and where the bytes are: in memory,
/// in a file, or in a store. The record contains the size and the hash. Reading a record reads no
/// bytes of its external data.
///
/// Two values are equal if their sizes and hashes are equal, wherever their bytes are. The encoded
/// form has the size and the hash, not the bytes: a decoded value has no source, and ``load()``
/// throws `unsupported`.
public struct ExternalData: Sendable {
    /// The number of bytes.
    public let size: Int
    /// The SHA-256 of the bytes, as 64 lower-case hexadecimal digits.
    package let digest: String
    /// Where the bytes are; nil if that is not known.
    let source: (any ExternalDataSource)?

    /// The number of bytes in each chunk except the last one. Memory use is proportional to it.
    static let chunkSize = 256 * 1024

    /// Creates a value with a known hash.
    init(size: Int, digest: String, source: (any ExternalDataSource)?) {
        self.size = size
        self.digest = digest
        self.source = source
    }

    /// Creates a value with the bytes of a data value, which stays in memory.
    public init(_ data: Data) {
        var hash = SHA256Stream()
        data.withUnsafeBytes { hash.append($0) }
        self.init(hash, from: BytesInMemory(data: data))
    }

    /// Creates a value with the bytes of a file.
    ///
    /// The file is read once now, in chunks, to compute the hash, which blocks the calling thread.
    /// It is read again when the value is stored or loaded; it must not change until then.
    ///
    /// - Throws: `databaseError` if the file cannot be read.
    public init(contentsOf url: URL) throws {
        let file = BytesInFile(url: url)
        var hash = SHA256Stream()
        var index = 0
        while let chunk = try file.read(index), !chunk.isEmpty {
            chunk.withUnsafeBytes { hash.append($0) }
            index += 1
        }
        self.init(hash, from: file)
    }

    /// Creates a value with the bytes of a sequence, such as the body of a request.
    ///
    /// The bytes are written to a temporary file, which is removed when the value is no longer
    /// used, or when the process ends. Only one chunk is in memory at a time.
    ///
    /// - Parameter chunks: the bytes, in parts of any size.
    /// - Throws: the error of the sequence; `databaseError` if the temporary file cannot be written.
    public init<Chunks: AsyncSequence>(_ chunks: Chunks) async throws
    where Chunks.Element == Data {
        let file = try await BlockingFiles.run { try BytesInTemporaryFile() }
        var hash = SHA256Stream()
        for try await chunk in chunks {
            chunk.withUnsafeBytes { hash.append($0) }
            try await BlockingFiles.run { try file.append(chunk) }
        }
        self.init(hash, from: file)
    }

    private init(_ hash: SHA256Stream, from source: any ExternalDataSource) {
        self.init(
            size: hash.count, digest: Self.hexadecimal(hash.finish()), source: source)
    }

    /// The SHA-256 of the bytes: 32 bytes.
    public var sha256: Data {
        var bytes = Data()
        var digits = digest.utf8.makeIterator()
        while let high = digits.next(), let low = digits.next() {
            bytes.append(Self.value(ofDigit: high) << 4 | Self.value(ofDigit: low))
        }
        return bytes
    }

    /// Returns bytes as lower-case hexadecimal digits.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
    }

    private static func value(ofDigit digit: UInt8) -> UInt8 {
        digit < 58 ? digit &- 48 : digit &- 87
    }

    /// Returns the value with another source.
    func from(_ source: (any ExternalDataSource)?) -> ExternalData {
        ExternalData(size: size, digest: digest, source: source)
    }
}

extension ExternalData: Hashable {
    /// Whether both values have the same bytes: sizes and hashes are equal.
    public static func == (left: ExternalData, right: ExternalData) -> Bool {
        left.size == right.size && left.digest == right.digest
    }

    /// Hashes the SHA-256.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension ExternalData: LosslessStringConvertible {
    /// The stored form: `sha256:`, the hash as 64 lower-case hexadecimal digits, a colon, and the
    /// number of bytes.
    public var description: String { "sha256:\(digest):\(size)" }

    /// Parses the stored form. The value has no source.
    ///
    /// - Returns: Nil for every other text.
    public init?(_ description: String) {
        let parts = description.utf8.split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("sha256".utf8), parts[1].count == 64,
            parts[1].allSatisfy({ 48...57 ~= $0 || 97...102 ~= $0 }),
            let size = Int(String(parts[2]) ?? ""), size >= 0,
            parts[2].elementsEqual("\(size)".utf8), let digest = String(parts[1])
        else { return nil }
        self.init(size: size, digest: digest, source: nil)
    }
}

extension ExternalData: Codable {
    /// Decodes the stored form. The value has no source.
    ///
    /// - Throws: `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = ExternalData(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not the size and hash of external data")
        }
        self = value
    }

    /// Encodes the stored form: the size and the hash, not the bytes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension CRUDRepositoryError.Code {
    /// The bytes of external data are no longer where the value says: the record was changed or
    /// deleted since it was read, or its file was removed.
    public static let externalDataNotFound = Self(rawValue: "externalDataNotFound")
}
