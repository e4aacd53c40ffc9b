package import Foundation

/// A value of a record that is set aside, as the store has it.
package enum SetAsideValue: Sendable, Encodable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// Bytes, as an object with the key `base64`.
    case data(Data)

    /// Encodes the value as JSON; a number that JSON does not have as text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .integer(let value): try container.encode(value)
        case .real(let value):
            if value.isFinite {
                try container.encode(value)
            } else {
                try container.encode("\(value)")
            }
        case .text(let value): try container.encode(value)
        case .data(let value): try container.encode(["base64": value.base64EncodedString()])
        }
    }
}

/// The file with the records that a migration sets aside.
///
/// It is written under a temporary name, and gets its name before the migration is committed. If
/// the process ends between the two, the next migration of the same data replaces the file: its
/// first line is the same.
package final class SetAsideFile {
    private let path: String
    private let header: Data
    private var file: Int32 = -1
    private var buffer = Data()
    private var isPublished = false
    /// The number of records.
    package private(set) var count = 0
    private let encoder: JSONEncoder

    /// The first line.
    private struct Header: Encodable {
        var set: String
        var from: String
        var to: String
        var revision: Int
    }

    /// A line of a record.
    private struct Line: Encodable {
        var table: String
        var id: String?
        var reason: String
        var columns: [String: SetAsideValue]?
        var document: SetAsideValue?
    }

    /// Prepares a file. Nothing is created before the first record.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - set: the name of the set.
    ///   - plan: the plan, for its versions.
    ///   - revision: the revision of the stored description.
    /// - Throws: `databaseError` if the file exists.
    package init(_ url: URL, set: String, _ plan: MigrationPlan, revision: Int) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.encoder = encoder
        path = url.path
        header =
            try encoder.encode(
                Header(
                    set: set, from: "\(plan.from)", to: "\(plan.to)", revision: revision)) + [0x0A]
        guard FileManager.default.fileExists(atPath: path) else { return }
        guard let handle = FileHandle(forReadingAtPath: path),
            let start = try handle.read(upToCount: header.count), start == header
        else { throw Self.failure("There is a file '\(path)' already", EEXIST) }
    }

    deinit { if file >= 0 { discard() } }

    /// The temporary name.
    private var unfinished: String { path + ".unfinished" }

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - table: the stored name of the table.
    ///   - id: the id as text; nil if it cannot be read.
    ///   - reason: the problem.
    ///   - columns: the stored columns; nil for a document.
    ///   - document: the stored document; nil for columns.
    /// - Throws: `databaseError`.
    package func add(
        table: String, id: String?, reason: String, columns: [String: SetAsideValue]? = nil,
        document: SetAsideValue? = nil
    ) throws {
        if file < 0 {
            // What a process left that ended before its migration.
            unlink(unfinished)
            file = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if file < 0 { throw Self.failure("The file '\(unfinished)' cannot be created", errno) }
            buffer = header
        }
        buffer += try encoder.encode(
            Line(table: table, id: id, reason: reason, columns: columns, document: document))
        buffer.append(0x0A)
        count += 1
        if buffer.count > 1 << 16 { try write() }
    }

    private func write() throws {
        while !buffer.isEmpty {
            let written = buffer.withUnsafeBytes {
                Foundation.write(file, $0.baseAddress, $0.count)
            }
            if written < 0 {
                if errno == EINTR { continue }
                throw Self.failure("The file '\(unfinished)' cannot be written", errno)
            }
            buffer = Data(buffer.dropFirst(written))
        }
    }

    /// Syncs the file to disk and gives it its name. Call it before the migration is committed.
    ///
    /// - Throws: `databaseError`.
    package func publish() throws {
        guard file >= 0 else { return }
        try write()
        guard fsync(file) == 0 else {
            throw Self.failure("The file '\(unfinished)' cannot be synced", errno)
        }
        guard rename(unfinished, path) == 0 else {
            throw Self.failure("The file '\(path)' cannot be created", errno)
        }
        isPublished = true
        try DiskSync.folder(of: path)
    }

    /// Keeps the file. Call it after the migration was committed.
    package func keep() {
        if file >= 0 { close(file) }
        file = -1
    }

    /// Removes the file, because the migration failed.
    package func discard() {
        guard file >= 0 else { return }
        close(file)
        file = -1
        unlink(isPublished ? path : unfinished)
    }

    private static func failure(_ what: String, _ code: Int32) -> CRUDRepositoryError {
        DiskSync.failure(what, code)
    }
}

/// Syncs of files and folders that a migration writes.
package enum DiskSync {
    /// Syncs the folder of a file, so that its name is on disk.
    ///
    /// - Throws: `databaseError`.
    package static func folder(of path: String) throws {
        try sync(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY)
    }

    /// Syncs a folder, so that the names of its files are on disk.
    ///
    /// - Throws: `databaseError`.
    package static func entries(of folder: String) throws { try sync(folder, O_RDONLY) }

    /// Syncs a file.
    ///
    /// - Throws: `databaseError`.
    package static func file(_ path: String) throws { try sync(path, O_RDWR) }

    private static func sync(_ path: String, _ flags: Int32) throws {
        let file = open(path, flags | O_CLOEXEC)
        if file < 0 { throw failure("'\(path)' cannot be opened", errno) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw failure("'\(path)' cannot be synced", errno) }
    }

    /// Returns the error for a failed call.
    package static func failure(_ what: String, _ code: Int32) -> CRUDRepositoryError {
        .failedCall(
            "\(what): \(String(cString: strerror(code))). Nothing was changed.",
            NSError(domain: NSPOSIXErrorDomain, code: Int(code)))
    }
}
