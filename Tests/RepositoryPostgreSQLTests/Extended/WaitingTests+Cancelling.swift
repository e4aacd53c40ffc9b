#if PostgreSQL
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// Writes that are cancelled while they wait.
    extension WaitingTests {
        @Test func cancelledWriteThatWaitsForALockLeaves() async throws {
            try await withLibrary { store, library, schema in
                try await library.notes.create(Note(id: "a", text: "first"))
                try await TestServer.holding(
                    "UPDATE \"\(schema)\".notes SET text = 'other' WHERE id = 'a'"
                ) {
                    let writes = (0..<3).map { number in
                        Task { try await library.notes.save(Note(id: "a", text: "\(number)")) }
                    }
                    while store.statistics.leasedConnections < 3 {
                        try await Task.sleep(for: .milliseconds(5))
                    }
                    for write in writes { write.cancel() }
                    // The lock is held still.
                    for write in writes {
                        await #expect(throws: CancellationError.self) { try await write.value }
                    }
                }
                #expect(try await library.notes.read("a").text == "other")
            }
        }

        @Test func cancelledWriteOfATransactionLeavesTheOthers() async throws {
            try await withLibrary { store, library, schema in
                try await library.notes.create(Note(id: "a", text: "first"))
                try await TestServer.holding(
                    "UPDATE \"\(schema)\".notes SET text = 'other' WHERE id = 'a'"
                ) {
                    try await library.transaction { inside in
                        try await inside.notes.create(Note(id: "b", text: ""))
                        let write = Task {
                            try await inside.notes.saveAll([
                                Note(id: "c", text: ""), Note(id: "a", text: "second"),
                            ])
                        }
                        try await Self.reachLock(schema)
                        write.cancel()
                        // The lock is held still.
                        await #expect(throws: CancellationError.self) { try await write.value }
                        try await inside.notes.create(Note(id: "d", text: ""))
                    }
                }
                #expect(try await library.notes.ids() == ["a", "b", "d"])
                #expect(try await library.notes.read("a").text == "other")
                #expect(store.statistics.leasedConnections == 0)
            }
        }

        /// Waits until some sessions of a store wait for a lock.
        private static func reachLock(_ name: String, _ count: Int = 1) async throws {
            let waiting = """
                SELECT count(*) FROM pg_stat_activity \
                WHERE application_name = '\(name)' AND wait_event_type = 'Lock'
                """
            while try await TestServer.number(waiting) < count {
                try await Task.sleep(for: .milliseconds(5))
            }
        }

        /// They send several statements at once.
        @Test func cancelledBatchesThatWaitForALockSaySo() async throws {
            try await withLibrary(connections: 3) { store, library, schema in
                try await library.notes.create(Note(id: "a", text: "first"))
                try await TestServer.holding("UPDATE \"\(schema)\".notes SET text = 'other'") {
                    let writes = [
                        Task { _ = try await library.notes.deleteAll(ids: ["a", "b"]) },
                        Task {
                            _ = try await library.notes.updateAll(
                                where: { $0.id == "a" }, set: { $0.rank = 1 })
                        },
                    ]
                    try await Self.reachLock(schema, writes.count)
                    for write in writes { write.cancel() }
                    for write in writes {
                        await #expect(throws: CancellationError.self) { try await write.value }
                    }
                }
                #expect(try await library.notes.fetch().map(\.text) == ["other"])
            }
        }

        /// A cancelled `COPY` leaves no record, and no connection in its middle.
        @Test func cancelledBatchesLeaveNothing() async throws {
            try await withLibrary(connections: 4) { store, library, _ in
                let notes = (0..<30_000).map { Note(id: Note.ID("\($0)"), text: "text") }
                for milliseconds in [1, 20, 60, 120, 200] {
                    let batch = Task { try await library.notes.createAll(notes) }
                    try await Task.sleep(for: .milliseconds(milliseconds))
                    batch.cancel()
                    let count: Int
                    do {
                        count = try await batch.value.count
                    } catch is CancellationError {
                        count = 0
                    }
                    #expect(try await library.notes.count() == count)
                    #expect(try await library.notes.deleteAll() == count)
                }
                #expect(store.statistics.leasedConnections == 0)
            }
        }
    }
#endif
