internal import Foundation

/// A copy of a store in a temporary folder: the database, and its write-ahead log or journal.
///
/// SQLite creates files next to a database that it opens, and removes the log of one that it closes.
/// The folder is deleted with the value.
final class StoreCopy: Sendable {
    /// The path of the copied database.
    let path: String
    /// The size of each file that was copied, by the end of its name: empty, `-wal`, `-journal`.
    let sizes: [String: Int]
    /// Whether the header declares a write-ahead log.
    let usesLog: Bool

    private let folder: URL
    private static let endings = ["", "-wal", "-journal"]

    /// Copies a store.
    ///
    /// - Throws: ``CoreDataFileError`` if it cannot be read, if it changes meanwhile, or if it is no
    ///   SQLite database.
    init(of path: String) throws(CoreDataFileError) {
        let manager = FileManager.default
        folder = manager.temporaryDirectory.appendingPathComponent(
            "repository-coredata-\(UUID().uuidString)")
        self.path = folder.appendingPathComponent("store").path
        do {
            try manager.createDirectory(
                at: folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw CoreDataFileError(.unreadable, "A temporary folder cannot be created: \(error)")
        }
        do throws(CoreDataFileError) {
            sizes = try Self.copy(path, to: self.path)
            usesLog = try Self.checkHeader(self.path, sizes)
        } catch {
            // The folder is below the temporary one, where what cannot be deleted is no problem.
            try? manager.removeItem(at: folder)
            throw error
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns a text that is different when a program has written a store.
    ///
    /// - Throws: ``CoreDataFileError`` if there is no such file.
    static func state(of path: String) throws(CoreDataFileError) -> String {
        let stamps = endings.map { Stamp(path + $0) }
        guard stamps[0] != nil else {
            throw CoreDataFileError(.unreadable, "There is no file '\(path)'.")
        }
        return stamps.map { stamp in
            stamp.map { "\($0.size) \($0.changed.timeIntervalSinceReferenceDate)" } ?? "-"
        }.joined(separator: ", ")
    }

    private static func copy(
        _ source: String, to target: String
    ) throws(CoreDataFileError) -> [String: Int] {
        let manager = FileManager.default
        for _ in 0..<3 {
            let before = endings.map { Stamp(source + $0) }
            guard let own = before[0] else {
                throw CoreDataFileError(.unreadable, "There is no file '\(source)'.")
            }
            guard own.isFile else {
                throw CoreDataFileError(.unreadable, "'\(source)' is not a file.")
            }
            do {
                for (ending, stamp) in zip(endings, before) {
                    let url = URL(fileURLWithPath: target + ending)
                    if manager.fileExists(atPath: url.path) { try manager.removeItem(at: url) }
                    guard stamp != nil else { continue }
                    try manager.copyItem(
                        at: URL(fileURLWithPath: source + ending).resolvingSymlinksInPath(), to: url
                    )
                    // The copy of a file that may not be written must be.
                    try manager.setAttributes(
                        [.posixPermissions: 0o600], ofItemAtPath: url.path)
                }
            } catch {
                throw CoreDataFileError(.unreadable, "'\(source)' cannot be copied: \(error)")
            }
            guard before == endings.map({ Stamp(source + $0) }) else { continue }
            return Dictionary(
                uniqueKeysWithValues: zip(endings, before).compactMap { ending, stamp in
                    stamp.map { (ending, $0.size) }
                })
        }
        throw CoreDataFileError(.changed, "Another program writes the store.")
    }

    /// Checks that the copy is an SQLite database.
    ///
    /// - Returns: whether it uses a write-ahead log.
    private static func checkHeader(
        _ path: String, _ sizes: [String: Int]
    ) throws(CoreDataFileError) -> Bool {
        let head = try bytes(path, from: 0, count: 100)
        guard head.starts(with: "SQLite format 3\0".utf8), head.count == 100 else {
            throw CoreDataFileError(.otherFormat, other(head, sizes))
        }
        // A rollback journal of several databases names a file that SQLite would delete.
        if let size = sizes["-journal"], size >= 8 {
            let end = try bytes(path + "-journal", from: UInt64(size - 8), count: 8)
            guard end != [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] else {
                throw CoreDataFileError(
                    .unknown, "The rollback journal of the store is one of several databases.")
            }
        }
        return head[18] == 2 || head[19] == 2
    }

    private static func bytes(
        _ path: String, from offset: UInt64, count: Int
    ) throws(CoreDataFileError) -> [UInt8] {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            try file.seek(toOffset: offset)
            return Array(try file.read(upToCount: count) ?? Data())
        } catch {
            throw CoreDataFileError(.unreadable, "The copy of the store cannot be read: \(error)")
        }
    }

    /// What a file is that is no SQLite database.
    private static func other(_ head: [UInt8], _ sizes: [String: Int]) -> String {
        if head.isEmpty {
            return (sizes["-wal"] ?? 0) > 0
                ? "The file is empty: its -wal contains everything, and the file of the same moment is missing."
                : "The file is empty."
        }
        if head.starts(with: "<?xml".utf8) {
            return "The file is an XML store (NSXMLStoreType) or another XML file, not SQLite."
        }
        if head.starts(with: "bplist".utf8) {
            return "The file is a binary store (NSBinaryStoreType), not SQLite."
        }
        if head.starts(with: "SQLite format 3".utf8) { return "The file is cut off." }
        return
            "The file is not an SQLite database: it is encrypted, or was copied while the device was locked."
    }

    /// The size and the time of the last change of a file.
    private struct Stamp: Equatable {
        let size: Int
        let changed: Date
        let isFile: Bool

        /// Returns `nil` if there is no such file.
        init?(_ path: String) {
            let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            guard
                let attributes = try? FileManager.default.attributesOfItem(atPath: resolved),
                let size = (attributes[.size] as? NSNumber)?.intValue,
                let changed = attributes[.modificationDate] as? Date
            else { return nil }
            self.size = size
            self.changed = changed
            isFile = attributes[.type] as? FileAttributeType == .typeRegular
        }
    }
}
