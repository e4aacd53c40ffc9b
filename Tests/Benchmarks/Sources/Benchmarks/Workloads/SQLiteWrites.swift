import Foundation
import GRDB
import RepositorySQLite
import SQLiteAPI

/// Writing to a table that is empty at first; every side forces its commits to the disk.
func sqliteWrites(_ scratch: Scratch) -> [Workload] {
    let rows = 100_000
    return [
        Workload(name: "sqlite: durable create, 1 writer", count: 500) {
            let readings = Reading.first(500)
            return Sides(
                ours: Side { try await createEach(readings, writers: 1, scratch) },
                limit: rawCreate("C API, autocommit", readings, scratch),
                peer: Side("GRDB, Codable") {
                    try await createEachByGRDB(readings, writers: 1, scratch)
                })
        },
        Workload(name: "sqlite: durable create, 64 writers", count: 6_400) {
            let readings = Reading.first(6_400)
            return Sides(
                ours: Side { try await createEach(readings, writers: 64, scratch) },
                limit: rawCreate("C API, autocommit", readings, scratch),
                peer: Side("GRDB, Codable") {
                    try await createEachByGRDB(readings, writers: 64, scratch)
                })
        },
        Workload(name: "sqlite: bulk insert 100,000", count: rows) {
            let readings = Reading.first(rows)
            let plain = readings.map(PlainReading.init)
            return Sides(
                ours: Side {
                    let (library, _) = try await filled(scratch, 0)
                    return try await timed { try await library.readings.createAll(readings) }
                },
                limit: rawBulk(readings, scratch),
                peer: Side("GRDB, Codable") {
                    let pool = try await grdb(scratch)
                    return try await timed {
                        try await pool.write { database in
                            for reading in plain { try reading.insert(database) }
                        }
                    }
                })
        },
        Workload(name: "sqlite: bulk insert 100,000, against GRDB's statement", count: rows) {
            let readings = Reading.first(rows)
            return Sides(
                ours: Side {
                    let (library, _) = try await filled(scratch, 0)
                    return try await timed { try await library.readings.createAll(readings) }
                },
                limit: rawBulk(readings, scratch), peer: statementBulk(readings, scratch))
        },
    ]
}

/// Creates readings one after another in each of several tasks.
private func createEach(_ readings: [Reading], writers: Int, _ scratch: Scratch) async throws
    -> Duration
{
    let (library, _) = try await filled(scratch, 0)
    return try await shared(readings, writers) { try await library.readings.create($0) }
}

private func createEachByGRDB(_ readings: [Reading], writers: Int, _ scratch: Scratch) async throws
    -> Duration
{
    let pool = try await grdb(scratch)
    return try await shared(readings.map(PlainReading.init), writers) { reading in
        try await pool.write { try reading.insert($0) }
    }
}

/// Shares elements out among tasks.
private func shared<Element: Sendable>(
    _ elements: [Element], _ tasks: Int,
    _ body: @escaping @Sendable (Element) async throws -> Void
) async throws -> Duration {
    try await timed {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    for place in stride(from: task, to: elements.count, by: tasks) {
                        try await body(elements[place])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// A pool over a new database with the table of the readings, whose commits are on the disk.
private func grdb(_ scratch: Scratch) async throws -> DatabasePool {
    let (_, path) = try await filled(scratch, 0)
    return try await durablePool(path)
}

/// A pool over a database, whose commits are on the disk.
func durablePool(_ path: String) async throws -> DatabasePool {
    var configuration = Configuration()
    // The store that made the table may still be closing it.
    configuration.busyMode = .timeout(10)
    let pool = try DatabasePool(path: path, configuration: configuration)
    // After the pool was made, which sets it to NORMAL.
    try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    return pool
}

private func rawCreate(_ name: String, _ readings: [Reading], _ scratch: Scratch) -> Side {
    Side(name) {
        let (_, path) = try await filled(scratch, 0)
        let database = try RawDatabase(path)
        let statement = try database.prepare(RawDatabase.insert)
        defer { sqlite3_finalize(statement) }
        return try timed {
            for reading in readings {
                try RawDatabase.bind(reading, statement)
                try RawDatabase.run(statement)
            }
        }
    }
}

private func rawBulk(_ readings: [Reading], _ scratch: Scratch) -> Side {
    Side("C API") {
        let (_, path) = try await filled(scratch, 0)
        let database = try RawDatabase(path)
        let statement = try database.prepare(RawDatabase.insert)
        defer { sqlite3_finalize(statement) }
        return try timed {
            try database.execute("BEGIN IMMEDIATE")
            for reading in readings {
                try RawDatabase.bind(reading, statement)
                try RawDatabase.run(statement)
            }
            try database.execute("COMMIT")
        }
    }
}

private func statementBulk(_ readings: [Reading], _ scratch: Scratch) -> Side {
    Side("GRDB, statement") {
        let pool = try await grdb(scratch)
        return try await timed {
            try await pool.write { database in
                let statement = try database.makeStatement(sql: RawDatabase.insert)
                for reading in readings {
                    try statement.execute(arguments: [
                        reading.id.rawValue, reading.station, reading.quantity, reading.note,
                        reading.count, reading.value, reading.isValid,
                        Int64(reading.takenAt.timeIntervalSince1970 * 1_000_000),
                    ])
                }
            }
        }
    }
}
