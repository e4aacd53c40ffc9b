#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Synchronization
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    @Suite(
        "PostgreSQL: observing other programs",
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct ObservingTests {
        /// What an observer of a store was told.
        private final class Told: Sendable {
            private let changes = Mutex<[StoreChange]>([])
            private let waits = Atomic(true)
            /// Whether ``go()`` was not called yet.
            var isWaiting: Bool { waits.load(ordering: .relaxed) }
            func go() { waits.store(false, ordering: .relaxed) }
            func add(_ change: StoreChange) { changes.withLock { $0.append(change) } }
            /// Returns what was told since the last call.
            func take() -> [StoreChange] {
                changes.withLock { changes in
                    defer { changes = [] }
                    return changes
                }
            }
        }

        private static func store(_ schema: String) throws -> PostgreSQLStore {
            PostgreSQLStore(
                try TestServer.address.get(), schema: schema, connections: 4,
                waitTimeout: .seconds(600), observing: true)
        }

        /// Runs a body with two stores of one schema, of which the first is observed.
        private func withStores(
            _ body: (PostgreSQLStore, PostgreSQLStore, Told) async throws -> Void
        ) async throws {
            let schema = "seen-\(UUID().uuidString)"
            let (here, there) = (try Self.store(schema), try Self.store(schema))
            try await Conformance.plain(here).open()
            try await Conformance.plain(there).open()
            let told = Told()
            let number = here.changes.add { told.add($0) }
            try await here.access.feed.read(here.access)
            try await body(here, there, told)
            here.changes.remove(number)
            try await here.close()
            try await there.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        /// Reads what others have committed, without starting to listen.
        private static func poll(_ store: PostgreSQLStore) async throws {
            try await store.access.feed.read(store.access)
        }

        private static func ids(_ ids: String...) -> StoreChange {
            StoreChange(["notes": .ids(Set(ids))])
        }

        /// What the closure has committed is told, whatever has become of its task and its store.
        @Test(arguments: [false, true]) func changesOfAClosureAreTold(closes: Bool) async throws {
            try await withStores { here, there, told in
                let task = Task {
                    try await there.withConnection { _ in
                        while told.isWaiting { usleep(1_000) }
                    }
                }
                while there.statistics.leasedConnections == 0 {
                    try await Task.sleep(for: .milliseconds(2))
                }
                let closing = closes ? Task { try await there.close() } : nil
                while closes, !there.access.life.isClosed {
                    try await Task.sleep(for: .milliseconds(2))
                }
                if !closes { task.cancel() }
                told.go()
                try await task.value
                try await closing?.value
                try await Self.poll(here)
                #expect(told.take() == [.anything])
            }
        }

        /// More rows than are read at once, nearly all of one record.
        @Test func manyChangesOfOneRecordHideNoOther() async throws {
            try await withStores { here, there, told in
                try await there.access.leasing { connection in
                    let rows = PostgreSQLChangeTable.mostRows + 100
                    try await connection.run(
                        """
                        INSERT INTO repository_changes ("source", "table", "id") \
                        SELECT gen_random_uuid(), 'notes', 'hot' FROM generate_series(1, \(rows))
                        """)
                }
                try await Conformance.plain(there).notes.create(Note(id: "late", text: ""))
                try await Self.poll(here)
                #expect(told.take() == [.anything])
                try await Self.poll(here)
                #expect(told.take().isEmpty)
            }
        }

        /// A write whose connection was lost may be committed afterwards, and nobody is there who
        /// would tell the observers of its store.
        @Test func ownWriteOfUnknownOutcomeIsToldWhenItIsCommitted() async throws {
            try await withStores { here, there, told in
                let source = here.access.journal.source.id
                _ = here.access.unknown(PostgreSQLError(client: "lost", isConnectionLost: true))
                #expect(told.take() == [.anything])
                try await there.access.leasing { connection in
                    let step = PostgreSQLChangeTable.step(Self.ids("a"), of: source)
                    _ = try await connection.run(step.text, step.parameters)
                }
                try await Self.poll(here)
                #expect(told.take() == [Self.ids("a")])
                // Later writes are told once.
                try await Conformance.plain(here).notes.create(Note(id: "b", text: ""))
                try await Self.poll(here)
                #expect(told.take() == [Self.ids("b")])
            }
        }

        @Test func changesOfOthersAreTold() async throws {
            try await withStores { here, there, told in
                let (own, others) = (Conformance.plain(here), Conformance.plain(there))
                try await others.notes.create(Note(id: "a", text: ""))
                try await others.notes.update(Note(id: "a", text: "x"))
                try await others.notes.createAll([
                    Note(id: "b", text: ""), Note(id: "c", text: ""),
                ])
                #expect(told.take().isEmpty)
                try await Self.poll(here)
                #expect(told.take() == [Self.ids("a", "b", "c")])
                try await Self.poll(here)
                #expect(told.take().isEmpty)
                // What this store writes is told once, by itself.
                try await own.notes.delete("a")
                try await Self.poll(here)
                #expect(told.take().count == 1)
                // What is undone or finds nothing is not told.
                await #expect(throws: CRUDRepositoryError.self) {
                    try await others.notes.create(Note(id: "b", text: ""))
                }
                await #expect(throws: CRUDRepositoryError.self) {
                    try await others.notes.delete("nothing")
                }
                try await Self.poll(here)
                #expect(told.take().isEmpty)
                try await others.notes.deleteAll()
                try await others.notes.createAll(
                    (0..<1_001).map { Note(id: Note.ID("\($0)"), text: "") })
                try await Self.poll(here)
                #expect(told.take().map { $0.tables?["notes"] } == [.unknown])
                try await there.reset(Conformance.plain(there).context.schema)
                try await Self.poll(here)
                #expect(told.take() == [.anything])
            }
        }

        /// A transaction whose number is lower than that of a commit that was seen is not skipped.
        @Test func commitsInAnotherOrder() async throws {
            try await withStores { here, there, told in
                let notes = Conformance.plain(there).notes
                let slow = try await there.begin()
                try await slow.create(Note(id: "slow", text: ""))
                try await notes.create(Note(id: "fast", text: ""))
                let before = try await here.changeState()
                try await Self.poll(here)
                #expect(told.take() == [Self.ids("fast")])
                let state = try await here.changeState()
                #expect(try await here.changeState() == state)
                #expect(before == state)
                try await slow.commit()
                #expect(try await here.changeState() != state)
                try await Self.poll(here)
                #expect(told.take() == [Self.ids("slow")])
                let undone = try await there.begin()
                try await undone.create(Note(id: "undone", text: ""))
                try await Self.poll(here)
                await undone.rollBack()
                try await Self.poll(here)
                #expect(told.take().isEmpty)
            }
        }

        @Test func removedRowsThatWereNotReadMayHaveBeenAnything() async throws {
            try await withStores { here, there, told in
                let notes = Conformance.plain(there).notes
                func prune() async throws {
                    _ = try await there.access.leasing { connection in
                        try await PostgreSQLChangeTable.prune(olderThan: 0, connection)
                    }
                }
                try await notes.create(Note(id: "a", text: ""))
                try await Self.poll(here)
                #expect(told.take() == [Self.ids("a")])
                let last = try await there.access.leasing { connection in
                    try await connection.run(
                        "SELECT \"xid\"::text FROM \"repository_changes\" AS c ORDER BY c.\"xid\" DESC LIMIT 1"
                    ).text(0, 0)
                }
                let number = try #require(last.flatMap { UInt64($0) })
                // Transactions of other tests were under way when the position was read.
                while true {
                    try await Self.poll(here)
                    _ = try await here.changeState()
                    if here.access.feed.firstUnsettled > number { break }
                }
                let state = try await here.changeState()
                try await prune()
                try await Self.poll(here)
                #expect(told.take().isEmpty)
                #expect(try await here.changeState() == state)
                try await notes.create(Note(id: "b", text: ""))
                try await prune()
                try await Self.poll(here)
                #expect(told.take() == [.anything])
                #expect(try await here.changeState() != state)
                let left = try await there.access.leasing {
                    try await $0.run("SELECT count(*) FROM \"repository_changes\"").integer(0, 0)
                }
                #expect(left == 1)
            }
        }

        /// Many writers, transactions among them, while another store reads: it is told every id.
        @Test func nothingIsSkipped() async throws {
            try await withStores { here, there, told in
                let library = Conformance.plain(there)
                let isOver = Atomic(false)
                async let seen = {
                    var seen: Set<String> = []
                    var isLast = false
                    while true {
                        try await Self.poll(here)
                        for change in told.take() {
                            guard case .ids(let ids)? = change.tables?["notes"] else {
                                Issue.record("Something else was told: \(change)")
                                continue
                            }
                            seen.formUnion(ids)
                        }
                        if isLast { return seen }
                        isLast = isOver.load(ordering: .acquiring)
                    }
                }()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<8 {
                        group.addTask {
                            for number in 0..<25 {
                                let note = Note(id: Note.ID("\(writer)-\(number)"), text: "")
                                if number % 3 == 0 {
                                    try await library.transaction {
                                        try await $0.notes.create(note)
                                        await Task.yield()
                                    }
                                } else {
                                    try await library.notes.create(note)
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                isOver.store(true, ordering: .releasing)
                #expect(try await seen.count == 200)
            }
        }

        /// Notifications wake the observer although it polls once in an hour; also after the
        /// connection that waits for them was lost.
        @Test func notificationsWakeObservers() async throws {
            try await withStores { here, there, _ in
                here.changes.externalWatch = ExternalWatch(every: .seconds(3_600))
                let (own, others) = (Conformance.plain(here), Conformance.plain(there))
                var iterator = own.notes.observe().makeAsyncIterator()
                #expect(try await iterator.next()?.count == 0)
                try await others.notes.create(Note(id: "a", text: ""))
                #expect(try await iterator.next()?.map(\.id) == ["a"])
                let ended = try await there.access.leasing { connection in
                    try await connection.run(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                        WHERE query = (SELECT 'LISTEN "repository ' || md5(current_schema()::text) || '"')
                        """
                    ).count
                }
                #expect(ended == 1)
                try await others.notes.create(Note(id: "b", text: ""))
                #expect(try await iterator.next()?.map(\.id) == ["a", "b"])
            }
        }

        @Test func observersPollWhereNothingIsNotified() async throws {
            try await withStores { here, there, _ in
                here.changes.externalWatch = ExternalWatch(every: .milliseconds(5))
                here.access.feed.end()
                let (own, others) = (Conformance.plain(here), Conformance.plain(there))
                var iterator = own.notes.observe().makeAsyncIterator()
                #expect(try await iterator.next()?.count == 0)
                for number in 1...5 {
                    try await others.notes.create(Note(id: Note.ID("\(number)"), text: ""))
                    #expect(try await iterator.next()?.count == number)
                }
            }
        }

        @Test func cacheNoticesOtherPrograms() async throws {
            try await withStores { here, there, _ in
                let cache = try here.caching()
                let (cached, others) = (Conformance.plain(cache), Conformance.plain(there))
                try await others.notes.create(Note(id: "a", text: "old"))
                for _ in 1...3 { #expect(try await cached.notes.fetch().map(\.text) == ["old"]) }
                #expect(cache.statistics.hits == 2)
                try await others.notes.update(Note(id: "a", text: "new"))
                #expect(try await cached.notes.fetch().map(\.text) == ["new"])
            }
            #expect(throws: CRUDRepositoryError.self) {
                try TestServer.store("x").caching()
            }
        }

        /// The behaviours of the suite on a store with everything turned on.
        private static let harness = StoreHarness(
            damage: TestServer.harness.damage, cleanUp: TestServer.harness.cleanUp
        ) { place in
            PostgreSQLStore(
                try TestServer.address.get(), schema: place.name, connections: 6,
                waitTimeout: .seconds(600), lockTimeout: .seconds(600), exactlyOnce: true,
                observing: true)
        }
        /// The areas of which every third behaviour is run; all of all with `REPOSITORY_LONG=1`.
        private static let areas: Set = [
            "assigned", "changeState", "observation", "records", "transactions", "versions",
        ]

        @Test func behaviours() async throws {
            let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
            let some = StoreBehaviour.all.filter { Self.areas.contains($0.area) }
            let chosen =
                isLong
                ? StoreBehaviour.all : some.indices.filter { $0 % 3 == 0 }.map { some[$0] }
            let passed = await checkAll(chosen, Self.harness)
            print(
                "PostgreSQL, exactly once and observing: \(passed) of \(chosen.count) behaviours passed"
            )
            #expect(passed > chosen.count / 2)
        }
    }
#endif
