internal import Dispatch
internal import Foundation
public import RepositoryRuntime
internal import RepositorySQLCore
internal import Synchronization

extension SQLiteStore {
    /// Returns what opening a schema would change. Neither the file nor its journal mode changes,
    /// and a missing file is not created.
    ///
    /// It reads the database on a connection of its own, in one read transaction.
    ///
    /// - Throws: `databaseError`, also for a file that is not a database.
    public func migrationPlan(_ schema: StoreSchema) async throws -> MigrationPlan {
        let encryption = database.location.encryption
        let tables = schema.tables.map { SQLTable($0, in: schema, encryption: encryption) }
        for table in tables {
            try table.requireConditions(of: name)
            try table.requireNames(of: name)
            try table.requireEncryption(of: name)
        }
        let location = database.location
        try location.checkName()
        let openSets = Set(opened.withLock { $0.map(\.name) })
        return try await SQLiteErrors.mapped {
            try await database.life.during {
                try await database.inspect { connection in
                    try SQLiteSchemaOpening(
                        schema, tables, connection, location, openSets: openSets
                    ).migrationPlan()
                }
            }
        }
    }
}

extension SQLiteDatabase {
    /// Runs a read on a connection that changes nothing, not even the files of the write-ahead log.
    ///
    /// Without a file, the read sees an empty database in memory.
    func inspect<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        if location.isInMemory { return try await scan(body) }
        return try await offThread { [location] in
            for _ in 0..<10 {
                guard FileManager.default.fileExists(atPath: location.name) else {
                    return try body(try SQLiteConnection(.inMemory(), .copying))
                }
                let state = FileState(location.name)
                let isAlone = state.hasNoLog
                let connection = try SQLiteConnection(
                    location.withoutIdentity, .inspecting(isAlone: isAlone))
                let result = try body(connection)
                // Without locks, the read could have met a writer that has opened the file since.
                if !isAlone || FileState(location.name) == state { return result }
            }
            throw SQLiteError(code: 5, message: "the database file changes all the time")
        }
    }

    /// Runs a body on a thread that may block.
    func offThread<R: Sendable>(
        _ body: @escaping @Sendable () throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(with: Result { try body() })
            }
        }
    }
}

/// What shows that nobody has written a database file.
private struct FileState: Equatable {
    /// The size, the time of the last change, and whether there is a write-ahead log.
    private var values: [Int] = []
    /// Whether the database is in the mode of a write-ahead log, and has none.
    private(set) var hasNoLog = false

    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        values = [Int(status.st_size), Int(status.st_ino)]
        #if canImport(Darwin)
            values += [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
        #else
            values += [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        #endif
        guard let file = FileHandle(forReadingAtPath: path),
            let header = try? file.read(upToCount: 20), header.count == 20
        else { return }
        // The version of the format for writing: 2 with a write-ahead log.
        hasNoLog =
            header[18] == 2 && !FileManager.default.fileExists(atPath: path + "-wal")
    }
}
