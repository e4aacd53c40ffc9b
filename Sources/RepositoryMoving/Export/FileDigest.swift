internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// The SHA-256 of a file.
enum FileDigest {
    /// Returns the digest as hexadecimal digits; nil if the file is not there.
    static func hexadecimal(of file: URL) throws -> String? {
        guard let handle = FileHandle(forReadingAtPath: file.path) else { return nil }
        var stream = SHA256Stream()
        while let chunk = try handle.read(upToCount: 1 << 18), !chunk.isEmpty {
            chunk.withUnsafeBytes { stream.append($0) }
        }
        try handle.close()
        return stream.hexadecimal
    }
}

/// A file that is written once, with its digest.
final class ExportFile {
    private let handle: FileHandle
    private var buffer = Data()
    private var stream = SHA256Stream()

    init(_ url: URL) throws {
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CRUDRepositoryError(.databaseError, "'\(url.path)' cannot be created.")
        }
        handle = try FileHandle(forWritingTo: url)
    }

    /// Appends bytes.
    func write(_ data: Data) throws {
        buffer.append(data)
        if buffer.count > 1 << 18 { try flush() }
    }

    private func flush() throws {
        buffer.withUnsafeBytes { stream.append($0) }
        try handle.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Syncs and closes the file. Returns its digest.
    func finish() throws -> String {
        try flush()
        try handle.synchronize()
        try handle.close()
        return stream.hexadecimal
    }
}

/// Reads a file in pieces, byte by byte.
struct ByteFile {
    private let handle: FileHandle
    private var chunk = Data()[...]
    private var isAtEnd = false

    init(_ url: URL) throws { handle = try FileHandle(forReadingFrom: url) }

    /// The next byte, which is not consumed; nil at the end.
    mutating func peek() throws -> UInt8? {
        if chunk.isEmpty, !isAtEnd {
            chunk = try handle.read(upToCount: 1 << 18)?[...] ?? Data()[...]
            if chunk.isEmpty {
                isAtEnd = true
                try handle.close()
            }
        }
        return chunk.first
    }

    /// Consumes and returns the next byte; nil at the end.
    mutating func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        chunk.removeFirst()
        return byte
    }

    /// Consumes and returns the bytes up to a line feed, without it; nil at the end.
    mutating func line() throws -> Data? {
        guard try peek() != nil else { return nil }
        var line = Data()
        while try peek() != nil {
            if let end = chunk.firstIndex(of: 0x0A) {
                line.append(chunk[..<end])
                chunk = chunk[(end + 1)...]
                return line
            }
            line.append(chunk)
            chunk = Data()[...]
        }
        return line
    }
}
