import Foundation
import GRDB
import RepositorySQLite
import SQLiteAPI

/// Reading of single records, from a table that SQLite keeps in its cache, and of a whole table.
func sqliteReads(_ scratch: Scratch) -> [Workload] {
    let rows = 100_000
    let reads = 10_000
    // Every record is read, in no order that helps, by every side.
    let numbers = (0..<reads).map { $0 * 7_919 % reads }

    @Sendable func readAll(_ library: Measurements) async throws {
        for number in numbers {
            use(try await library.readings.read(Reading.ID(Reading.id(number))))
        }
    }

    func raw(_ path: String) throws -> Side {
        let database = try RawDatabase(path)
        let statement = try database.prepare(
            "SELECT \(RawDatabase.columns) FROM readings WHERE id = ?")
        return Side("C API") {
            defer { use(database) }
            return try timed {
                for number in numbers {
                    try RawDatabase.bind(Reading.id(number), statement, 1)
                    guard sqlite3_step(statement) == SQLITE_ROW else {
                        throw RawDatabase.Failure(code: SQLITE_NOTFOUND)
                    }
                    use(RawDatabase.reading(statement))
                    sqlite3_reset(statement)
                }
            }
        }
    }

    @Sendable func readCached(_ database: Database, _ number: Int) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT \(RawDatabase.columns) FROM readings WHERE id = ?")
        // By place: `Codable` would take longer.
        guard let row = try Row.fetchOne(statement, arguments: [Reading.id(number)]) else {
            throw RawDatabase.Failure(code: SQLITE_NOTFOUND)
        }
        use(reading(row))
    }

    /// The quickest that an `await` of GRDB can be: a cached statement, and each column by its place.
    func cached(_ path: String) throws -> Side {
        let pool = try DatabasePool(path: path)
        return Side("GRDB, await, cached statement") {
            try await timed {
                for number in numbers { try await pool.read { try readCached($0, number) } }
            }
        }
    }

    /// The same without `await`: it holds the thread of the caller meanwhile.
    func blocking(_ path: String) throws -> Side {
        let pool = try DatabasePool(path: path)
        return Side("GRDB, blocking, cached statement") {
            try timed { for number in numbers { try pool.read { try readCached($0, number) } } }
        }
    }

    func codable(_ path: String) throws -> Side {
        let pool = try DatabasePool(path: path)
        return Side("GRDB, Codable") {
            try await timed {
                for number in numbers {
                    let id = Reading.id(number)
                    use(try await pool.read { try PlainReading.fetchOne($0, key: id) })
                }
            }
        }
    }

    return [
        Workload(name: "sqlite: read by id", count: reads) {
            let (library, path) = try await filled(scratch, reads)
            return Sides(
                ours: Side { try await timed { try await readAll(library) } },
                limit: try raw(path), peer: try cached(path))
        },
        Workload(name: "sqlite: read by id, against GRDB that blocks", count: reads) {
            let (library, path) = try await filled(scratch, reads)
            return Sides(
                ours: Side { try await timed { try await readAll(library) } },
                limit: try raw(path), peer: try blocking(path))
        },
        Workload(name: "sqlite: read by id, against GRDB's Codable", count: reads) {
            let (library, path) = try await filled(scratch, reads)
            return Sides(
                ours: Side { try await timed { try await readAll(library) } },
                limit: try raw(path), peer: try codable(path))
        },
        Workload(name: "sqlite: read by id on the main actor", count: reads) {
            let (library, path) = try await filled(scratch, reads)
            let pool = try DatabasePool(path: path)
            return Sides(
                ours: Side {
                    try await onMainActor { try await readAll(library) }
                },
                limit: Side("ours from a task") { try await timed { try await readAll(library) } },
                peer: Side("GRDB, Codable") {
                    try await onMainActor {
                        for number in numbers {
                            let id = Reading.id(number)
                            use(try await pool.read { try PlainReading.fetchOne($0, key: id) })
                        }
                    }
                })
        },
        Workload(name: "sqlite: fetch all 100,000", count: rows) {
            let (library, path) = try await filled(scratch, rows)
            return Sides(
                ours: Side { try await timed { use(try await library.readings.fetch()) } },
                limit: try rawFetch(path), peer: try codableFetch(path))
        },
        Workload(name: "sqlite: fetch all 100,000, against GRDB's rows", count: rows) {
            let (library, path) = try await filled(scratch, rows)
            return Sides(
                ours: Side { try await timed { use(try await library.readings.fetch()) } },
                limit: try rawFetch(path), peer: try rowFetch(path))
        },
    ]
}

/// How long a body takes on the main actor.
func onMainActor(_ body: @escaping @MainActor @Sendable () async throws -> Void) async throws
    -> Duration
{
    try await Task { @MainActor in
        let clock = ContinuousClock()
        let start = clock.now
        try await body()
        return clock.now - start
    }.value
}

/// A database with the first readings in it.
func filled(_ scratch: Scratch, _ rows: Int) async throws -> (Measurements, String) {
    let path = scratch.file("readings.sqlite")
    let library = Measurements(SQLiteStore(path: path))
    try await library.readings.createAll(Reading.first(rows))
    return (library, path)
}

private func rawFetch(_ path: String) throws -> Side {
    let database = try RawDatabase(path)
    let statement = try database.prepare("SELECT \(RawDatabase.columns) FROM readings ORDER BY id")
    return Side("C API") {
        defer { use(database) }
        return timed {
            var readings: [Reading] = []
            while sqlite3_step(statement) == SQLITE_ROW {
                readings.append(RawDatabase.reading(statement))
            }
            sqlite3_reset(statement)
            use(readings)
        }
    }
}

private func codableFetch(_ path: String) throws -> Side {
    let pool = try DatabasePool(path: path)
    return Side("GRDB, Codable") {
        try await timed {
            use(try await pool.read { try PlainReading.order(Column("id")).fetchAll($0) })
        }
    }
}

/// Each column by its place, into the same struct.
private func rowFetch(_ path: String) throws -> Side {
    let pool = try DatabasePool(path: path)
    return Side("GRDB, rows by place") {
        try await timed {
            let readings = try await pool.read { database in
                var readings: [Reading] = []
                let rows = try Row.fetchCursor(
                    database, sql: "SELECT \(RawDatabase.columns) FROM readings ORDER BY id")
                while let row = try rows.next() { readings.append(reading(row)) }
                return readings
            }
            use(readings)
        }
    }
}

/// The reading of a row of GRDB, each column by its place.
private func reading(_ row: Row) -> Reading {
    Reading(
        id: Reading.ID(row[0] as String), station: row[1], quantity: row[2], note: row[3],
        count: row[4], value: row[5], isValid: row[6],
        takenAt: Date(timeIntervalSince1970: Double(row[7] as Int64) / 1_000_000))
}
