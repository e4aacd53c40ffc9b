#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// Servers that accept connections, and do not answer.
    @Suite(
        "PostgreSQL: silent servers", .serialized,
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct SilentServerTests {
        /// The time that the stores wait. It is longer than any statement of the tests takes, also
        /// beside other tests.
        private static let limit = Duration.seconds(6)

        /// Runs a body with a store whose connections go through a proxy, and one whose do not.
        private func withProxy(
            connections: Int = 6, exactlyOnce: Bool = false,
            _ body: (PostgreSQLStore, Conformance, OnceProxy, _ truth: Conformance) async throws ->
                Void
        ) async throws {
            let address = try TestServer.address("sslmode=disable&gssencmode=disable")
            let port = try #require(TestServer.port)
            let schema = "silent-\(UUID().uuidString)"
            let direct = PostgreSQLStore(
                address, schema: schema, connections: 2, exactlyOnce: exactlyOnce)
            let truth = Conformance.plain(direct)
            try await truth.open()
            try await truth.notes.create(Note(id: "first", text: "first"))
            let proxy = try OnceProxy(to: port, .toClient, after: -1)
            defer { proxy.stop() }
            let store = PostgreSQLStore(
                address.replacing(":\(port)", with: ":\(proxy.port)")
                    + "&application_name=\(schema)", schema: schema,
                connections: connections, connectTimeout: Self.limit, waitTimeout: .seconds(30),
                answerTimeout: Self.limit, exactlyOnce: exactlyOnce)
            let library = Conformance.plain(store)
            try await library.open()
            _ = try await library.notes.read("first")
            _ = try await library.notes.count()
            try await body(store, library, proxy, truth)
            try await store.close()
            try await direct.close()
            // What a statement that still sleeps holds back, no vacuum can remove: all later tests would be slower.
            try await TestServer.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(schema)'"
            )
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        @Test("a read is run again on another connection", arguments: OnceProxy.Direction.allCases)
        func readsRunAgain(_ direction: OnceProxy.Direction) async throws {
            try await withProxy { store, library, proxy, _ in
                // The shared connection.
                proxy.silenceOnce(direction, after: 0)
                let found1 = try await library.notes.read("first").text
                #expect(found1 == "first")
                #expect(store.statistics.reads.lostConnections == 1)
                #expect(proxy.hasCut)
                // A leased one, which is silent in the middle of its answer.
                let opened = store.statistics.openedConnections
                proxy.silenceOnce(direction, after: 3)
                let found2 = try await library.notes.fetch().count
                #expect(found2 == 1)
                #expect(store.statistics.openedConnections == opened + 1)
                #expect(proxy.hasCut)
                let found3 = try await library.notes.read("first").text
                #expect(found3 == "first")
            }
        }

        @Test("many reads that share a connection are all answered")
        func manyReads() async throws {
            try await withProxy { store, library, proxy, _ in
                proxy.silenceOnce(.toClient, after: 10)
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<50 {
                        group.addTask { try await library.notes.read("first").text }
                    }
                    for try await text in group { #expect(text == "first") }
                }
                #expect(store.statistics.reads.lostConnections == 1)
            }
        }

        @Test("where nothing answers, reads throw a retryable error that says so")
        func nothingAnswers() async throws {
            try await withProxy { store, library, proxy, _ in
                // Two connections that answer nothing: the first ones are there already.
                _ = try await library.notes.count()
                proxy.silence(.toServer)
                for isShared in [true, false] {
                    let error = await #expect(throws: CRUDRepositoryError.self) {
                        if isShared {
                            _ = try await library.notes.read("first")
                        } else {
                            _ = try await library.notes.fetch()
                        }
                    }
                    #expect(error?.code == .databaseError)
                    #expect(error?.isRetryable ?? false)
                    #expect(error?.message.contains("PostgreSQL") ?? false)
                }
                proxy.heal()
                let found4 = try await library.notes.read("first").text
                #expect(found4 == "first")
                let found5 = try await library.notes.count()
                #expect(found5 == 1)
            }
        }

        @Test("connecting ends, and the error says why")
        func connecting() async throws {
            let port = try #require(TestServer.port)
            let proxy = try OnceProxy(to: port, .toServer, after: -1)
            defer { proxy.stop() }
            let address = try TestServer.address("sslmode=disable&gssencmode=disable")
                .replacing(":\(port)", with: ":\(proxy.port)")
            func connect(_ settings: [String]) async throws -> PostgreSQLError? {
                let pool = ConnectionPool(
                    address, settings: settings, limit: 1, connectTimeout: .seconds(2),
                    waitTimeout: .seconds(30))
                let error = await #expect(throws: PostgreSQLError.self) {
                    _ = try await pool.lease(nil)
                }
                #expect(pool.counts.open == 0)
                pool.close()
                return error
            }
            // The handshake is answered, and not what sets the session up.
            let mark = UUID().uuidString
            let setUp = try await connect(["a.b = '1'; SELECT pg_sleep(600), '\(mark)'"])
            #expect(setUp?.isUnanswered ?? false, "\(setUp as Any)")
            try await TestServer.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                WHERE query LIKE '%\(mark)%' AND pid <> pg_backend_pid()
                """)
            proxy.silence(.toServer)
            let handshake = try await connect([])
            #expect(handshake?.isServerGone ?? false, "\(handshake as Any)")
        }

        @Test("the outcome of a write is unknown, and others go on")
        func writes() async throws {
            try await withProxy { store, library, proxy, truth in
                // The server does the first and never sees the second.
                for (id, direction) in [("a", OnceProxy.Direction.toClient), ("b", .toServer)] {
                    _ = try await library.notes.create(Note(id: Note.ID("shared \(id)"), text: ""))
                    proxy.silenceOnce(direction, after: 0)
                    let error = await #expect(throws: CRUDRepositoryError.self) {
                        try await library.notes.create(Note(id: Note.ID(id), text: ""))
                    }
                    #expect(error?.code == .outcomeUnknown)
                    #expect(error?.message.contains("has sent nothing") ?? false)
                    let isStored = try await truth.notes.exists(Note.ID(id))
                    #expect(isStored == (id == "a"))
                }
                #expect(store.statistics.writes.lostConnections == 2)
                // A transaction whose statement is not answered was not committed.
                proxy.silenceOnce(.toClient, after: 0)
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await library.transaction {
                        try await $0.notes.create(Note(id: "c", text: ""))
                    }
                }
                // BEGIN is asked again; a later statement fails.
                if let error { #expect(error.code == .databaseError && error.isRetryable) }
                _ = try await library.notes.create(Note(id: "d", text: ""))
                let found6 = try await truth.notes.exists("d")
                #expect(found6)
            }
        }

        @Test("with 'exactlyOnce' the write is asked for", arguments: OnceProxy.Direction.allCases)
        func exactlyOnce(_ direction: OnceProxy.Direction) async throws {
            try await withProxy(connections: 2, exactlyOnce: true) { _, library, proxy, truth in
                _ = try await library.notes.create(Note(id: "before", text: ""))
                proxy.silenceOnce(direction, after: 0)
                try await library.notes.create(Note(id: "a", text: "once"))
                #expect(proxy.hasCut)
                let found7 = try await truth.notes.read("a").text
                #expect(found7 == "once")
                proxy.silenceOnce(direction, after: 0)
                try await library.transaction {
                    try await $0.notes.create(Note(id: "b", text: "once"))
                }
                #expect(proxy.hasCut)
                let found8 = try await truth.notes.count()
                #expect(found8 == 4)
            }
        }

        @Test("statements that take long by design do not end")
        func longStatements() async throws {
            try await withProxy { store, library, proxy, _ in
                let long = "SELECT pg_sleep(\(Self.limit.components.seconds + 2))"
                try await store.sql(SQL(stringLiteral: long))
                try await library.transaction { _ in
                    try await store.sql(SQL(stringLiteral: long))
                }
                try await store.access.leasing { connection in
                    _ = try await PostgreSQLBlockingConnection.run(connection) { try $0.run(long) }
                }
                #expect(store.statistics.reads.lostConnections == 0)
                let found9 = try await library.notes.count()
                #expect(found9 == 1)
            }
        }

        @Test("a slow read is ended on the server, too")
        func slowReads() async throws {
            try await withProxy { store, library, _, _ in
                let mark = UUID().uuidString
                let error = await #expect(throws: PostgreSQLError.self) {
                    try await store.access.read {
                        try await $0.run("SELECT pg_sleep(600), '\(mark)'")
                    }
                }
                #expect(error?.isUnanswered ?? false)
                var running = 1
                while running > 0 {
                    running = try await TestServer.number(
                        """
                        SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%\(mark)%' \
                        AND pid <> pg_backend_pid()
                        """)
                }
                let found10 = try await library.notes.count()
                #expect(found10 == 1)
            }
        }

        @Test("a cancelled read of a silent server ends")
        func cancelled() async throws {
            try await withProxy { store, library, proxy, _ in
                let task = Task {
                    try await store.access.read { try await $0.run("SELECT pg_sleep(600)") }
                }
                try await Task.sleep(for: .milliseconds(100))
                proxy.silence(.toServer)
                task.cancel()
                await #expect(throws: (any Error).self) { try await task.value }
                proxy.heal()
                let found11 = try await library.notes.count()
                #expect(found11 == 1)
            }
        }

        /// Sends a signal to processes of the server.
        ///
        /// - Returns: whether that is allowed.
        private static func signal(_ number: Int32, _ processes: [Int32]) -> Bool {
            processes.allSatisfy { kill($0, number) == 0 }
        }

        @Test(
            "a stopped process of the server",
            .enabled(if: getuid() == 0, "The processes of the server are those of another user."))
        func stoppedProcess() async throws {
            try await withProxy { store, library, _, truth in
                _ = try await library.notes.create(Note(id: "shared", text: ""))
                let processes = try await store.access.leasing { connection in
                    let result = try await connection.run(
                        """
                        SELECT pid FROM pg_stat_activity \
                        WHERE application_name = current_setting('application_name')
                        """)
                    return (0..<result.count).map { Int32(result.integer($0, 0) ?? 0) }
                }
                #expect(processes.count >= 3)
                guard Self.signal(SIGSTOP, processes) else {
                    Issue.record("The processes of the server cannot be stopped.")
                    return
                }
                defer { _ = Self.signal(SIGCONT, processes) }
                let found12 = try await library.notes.read("first").text
                #expect(found12 == "first")
                let error = await #expect(throws: CRUDRepositoryError.self) {
                    try await library.notes.create(Note(id: "a", text: ""))
                }
                #expect(error?.code == .outcomeUnknown)
                _ = try await library.notes.create(Note(id: "b", text: ""))
                let ids = try await library.notes.ids()
                #expect(ids.contains("b"))
                let found13 = try await truth.notes.exists("b")
                #expect(found13)
            }
        }
    }
#endif
