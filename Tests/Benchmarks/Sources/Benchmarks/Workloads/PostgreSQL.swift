import Foundation
import RepositoryPostgreSQL

/// Reading from and writing to a server on the loopback interface.
///
/// - Parameters:
///   - address: the server, or the coordinator of a Citus cluster, where the records are
///     distributed by their ids.
///   - engine: what the names of the lines begin with.
func postgreSQL(_ address: String, engine: String = "postgresql") -> [Workload] {
    let rows = 100_000
    let (streamed, inserted) = (1_000_000, 200_000)
    let reads = 10_000
    let numbers = (0..<reads).map { $0 * 7_919 % reads }
    let select = "SELECT \(RawPostgreSQL.columns) FROM readings WHERE id = $1"

    /// A library over an empty schema, with records.
    @Sendable func filled(
        _ rows: Int, connections: Int, exactlyOnce: Bool = false, observing: Bool = false
    ) async throws -> Measurements {
        let admin = try RawPostgreSQL(address)
        try admin.execute("DROP SCHEMA IF EXISTS benchmarks CASCADE")
        let store = PostgreSQLStore(
            address, schema: "benchmarks", connections: connections, exactlyOnce: exactlyOnce,
            observing: observing)
        let library = Measurements(store)
        try await library.open()
        if rows > 0 {
            try await library.readings.createAll(Reading.first(rows))
            try admin.execute("VACUUM ANALYZE readings")
        }
        return library
    }

    /// Shares numbers out among threads that wait for each answer.
    @Sendable func threads(
        _ count: Int, _ each: Int, _ prepared: String,
        _ body: @escaping @Sendable (RawPostgreSQL, Int) throws -> Void
    ) async throws -> Duration {
        let connections = try (0..<count).map { _ in
            let connection = try RawPostgreSQL(address)
            try connection.prepare(prepared == select ? "read" : "create", prepared)
            return connection
        }
        return try await timed {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (thread, connection) in connections.enumerated() {
                    group.addTask {
                        try await withCheckedThrowingContinuation { continuation in
                            Thread.detachNewThread {
                                continuation.resume(
                                    with: Swift.Result {
                                        for place in stride(from: thread, to: each, by: count) {
                                            try body(connection, place)
                                        }
                                    })
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Shares numbers out among tasks.
    @Sendable func tasks(
        _ count: Int, _ each: Int, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Duration {
        try await timed {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<count {
                    group.addTask {
                        for place in stride(from: task, to: each, by: count) {
                            try await body(place)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    let nio = PostgresNIOClient(address)

    /// PostgresNIO, if there is a copy.
    func nioSide(_ run: @escaping (PostgresNIOClient) async throws -> Duration) -> Side? {
        nio.map { nio in Side(PostgresNIOClient.name) { try await run(nio) } }
    }

    /// What a store writes besides the records, beside one that writes the records only.
    func journal(_ name: String, exactlyOnce: Bool, observing: Bool) -> Workload {
        Workload(name: "\(engine): durable create, 64 writers, \(name)", count: 6_400) {
            let readings = Reading.first(6_400)
            func side(_ name: String, exactlyOnce: Bool, observing: Bool) -> Side {
                Side(name) {
                    let library = try await filled(
                        0, connections: 8, exactlyOnce: exactlyOnce, observing: observing)
                    return try await tasks(64, readings.count) {
                        try await library.readings.create(readings[$0])
                    }
                }
            }
            return Sides(
                ours: side("ours", exactlyOnce: exactlyOnce, observing: observing),
                limit: side("without", exactlyOnce: false, observing: false))
        }
    }

    return [
        Workload(name: "\(engine): read by id, 1 task", count: reads) {
            let library = try await filled(reads, connections: 8)
            return Sides(
                ours: Side {
                    try await tasks(1, reads) { place in
                        let id = Reading.ID(Reading.id(numbers[place]))
                        use(try await library.readings.read(id))
                    }
                },
                limit: Side("libpq, blocking") {
                    try await threads(1, reads, select) { connection, place in
                        use(try connection.read(Reading.id(numbers[place])))
                    }
                },
                peer: nioSide { nio in
                    try await tasks(1, reads) {
                        use(try await nio.read(Reading.id(numbers[$0])))
                    }
                })
        },
        Workload(name: "\(engine): read by id, 100 tasks", count: reads) {
            let library = try await filled(reads, connections: 8)
            return Sides(
                ours: Side {
                    try await tasks(100, reads) { place in
                        let id = Reading.ID(Reading.id(numbers[place]))
                        use(try await library.readings.read(id))
                    }
                },
                limit: Side("libpq, pipeline, 16 a Sync") {
                    let connection = try RawPostgreSQL(address)
                    try connection.prepare("read", select)
                    return try timed {
                        try connection.readPipelined(numbers.map(Reading.id)) { use($0) }
                    }
                },
                peer: nioSide { nio in
                    try await tasks(100, reads) {
                        use(try await nio.read(Reading.id(numbers[$0])))
                    }
                }
                    ?? Side("libpq, 8 connections") {
                        try await threads(8, reads, select) { connection, place in
                            use(try connection.read(Reading.id(numbers[place])))
                        }
                    })
        },
        Workload(name: "\(engine): fetch all 100,000", count: rows) {
            let library = try await filled(rows, connections: 8)
            let connection = try RawPostgreSQL(address)
            try connection.prepare(
                "fetch", "SELECT \(RawPostgreSQL.columns) FROM readings ORDER BY id")
            return Sides(
                ours: Side { try await timed { use(try await library.readings.fetch()) } },
                limit: Side("libpq") { try timed { use(try connection.fetch()) } },
                peer: nioSide { nio in
                    try await timed {
                        var found: [Reading] = []
                        try await nio.forEach { found.append($0) }
                        use(found)
                    }
                })
        },
        Workload(name: "\(engine): stream 1,000,000", count: streamed) {
            let library = try await filled(streamed, connections: 8)
            let connection = try RawPostgreSQL(address)
            return Sides(
                ours: Side {
                    try await timed {
                        for try await reading in library.readings.stream(.all) { use(reading) }
                    }
                },
                limit: Side("libpq, COPY out") { try timed { use(try connection.copyOut()) } },
                peer: nioSide { nio in try await timed { try await nio.forEach { use($0) } } })
        },
        Workload(name: "\(engine): durable create, 1 writer", count: 500) {
            let readings = Reading.first(500)
            return Sides(
                ours: Side {
                    let library = try await filled(0, connections: 8)
                    return try await tasks(1, readings.count) {
                        try await library.readings.create(readings[$0])
                    }
                },
                limit: Side("libpq, autocommit") {
                    _ = try await filled(0, connections: 1)
                    return try await threads(1, readings.count, RawPostgreSQL.insert) {
                        try $0.create(readings[$1])
                    }
                },
                peer: nioSide { nio in
                    _ = try await filled(0, connections: 1)
                    return try await tasks(1, readings.count) {
                        try await nio.create(readings[$0])
                    }
                })
        },
        Workload(name: "\(engine): durable create, 64 writers", count: 6_400) {
            let readings = Reading.first(6_400)
            return Sides(
                ours: Side {
                    let library = try await filled(0, connections: 8)
                    return try await tasks(64, readings.count) {
                        try await library.readings.create(readings[$0])
                    }
                },
                limit: Side("libpq, 1 connection") {
                    _ = try await filled(0, connections: 1)
                    return try await threads(1, readings.count, RawPostgreSQL.insert) {
                        try $0.create(readings[$1])
                    }
                },
                peer: Side("libpq, 64 connections") {
                    _ = try await filled(0, connections: 1)
                    return try await threads(64, readings.count, RawPostgreSQL.insert) {
                        try $0.create(readings[$1])
                    }
                })
        },
        journal("exactly once", exactlyOnce: true, observing: false),
        journal("observing", exactlyOnce: false, observing: true),
        Workload(name: "\(engine): bulk insert 200,000", count: inserted) {
            let readings = Reading.first(inserted)
            return Sides(
                ours: Side {
                    let library = try await filled(0, connections: 8)
                    return try await timed { try await library.readings.createAll(readings) }
                },
                limit: Side("libpq, COPY") {
                    _ = try await filled(0, connections: 1)
                    let connection = try RawPostgreSQL(address)
                    return try timed { try connection.copy(readings) }
                })
        },
    ]
}
