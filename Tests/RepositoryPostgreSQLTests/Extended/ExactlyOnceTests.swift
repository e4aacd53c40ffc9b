#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Synchronization
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    @Suite(
        "PostgreSQL: exactly once", .serialized,
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct ExactlyOnceTests {
        /// The notes that are written by tasks at the same time.
        private static let together = (0..<6).map { Note(id: Note.ID("together \($0)"), text: "") }

        /// Writes of every kind. None of them may throw, whenever a connection is lost.
        ///
        /// - Returns: the ids that the store has given.
        private static func write(_ store: PostgreSQLStore) async throws -> [Receipt.ID] {
            let library = Conformance.plain(store)
            try await library.notes.create(Note(id: "a", text: "a"))
            try await library.notes.save(Note(id: "a", text: "b"))
            try await library.notes.createAll([Note(id: "b", text: ""), Note(id: "c", text: "")])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for note in together {
                    group.addTask { try await library.notes.create(note) }
                }
                try await group.waitForAll()
            }
            try await library.notes.delete("b")
            var ticket = try await library.tickets.create(Ticket(title: "new"))
            ticket.title = "old"
            ticket = try await library.tickets.update(ticket)
            #expect(ticket.revision == 2)
            let changed = ticket
            let stored = try await library.transaction { inner in
                try await inner.notes.create(Note(id: "d", text: ""))
                return try await inner.tickets.update(changed)
            }
            #expect(stored.revision == 3)
            var draft = RecordDraft<Receipt>()
            draft.text = "draft"
            let receipts = Receipts(store).receipts
            return [try await receipts.create(draft).id, try await receipts.create(draft).id]
        }

        /// Checks that each of the writes happened once.
        private static func expectWritten(
            _ store: PostgreSQLStore, _ ids: [Receipt.ID], _ context: Comment
        ) async throws {
            let library = Conformance.plain(store)
            #expect(
                try await library.notes.fetch()
                    == [
                        Note(id: "a", text: "b"), Note(id: "c", text: ""), Note(id: "d", text: ""),
                    ] + together, context)
            #expect(try await library.tickets.fetch().map(\.revision) == [3], context)
            #expect(try await Receipts(store).receipts.ids() == ids, context)
        }

        private static func empty(_ store: PostgreSQLStore) async throws {
            let library = Conformance.plain(store)
            try await library.notes.deleteAll()
            try await library.tickets.deleteAll()
            try await Receipts(store).receipts.deleteAll()
        }

        /// A connection is lost at the end of each message of the writes, and one byte before it. Each
        /// write returns its result, and has happened once. With `REPOSITORY_LONG=1` at all of them.
        @Test(arguments: OnceProxy.Direction.allCases, [false, true])
        func everyBoundary(_ direction: OnceProxy.Direction, freezes: Bool) async throws {
            try await everyBoundary(direction, freezes, connections: 1)
        }

        /// The same where writes share connections.
        @Test(arguments: OnceProxy.Direction.allCases, [false, true])
        func everyBoundaryOfGroups(_ direction: OnceProxy.Direction, freezes: Bool) async throws {
            try await everyBoundary(direction, freezes, connections: 8)
        }

        private func everyBoundary(
            _ direction: OnceProxy.Direction, _ freezes: Bool, connections: Int
        ) async throws {
            let address = try TestServer.address.get()
            let port = try #require(TestServer.port)
            let schema = "once-\(UUID().uuidString)"
            let direct = PostgreSQLStore(
                address, schema: schema, connections: 1, exactlyOnce: true)
            try await Conformance.plain(direct).open()
            let proxy = try OnceProxy(to: port, direction, after: -1)
            defer { proxy.stop() }
            func store() async throws -> PostgreSQLStore {
                let store = PostgreSQLStore(
                    address.replacing(":\(port)", with: ":\(proxy.port)"), schema: schema,
                    connections: connections, exactlyOnce: true)
                try await Conformance.plain(store).open()
                try await Receipts(store).open()
                // What is lost while a connection is opened is an error, and nothing was sent.
                try await Conformance.plain(store).notes.create(Note(id: "first", text: ""))
                try await Conformance.plain(store).notes.delete("first")
                return store
            }
            let first = try await store()
            proxy.record()
            let ids = try await Self.write(first)
            let ends = proxy.messageEnds(direction)
            #expect((first.statistics.writes.operations > 0) == (connections > 1))
            try await Self.expectWritten(direct, ids, "uncut")
            try await Self.empty(direct)
            try await first.close()
            #expect(ends.count > 60)
            let seed = UInt64.random(in: 0 ... .max)
            var random = CutConnectionTests.SeededGenerator(state: seed)
            let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
            let places = ends.flatMap { [$0 - 1, $0] }
            let chosen = isLong ? places : Array(places.shuffled(using: &random).prefix(4))
            var cuts = 0
            var last = ids[1].rawValue
            for place in chosen {
                let store = try await store()
                proxy.cutOnce(direction, after: place, freezes: freezes)
                let context: Comment =
                    "seed \(seed), byte \(place), \(direction), \(freezes), \(connections) connections"
                var ids: [Receipt.ID] = []
                do {
                    ids = try await Self.write(store)
                } catch {
                    Issue.record("\(error): \(context)")
                }
                // No id is left out, because no attempt was stored twice.
                #expect(ids.map(\.rawValue) == [last + 1, last + 2], context)
                last = ids.last?.rawValue ?? last
                if proxy.hasCut { cuts += 1 }
                proxy.heal()
                try await Self.expectWritten(direct, ids, context)
                try await store.close()
                try await Self.empty(direct)
            }
            // The last places are not reached where times and ids take fewer bytes than at first.
            #expect(cuts >= chosen.count * 9 / 10)
            print(
                "PostgreSQL: \(cuts) connections of \(connections) lost \(direction)\(freezes ? ", unnoticed" : ""), each write once"
            )
            try await direct.close()
            // They may hold locks.
            proxy.endFrozen()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        /// Connections with rows of their own in the table of the writes.
        private func withConnections(
            _ body: (PostgreSQLConnection, PostgreSQLConnection) async throws -> Void
        ) async throws {
            let schema = "once-\(UUID().uuidString)"
            let store = PostgreSQLStore(
                try TestServer.address.get(), schema: schema, connections: 3, exactlyOnce: true)
            try await Conformance.plain(store).open()
            let old = try await store.access.pool.lease(nil)
            let new = try await store.access.pool.lease(nil)
            try await PostgreSQLWriteTokens.begin(old)
            try await body(old, new)
            old.discard()
            store.access.pool.giveBack(old)
            store.access.pool.giveBack(new)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        @Test func writeThatArrivesAfterTheQuestionIsRefused() async throws {
            try await withConnections { old, new in
                for isRepeated in [false, true] {
                    if !isRepeated {
                        let step = try #require(PostgreSQLWriteTokens.step(old))
                        try await old.run(step.text, step.parameters)
                    }
                    try await old.runSimple("BEGIN")
                    let late = try #require(PostgreSQLWriteTokens.step(old))
                    let write = PostgreSQLLostWrite(session: try #require(old.writeSession))
                    #expect(try await !PostgreSQLWriteTokens.ask(write, new))
                    // The answer may be lost, too.
                    #expect(try await !PostgreSQLWriteTokens.ask(write, new))
                    let error = await #expect(throws: PostgreSQLError.self) {
                        try await old.run(late.text, late.parameters)
                    }
                    #expect(error?.state == "23502")
                    try await old.runSimple("ROLLBACK")
                }
            }
        }

        @Test func questionWaitsForTheCommit() async throws {
            try await withConnections { old, new in
                try await old.runSimple("BEGIN")
                let step = try #require(PostgreSQLWriteTokens.step(old))
                try await old.run(step.text, step.parameters)
                let write = PostgreSQLLostWrite(session: try #require(old.writeSession))
                let error = await #expect(throws: PostgreSQLError.self) {
                    _ = try await PostgreSQLWriteTokens.ask(write, new)
                }
                #expect(error?.state == "55P03")
                try await old.runSimple("COMMIT")
                #expect(try await PostgreSQLWriteTokens.ask(write, new))
                #expect(try await PostgreSQLWriteTokens.ask(write, new))
            }
        }

        @Test func endedProcessDidNotCommit() async throws {
            try await withConnections { old, new in
                try await old.runSimple("BEGIN")
                let step = try #require(PostgreSQLWriteTokens.step(old))
                try await old.run(step.text, step.parameters)
                var session = try #require(old.writeSession)
                // Another process with the same number is left alone.
                session.number += 1
                let other = PostgreSQLWriteSession(
                    id: session.id, process: session.process, start: "2020-01-01 00:00:00+00")
                try await PostgreSQLWriteTokens.end(PostgreSQLLostWrite(session: other), new)
                #expect(try await old.run("SELECT 1").count == 1)
                let write = PostgreSQLLostWrite(session: try #require(old.writeSession))
                try await PostgreSQLWriteTokens.end(write, new)
                var isDone: Bool?
                while isDone == nil {
                    do {
                        isDone = try await PostgreSQLWriteTokens.ask(write, new)
                    } catch let error as PostgreSQLError where error.state == "55P03" {}
                }
                #expect(isDone == false)
            }
        }

        @Test func rowsOfOldConnectionsAreRemoved() async throws {
            try await withConnections { old, new in
                try await new.run(
                    """
                    INSERT INTO "repository_writes" SELECT gen_random_uuid(), 1, false, \
                    now() - n * interval '7 hours' FROM generate_series(1, 10) AS n
                    """)
                try await PostgreSQLWriteTokens.begin(new)
                let left = try await new.run("SELECT count(*) FROM \"repository_writes\"")
                #expect(left.integer(0, 0) == 3)
            }
        }

        /// The wait for a standby that is not there is cancelled: the commit is on the server, and it
        /// is not known whether it would survive it.
        @Test(arguments: [false, true], [3, 8])
        func cancelledWaitForAStandby(_ exactlyOnce: Bool, connections: Int) async throws {
            let server = try OwnServer()
            defer { server.stop() }
            let admin = server.admin
            func run(_ text: String) async throws {
                _ = try await admin.leasing { try await $0.runSimple(text) }
            }
            let store = PostgreSQLStore(
                server.address, connections: connections, exactlyOnce: exactlyOnce)
            let library = Conformance.plain(store)
            try await library.open()
            try await run("SET synchronous_commit = local")
            try await run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
            try await run("SELECT pg_reload_conf()")
            let waiting = """
                SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' \
                AND application_name = 'swift-repository'
                """
            func waiters() async throws -> [Int64] {
                let found = try await admin.leasing { try await $0.run(waiting) }
                return (0..<found.count).compactMap { found.integer($0, 0) }
            }
            let write = Task { try await library.notes.create(Note(id: "a", text: "")) }
            var first: Int64?
            while first == nil { first = try await waiters().first }
            // On a shared connection it is sent when the answer to the first one has come.
            async let second = library.notes.create(Note(id: "b", text: ""))
            if connections > 3 {
                while store.statistics.writes.waitingOperations == 0 { await Task.yield() }
            }
            try await run("SELECT pg_cancel_backend(\(first ?? 0))")
            if exactlyOnce {
                // The question waits for the standby as well, and is asked again if that is
                // cancelled.
                for _ in 1...2 {
                    var asking: [Int64] = []
                    while asking.isEmpty { asking = try await waiters().filter { $0 != first } }
                    for process in asking { try await run("SELECT pg_cancel_backend(\(process))") }
                }
                while try await waiters().filter({ $0 != first }).isEmpty {}
                try await run("ALTER SYSTEM RESET synchronous_standby_names")
                try await run("SELECT pg_reload_conf()")
                _ = try await write.value
            } else {
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await write.value
                }
                #expect(error?.code == .outcomeUnknown)
                try await run("ALTER SYSTEM RESET synchronous_standby_names")
                try await run("SELECT pg_reload_conf()")
            }
            _ = try await second
            // The connection of the second write may have been given up, too.
            try await library.notes.create(Note(id: "c", text: ""))
            #expect(try await library.notes.ids() == ["a", "b", "c"])
            #expect(store.statistics.sharedConnections == (connections > 3 ? 2 : 0))
            try await store.close()
        }
    }
#endif
