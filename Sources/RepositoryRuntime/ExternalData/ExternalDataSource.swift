internal import Foundation
internal import Synchronization

/// The place of the bytes of an ``ExternalData``.
protocol ExternalDataSource: Sendable {
    /// Returns a chunk of the bytes; nil or no bytes after the last one.
    ///
    /// - Parameter index: the number of the chunk, from 0.
    func chunk(_ index: Int) async throws -> Data?
    /// Returns the error for bytes that are missing or have another hash.
    func failure(_ failure: ExternalDataFailure) -> CRUDRepositoryError
}

/// What can be wrong with the bytes of an ``ExternalData``.
enum ExternalDataFailure: Sendable {
    /// There are fewer bytes than the value says.
    case missing
    /// The bytes have another hash.
    case changed
}

/// Bytes in memory.
struct BytesInMemory: ExternalDataSource {
    let data: Data

    func chunk(_ index: Int) -> Data? {
        let start = index * ExternalData.chunkSize
        return start < data.count ? data.dropFirst(start).prefix(ExternalData.chunkSize) : nil
    }

    func failure(_ failure: ExternalDataFailure) -> CRUDRepositoryError {
        CRUDRepositoryError(.externalDataNotFound, "The bytes in memory have changed.")
    }
}

/// The bytes of a file.
struct BytesInFile: ExternalDataSource {
    let url: URL

    func chunk(_ index: Int) async throws -> Data? {
        try await BlockingFiles.run { try read(index) }
    }

    /// Reads a chunk on the calling thread.
    func read(_ index: Int) throws -> Data? {
        try BlockingFiles.mapped(url.path) {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            try handle.seek(toOffset: UInt64(index * ExternalData.chunkSize))
            return try handle.read(upToCount: ExternalData.chunkSize)
        }
    }

    func failure(_ failure: ExternalDataFailure) -> CRUDRepositoryError {
        CRUDRepositoryError(
            .externalDataNotFound,
            "The file '\(url.path)' has changed since its external data was created.")
    }
}

/// The bytes of a file without a name, which exists as long as the object.
final class BytesInTemporaryFile: ExternalDataSource {
    private let file: Mutex<FileHandle>

    /// Creates an empty file that only this user can read.
    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "external-data-\(UUID().uuidString)")
        let isCreated = FileManager.default.createFile(
            atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isCreated else {
            throw CRUDRepositoryError(
                .databaseError, "The temporary file '\(url.path)' cannot be created.")
        }
        defer { try? FileManager.default.removeItem(at: url) }
        file = Mutex(try BlockingFiles.mapped(url.path) { try FileHandle(forUpdating: url) })
    }

    deinit { file.withLock { try? $0.close() } }

    /// Appends bytes, on the calling thread.
    func append(_ data: Data) throws {
        try file.withLock { file in
            try BlockingFiles.mapped("a temporary file") {
                try file.seekToEnd()
                try file.write(contentsOf: data)
            }
        }
    }

    func chunk(_ index: Int) async throws -> Data? {
        try await BlockingFiles.run { [self] in
            try file.withLock { file in
                try BlockingFiles.mapped("a temporary file") {
                    try file.seek(toOffset: UInt64(index * ExternalData.chunkSize))
                    return try file.read(upToCount: ExternalData.chunkSize)
                }
            }
        }
    }

    func failure(_ failure: ExternalDataFailure) -> CRUDRepositoryError {
        CRUDRepositoryError(.externalDataNotFound, "The temporary file has changed.")
    }
}

/// Runs calls on files that may block, outside Swift's thread pool.
enum BlockingFiles {
    private static let queue = DispatchQueue(label: "ExternalData", attributes: .concurrent)

    /// Runs a body, and suspends the calling task until it has ended.
    static func run<R: Sendable>(
        _ body: @escaping @Sendable () throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    /// Runs a body, and converts the errors of Foundation.
    ///
    /// - Parameter path: the file, for the message.
    static func mapped<R>(_ path: String, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as CRUDRepositoryError {
            throw error
        } catch {
            throw CRUDRepositoryError.failedCall(
                "The file '\(path)' cannot be read or written.", error)
        }
    }
}
