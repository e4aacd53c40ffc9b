import Foundation
import RepositoryRuntime
import Synchronization

/// Stores documents in an append-only file, in which each line is a batch of changes as JSON.
final class JournalDriver: DocumentDriver {
    private struct Change: Codable {
        var collection: String
        var key: String
        var data: Data?
    }

    /// The documents after the lines read so far. Names are compared by their bytes, because `==`
    /// of strings ignores differences in Unicode form.
    private struct Journal {
        var documents: [Data: [Data: Data]] = [:]
        var end: UInt64 = 0

        mutating func apply(_ changes: [Change]) {
            for change in changes {
                documents[Data(change.collection.utf8), default: [:]][Data(change.key.utf8)] =
                    change.data
            }
        }
    }

    let name = "journal"
    let isDurable = true
    private let file: FileHandle
    private let journal = Mutex(Journal())
    private let lock = NSRecursiveLock()
    private let depth = Atomic(0)

    init(directory: URL) throws {
        file = try Self.reporting {
            let url = directory.appending(path: "journal.jsonl")
            if !FileManager.default.fileExists(atPath: url.path) {
                // Append mode creates the file, or opens one that another process has just created.
                guard let new = fopen(url.path, "a") else { throw POSIXError(.EIO) }
                fclose(new)
                // Syncing the folder makes the new file's name durable.
                try FileHandle(forReadingFrom: directory).synchronize()
            }
            return try FileHandle(forUpdating: url)
        }
    }

    func get(_ key: String, in collection: String) throws -> Data? {
        try read { $0.documents[Data(collection.utf8)]?[Data(key.utf8)] }
    }

    func keys(in collection: String) throws -> [String] {
        try read { journal in
            (journal.documents[Data(collection.utf8)] ?? [:]).keys.map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }

    func apply(_ change: DocumentChange) throws -> Bool {
        let isThere = try contains(change.key, in: change.collection)
        switch change.condition {
        case .absent where isThere: return false
        case .present where !isThere: return false
        default: break
        }
        try applyAll([change])
        return true
    }

    /// Appends one line. An incomplete line is ignored, so a batch is stored as a whole.
    func applyAll(_ changes: [DocumentChange]) throws {
        try append(
            changes.map { Change(collection: $0.collection, key: $0.key, data: $0.data) })
    }

    /// Removes an incomplete line of a writer that was terminated.
    func recover() throws {
        try read { journal in try Self.reporting { try file.truncate(atOffset: journal.end) } }
    }

    func withLock<R>(_ body: () throws -> R) throws -> R {
        lock.lock()
        defer { lock.unlock() }
        let isOutermost = depth.add(1, ordering: .relaxed).oldValue == 0
        defer {
            depth.subtract(1, ordering: .relaxed)
            if isOutermost { flock(file.fileDescriptor, LOCK_UN) }
        }
        while isOutermost, flock(file.fileDescriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw CRUDRepositoryError(.databaseError, "No lock.") }
        }
        return try body()
    }

    /// Every change by any process makes the file longer, so its length identifies its state.
    func stamp(of collection: String) throws -> DocumentStamp? {
        try read { DocumentStamp(generation: $0.end) }
    }

    /// Notes are stored in the collection with the empty name, which no table has.
    func note(_ name: String) throws -> Data? { try get(name, in: "") }

    func setNote(_ name: String, _ data: Data?) throws {
        try append([Change(collection: "", key: name, data: data)])
    }

    /// Calls a closure with the current documents, including lines added by other processes.
    private func read<R>(_ body: (inout Journal) throws -> R) throws -> R {
        try journal.withLock { journal in
            try Self.reporting {
                guard try file.seekToEnd() > journal.end else { return }
                try file.seek(toOffset: journal.end)
                let bytes = try file.readToEnd() ?? Data()
                let parts = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
                for line in parts.dropLast() {
                    journal.apply(try JSONDecoder().decode([Change].self, from: line))
                    journal.end += UInt64(line.count + 1)
                }
            }
            return try body(&journal)
        }
    }

    private func append(_ changes: [Change]) throws {
        try read { journal in
            try Self.reporting {
                let line = try JSONEncoder().encode(changes) + [0x0A]
                try file.seek(toOffset: journal.end)
                do {
                    try file.write(contentsOf: line)
                    try file.synchronize()
                } catch {
                    // A line that may not be durable is removed again.
                    try file.truncate(atOffset: journal.end)
                    throw error
                }
                journal.apply(changes)
                journal.end += UInt64(line.count)
            }
        }
    }

    private static func reporting<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch {
            throw CRUDRepositoryError(.databaseError, "The journal failed.", underlyingError: error)
        }
    }
}
