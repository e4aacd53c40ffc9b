#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Synchronization
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    @Suite(
        "PostgreSQL: many tasks on shared connections",
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct SharedStoreTests {
        private static let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"

        private func withLibrary(
            connections: Int = 8, exactlyOnce: Bool = false, observing: Bool = false,
            _ body: (PostgreSQLStore, Conformance, String) async throws -> Void
        ) async throws {
            let schema = "many-\(UUID().uuidString)"
            let store = PostgreSQLStore(
                try TestServer.address("application_name=\(schema)"), schema: schema,
                connections: connections, waitTimeout: .seconds(600), lockTimeout: .seconds(600),
                exactlyOnce: exactlyOnce, observing: observing)
            let library = Conformance.plain(store)
            try await library.open()
            try await body(store, library, schema)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        @Test func readsAndWritesShareTwoConnections() async throws {
            try await withLibrary { store, library, schema in
                // The first write after an opening compares the schemas.
                try await library.notes.create(Note(id: "first", text: ""))
                _ = try await library.notes.read("first")
                let before = store.statistics
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<500 {
                        group.addTask {
                            let id = Note.ID("\(number)")
                            try await library.notes.create(Note(id: id, text: "\(number)"))
                            let note = try await library.notes.read(id)
                            #expect(note.text == "\(number)")
                        }
                    }
                    try await group.waitForAll()
                }
                let numbers = store.statistics
                #expect(numbers.sharedConnections == 2)
                #expect(numbers.reads.operations - before.reads.operations == 500)
                #expect(numbers.writes.operations - before.writes.operations == 500)
                #expect(numbers.reads.groups < 500 && numbers.writes.groups < 500)
                #expect(numbers.writes.largestGroup <= 64 && numbers.reads.largestGroup <= 16)
                #expect(numbers.openConnections == 2 + numbers.idleConnections)
                #expect(numbers.leasedConnections == 0 && numbers.connectionLimit == 8)
                #expect(try await library.notes.count() == 501)
                #expect(store.statistics.leases == numbers.leases + 1)
                let open = try await TestServer.number(
                    "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(schema)'")
                #expect(open == store.statistics.openConnections && open <= 3)
            }
        }

        /// What is written besides the records is written once for each group.
        @Test(arguments: [(true, false), (false, true), (true, true)])
        func journalIsWrittenInGroups(_ exactlyOnce: Bool, _ observing: Bool) async throws {
            try await withLibrary(exactlyOnce: exactlyOnce, observing: observing) {
                store, library, schema in
                try await library.notes.create(Note(id: "first", text: ""))
                let before = store.statistics
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<500 {
                        group.addTask {
                            var note = Note(id: Note.ID("\(number)"), text: "")
                            try await library.notes.create(note)
                            note.text = "saved"
                            try await library.notes.save(note)
                            note.text = "updated"
                            try await library.notes.update(note)
                            if number % 2 == 0 { try await library.notes.delete(note.id) }
                        }
                    }
                    try await group.waitForAll()
                }
                let writes = store.statistics.writes
                let shared = writes.operations - before.writes.operations
                // Those whose result would be lost with the answer lease connections.
                #expect(exactlyOnce ? shared == 1_000 : shared == 1_750)
                #expect(writes.groups - before.writes.groups < shared / 2)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            await #expect(throws: CRUDRepositoryError.self) {
                                let id = Note.ID("\(number * 2 + 1)")
                                try await library.notes.create(Note(id: id, text: ""))
                            }
                            await #expect(throws: CRUDRepositoryError.self) {
                                try await library.notes.delete("nothing")
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                let notes = try await library.notes.fetch()
                #expect(notes.count == 251)
                #expect(notes.filter { $0.text == "updated" }.count == 250)
                guard observing else { return }
                // A change, of which others are told, for each write and not for each attempt.
                let told = try await TestServer.number(
                    """
                    SELECT count(*) FROM (SELECT 1 FROM "\(schema)".repository_changes \
                    WHERE "table" = 'notes' AND "id" <> 'first' GROUP BY "id" \
                    HAVING count(*) = CASE WHEN "id"::int % 2 = 0 THEN 4 ELSE 3 END) AS t
                    """)
                #expect(told == 500)
                let others = try await TestServer.number(
                    """
                    SELECT count(*) FROM "\(schema)".repository_changes WHERE "id" = 'nothing'
                    """)
                #expect(others == 0)
            }
        }

        @Test func writeThatWaitsForALockLetsOthersGoOn() async throws {
            try await withLibrary { store, library, schema in
                try await library.notes.create(Note(id: "held", text: ""))
                let blocked = try await TestServer.holding(
                    "UPDATE \"\(schema)\".notes SET text = 'other' WHERE id = 'held'"
                ) {
                    let blocked = (0..<3).map { number in
                        Task { try await library.notes.save(Note(id: "held", text: "\(number)")) }
                    }
                    // They go on while the lock is held.
                    var number = 0
                    while store.statistics.leasedConnections < 3 || number < 50 {
                        try await library.notes.create(Note(id: Note.ID("\(number)"), text: ""))
                        number += 1
                    }
                    #expect(store.statistics.writes.movedOperations == 3)
                    return blocked
                }
                for task in blocked { _ = try await task.value }
                let text = try await library.notes.read("held").text
                #expect(["0", "1", "2"].contains(text))
            }
        }

        /// Programs that change the tables hold their locks for long.
        @Test func readThatWaitsForALockLetsOthersGoOn() async throws {
            try await withLibrary { store, library, schema in
                try await library.notes.create(Note(id: "a", text: "text"))
                let ticket = Ticket(title: "free")
                try await library.tickets.create(ticket)
                let blocked = try await TestServer.holding(
                    "LOCK TABLE \"\(schema)\".notes IN ACCESS EXCLUSIVE MODE"
                ) {
                    let blocked = Task { try await library.notes.read("a").text }
                    while store.statistics.leasedConnections == 0 {
                        let other = try await library.tickets.read(ticket.id)
                        #expect(other.title == "free")
                    }
                    return blocked
                }
                #expect(try await blocked.value == "text")
            }
        }

        @Test func cancellationsHitNobodyElse() async throws {
            try await withLibrary { store, library, _ in
                let seed = UInt64.random(in: 0 ... .max)
                var random = CutConnectionTests.SeededGenerator(state: seed)
                let context = Comment(rawValue: "seed \(seed)")
                try await library.notes.create(Note(id: "a", text: "text"))
                var (cancelled, done): (Set<Note.ID>, Set<Note.ID>) = ([], [])
                var hit = 0
                for round in 0..<1_000 {
                    let kind = Int.random(in: 0..<8, using: &random)
                    let id = Note.ID("victim \(round)")
                    let victim = Task {
                        switch kind {
                        case 0..<3: _ = try await library.notes.read("a")
                        case 3..<7: try await library.notes.create(Note(id: id, text: ""))
                        default:
                            _ = try await store.access.read {
                                try await $0.run("SELECT pg_sleep(9)")
                            }
                        }
                    }
                    let neighbours = (0..<4).map { number in
                        Task {
                            if number % 2 == 0 { return try await library.notes.read("a").text }
                            let note = Note(id: Note.ID("\(round)-\(number)"), text: "text")
                            return try await library.notes.create(note).text
                        }
                    }
                    let pause = Int.random(in: 0...8, using: &random)
                    for _ in 0..<pause * 3 { await Task.yield() }
                    victim.cancel()
                    switch await victim.result {
                    case .success: if (3..<7).contains(kind) { done.insert(id) }
                    case .failure(let error):
                        #expect(error is CancellationError, context)
                        cancelled.insert(id)
                    }
                    for neighbour in neighbours {
                        if case .failure(let error) = await neighbour.result {
                            hit += 1
                            Issue.record("\(error), \(context)")
                        }
                    }
                }
                let ids = Set(try await library.notes.ids())
                #expect(ids.isDisjoint(with: cancelled), context)
                #expect(ids.isSuperset(of: done), context)
                #expect(ids.count == 2_001 + done.count, context)
                print(
                    "PostgreSQL: of 1,000 cancellations, \(cancelled.count) came in time, \(hit) hit a neighbour"
                )
            }
        }

        /// 64 clients create, change, save and delete their own records and a common one.
        @Test func nothingIsLostAmongManyClients() async throws {
            let operations = Self.isLong ? 10_000 : 60
            try await withLibrary { store, library, _ in
                let common = Ticket(title: "common")
                try await library.tickets.create(common)
                let expected = try await withThrowingTaskGroup(
                    of: (notes: [Note.ID: String], changes: Int).self
                ) { group in
                    for client in 0..<64 {
                        group.addTask {
                            var notes: [Note.ID: String] = [:]
                            var changes = 0
                            for number in 0..<operations {
                                let id = Note.ID("\(client)-\(number / 4)")
                                switch number % 4 {
                                case 0:
                                    try await library.notes.create(Note(id: id, text: "new"))
                                    notes[id] = "new"
                                case 1:
                                    #expect(try await library.notes.read(id).text == "new")
                                    _ = try await library.notes.saveAll([
                                        Note(id: id, text: "\(number)")
                                    ])
                                    notes[id] = "\(number)"
                                case 2 where number % 3 == 0:
                                    try await library.notes.delete(id)
                                    notes[id] = nil
                                default:
                                    let ticket = try await library.tickets.read(common.id)
                                    do {
                                        _ = try await library.tickets.update(ticket)
                                        changes += 1
                                    } catch let error as CRUDRepositoryError
                                        where error.code == .versionConflict
                                    {}
                                }
                            }
                            return (notes, changes)
                        }
                    }
                    return try await group.reduce(into: ([Note.ID: String](), 0)) { all, client in
                        all.0.merge(client.notes) { $1 }
                        all.1 += client.changes
                    }
                }
                let stored = try await library.notes.fetch()
                #expect(stored.count == expected.0.count)
                for note in stored { #expect(expected.0[note.id] == note.text) }
                // Each update that succeeded has counted once.
                let version = try await library.tickets.read(common.id).revision
                #expect(version == 1 + expected.1)
                let writes = store.statistics.writes
                print(
                    "PostgreSQL: 64 clients × \(operations): \(writes.operations) writes in \(writes.groups) commits"
                )
            }
        }

        @Test func nobodyStarvesAmongManyTasks() async throws {
            try await withLibrary { store, library, _ in
                let transactions = Mutex(0)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<10_000 {
                        group.addTask { @Sendable in
                            let note = Note(id: Note.ID("\(number)"), text: "\(number)")
                            switch number % 20 {
                            case 0:
                                try await library.transaction {
                                    _ = try await $0.notes.create(note)
                                }
                                transactions.withLock { $0 += 1 }
                            case 1..<10: try await library.notes.create(note)
                            default: _ = try await library.notes.exists(note.id)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await library.notes.count() == 5_000)
                #expect(transactions.withLock { $0 } == 500)
                #expect(store.statistics.openConnections <= 8)
            }
        }

        @Test func connectionsThatTheServerEndsAreReplaced() async throws {
            try await withLibrary { store, library, schema in
                try await library.notes.create(Note(id: "a", text: "text"))
                let stop = Mutex(false)
                let killer = Task { @Sendable in
                    while !stop.withLock({ $0 }) {
                        try await TestServer.run(
                            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(schema)'"
                        )
                        try await Task.sleep(for: .milliseconds(10))
                    }
                }
                let (stored, unknown) = try await withThrowingTaskGroup(
                    of: (id: Note.ID, code: CRUDRepositoryError.Code?).self
                ) { group in
                    for number in 0..<400 {
                        group.addTask {
                            let id = Note.ID("\(number)")
                            do {
                                try await library.notes.create(Note(id: id, text: ""))
                                return (id, nil)
                            } catch let error as CRUDRepositoryError {
                                return (id, error.code)
                            }
                        }
                    }
                    var (stored, unknown): (Set<Note.ID>, Set<Note.ID>) = ([], [])
                    for try await (id, code) in group {
                        if code == nil { stored.insert(id) }
                        if code == .outcomeUnknown { unknown.insert(id) }
                    }
                    return (stored, unknown)
                }
                stop.withLock { $0 = true }
                try await killer.value
                let ids = Set(try await library.notes.ids())
                #expect(ids.isSuperset(of: stored))
                #expect(ids.subtracting(stored).subtracting(unknown) == ["a"])
            }
        }
    }
#endif
