internal import Foundation

/// A driver that stores documents as values of user defaults, under the keys of ``DefaultsKey``.
///
/// The lock, the write counters and the lock of the batches are files; a ``FileDriver`` of the
/// domain provides them.
final class UserDefaultsDriver: DocumentDriver {
    /// The values.
    let domain: DefaultsDomain
    let providesStamps: Bool

    /// Creates a driver.
    ///
    /// - Parameters:
    ///   - domain: The values.
    ///   - providesStamps: Whether writes are counted, so that readers can detect the writes of
    ///     other processes.
    init(_ domain: DefaultsDomain, providesStamps: Bool) {
        self.domain = domain
        self.providesStamps = providesStamps
    }

    let name = "user defaults"
    let holdsLargeDocuments = false
    #if os(Linux)
        let isDurable = true
        let batchesAreAtomic = true
    #else
        // A daemon saves the values one by one, at a time of its choice.
        let isDurable = false
        let batchesAreAtomic = false
    #endif

    /// Reads a value. Throws `invalidRecord` if the value is not of type `Data`.
    func get(_ key: String, in collection: String) throws -> Data? {
        guard let value = try domain.object(DefaultsKey(table: collection).key(key)) else {
            return nil
        }
        guard let data = value.data else {
            throw CRUDRepositoryError.invalidRecord(
                id: key, table: collection.isEmpty ? nil : collection, reason: "it is no data")
        }
        return data
    }

    /// Returns the keys of a collection. Cost: proportional to the number of values in the whole
    /// domain.
    func keys(in collection: String) throws -> [String] {
        let keys = DefaultsKey(table: collection)
        return try domain.keys().compactMap(keys.id)
    }

    /// Checks the condition and makes the change, under the lock.
    func apply(_ change: DocumentChange) throws -> Bool {
        let key = DefaultsKey(table: change.collection).key(change.key)
        let isThere = try domain.object(key) != nil
        switch change.condition {
        case .absent where isThere: return false
        case .present where !isThere: return false
        default: break
        }
        try applyAll([change])
        return true
    }

    /// Writes all values with a single change of the domain. The lock of the batches keeps out
    /// readers that must see them together.
    func applyAll(_ changes: [DocumentChange]) throws {
        if changes.isEmpty { return }
        let values = changes.map {
            (key: DefaultsKey(table: $0.collection).key($0.key), data: $0.data)
        }
        try domain.files.counting(providesStamps ? Set(changes.map(\.collection)) : []) {
            guard values.count > 1 else { return try domain.change(values) }
            let batch = try domain.files.filing { () throws(FileFailure) in
                try domain.files.beginBatch(domain.files.waiting)
            }
            defer { domain.files.endBatch(batch) }
            try domain.change(values)
        }
    }

    /// Holds the lock of the batches while the body runs.
    func withConsistentReads<R>(of collection: String, _ body: () throws -> R) throws -> R {
        try domain.files.withConsistentReads(of: collection, body)
    }

    /// Does nothing. On Linux, a batch is a single change of one file; on Apple's systems, batches
    /// are not atomic.
    func recover() {}

    func withLock<R>(_ body: () throws -> R) throws -> R {
        try domain.files.withLock(body)
    }

    func withLock<R>(_ cancellation: CancellationFlag, _ body: () throws -> R) throws -> R {
        try domain.files.withLock(cancellation, body)
    }

    func close() { domain.files.close() }

    func performDeferredCleanup() { domain.files.performDeferredCleanup() }

    /// Combines the write count with the modification time of the file, which programs that write
    /// without the lock change too.
    func stamp(of collection: String) throws -> DocumentStamp? {
        guard let generation = try domain.files.generation(of: collection) else { return nil }
        return DocumentStamp(generation: generation, external: try domain.external())
    }

    /// Moves all documents of a collection with a single change of the domain. Skips values that
    /// are not of type `Data`.
    func rename(collection: String, to other: String) throws {
        let old = DefaultsKey(table: collection)
        let new = DefaultsKey(table: other)
        var values: [(key: String, data: Data?)] = []
        for key in try domain.keys() {
            guard let id = old.id(key), let data = try domain.object(key)?.data else { continue }
            values.append((key, nil))
            values.append((new.key(id), data))
        }
        if values.isEmpty { return }
        try domain.files.counting(providesStamps ? [collection, other] : []) {
            try domain.change(values)
        }
    }

    /// Removes all documents of a collection with a single change of the domain.
    func remove(collection: String) throws {
        let keys = DefaultsKey(table: collection)
        let values = try domain.keys().filter { keys.id($0) != nil }.map { ($0, nil as Data?) }
        if !values.isEmpty {
            try domain.files.counting(providesStamps ? [collection] : []) {
                try domain.change(values)
            }
        }
    }

    func note(_ name: String) throws -> Data? {
        try domain.object(Self.noteKey(name))?.data
    }

    /// Writes the note, and then a random stamp: where values are saved one by one, a reader that
    /// sees the new stamp also sees the new note.
    func setNote(_ name: String, _ data: Data?) throws {
        let stamp = data.map { _ in
            withUnsafeBytes(of: UInt64.random(in: 0...UInt64.max)) { Data($0) }
        }
        try domain.change([(Self.noteKey(name), data), (Self.stampKey(name), stamp)])
        try domain.files.filing { () throws(FileFailure) in try domain.files.countDescription() }
    }

    /// Returns the stamp of the note; nil if there is none.
    ///
    /// The stamp is a value of its own, because `UserDefaults` copies a long value each time it is
    /// read.
    func stamp(ofNote name: String) throws -> DocumentStamp? {
        guard let data = try domain.object(Self.stampKey(name))?.data else { return nil }
        return DocumentStamp(generation: data.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The prefix of the keys of notes.
    static let notePrefix = "repository_"

    /// The prefix of the keys of stamps. No note has a name that begins with `stamp`.
    private static let stampPrefix = "repository_stamp_"

    /// The keys of a note and of its stamp.
    static func keys(ofNote name: String) -> [String] { [noteKey(name), stampKey(name)] }

    /// The key of the stamp of a note.
    private static func stampKey(_ name: String) -> String {
        "\(stampPrefix)\(name.replacing(" ", with: "_"))"
    }

    /// The key of a note. No key of a record has the same prefix.
    private static func noteKey(_ name: String) -> String {
        "\(notePrefix)\(name.replacing(" ", with: "_"))"
    }
}

extension UserDefaultsDriver: WatchedDriver {
    var descriptionWatch: DescriptionWatch { domain.files.descriptionWatch }

    func watchDescription() throws { try domain.files.watchDescription() }
}

extension UserDefaultsDriver: MigratingDriver {
    var volumePath: String { domain.files.layout.root }

    func markMigration(_ isRunning: Bool) { domain.files.markMigration(isRunning) }

    /// Writes the records, indexes and notes of the domain to a binary property list: a dictionary
    /// of the keys and their data. All other values of the domain are left out.
    func copy(to url: URL, _ check: () throws -> Void) throws {
        try write(try storedValues(check), to: url)
    }

    /// Returns the records, indexes and notes. The caller holds the lock.
    func storedValues(_ check: () throws -> Void) throws -> [String: Data] {
        var values: [String: Data] = [:]
        for key in try domain.keys() where Self.isStored(key) {
            try check()
            values[key] = try domain.object(key)?.data
        }
        return values
    }

    /// Whether a key is that of a record, an index or a note.
    static func isStored(_ key: String) -> Bool {
        key.hasPrefix("database_") || key.hasPrefix(notePrefix)
    }

    /// Writes values to a new file, reads it, and syncs it to disk.
    func write(_ values: [String: Data], to url: URL) throws {
        let data = try PropertyListEncoder.binary.encode(values)
        try WholeCopy.write(.file, to: url) { path in
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.write(contentsOf: data)
            try file.synchronize()
            try file.close()
            guard try Data(contentsOf: URL(filePath: path)) == data else {
                throw DiskSync.failure("'\(path)' cannot be written", EIO)
            }
        }
    }
}

extension PropertyListEncoder {
    fileprivate static var binary: PropertyListEncoder {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return encoder
    }
}
