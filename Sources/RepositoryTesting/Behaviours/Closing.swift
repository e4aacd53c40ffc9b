internal import RepositoryRuntime

extension StoreBehaviour {
    /// The end of a store's life.
    static let closing: [StoreBehaviour] = closingStates + closingWaits + closingPlaces

    /// Operations before and after a store is closed.
    private static let closingStates: [StoreBehaviour] = [
        closing(
            "operations", "Every operation on a closed store throws `storeClosed`.",
            needs: [.records, .listing, .batches, .queries, .reset, .closing]
        ) { trial in
            try await trial.fillNotes()
            try await trial.repositories.close()
            let note = Note(id: "d", text: "")
            try await expectClosed([
                { try await trial.notes.create(note) },
                { _ = try await trial.notes.read("a") },
                { try await trial.notes.update(Note(id: "a", text: "")) },
                { try await trial.notes.save(note) },
                { try await trial.notes.delete("a") },
                { _ = try await trial.notes.exists("a") },
                { try await trial.notes.createAll([note]) },
                { _ = try await trial.notes.saveAll([note]) },
                { _ = try await trial.notes.deleteAll(ids: ["a"]) },
                { _ = try await trial.notes.deleteAll() },
                { _ = try await trial.notes.count() },
                { _ = try await trial.notes.ids() },
                { _ = try await trial.notes.fetch() },
                { _ = try await trial.notes.fetch(.where { $0.rank > 1 }) },
                { try await trial.repositories.reset() },
                { try await trial.store.open(trial.repositories.context.schema) },
            ])
        },
        closing(
            "transactions", "A closed store begins neither transactions nor snapshots.",
            needs: [.records, .listing, .closing, .transactions, .snapshots]
        ) { trial in
            try await trial.fillNotes()
            try await trial.repositories.close()
            try await expectClosed([
                { try await trial.repositories.transaction { _ in } },
                { _ = try await trial.store.begin() },
                { _ = try await trial.store.snapshot() },
            ])
        },
        closing("before", "A store that is closed before its first operation stays closed.") {
            trial in
            try await trial.repositories.close()
            try await expectClosed([
                { try await trial.notes.create(Note(id: "a", text: "")) },
                { _ = try await trial.notes.count() },
            ])
        },
        closing("twice", "Closing a closed store has no effect, also from several tasks at once.") {
            trial in
            try await trial.fillNotes()
            _ = try await concurrently(8) { _ in try await trial.repositories.close() }
            try await trial.repositories.close()
            try await expectError(.storeClosed) { try await trial.notes.count() }
        },
        closing("otherSets", "A closed store is closed for all sets that use it.") { trial in
            try await trial.fillNotes()
            let other = trial.repositories(now: trial.defaults.now)
            try await other.open()
            try await other.close()
            try await expectError(.storeClosed) { try await trial.notes.read("a") }
            try await expectError(.storeClosed) { try await other.notes.read("a") }
        },
    ]

    /// What a store that is being closed waits for.
    private static let closingWaits: [StoreBehaviour] = [
        closing(
            "transaction", "Closing waits for the transaction that runs, which can commit.",
            needs: [.records, .listing, .closing, .transactions]
        ) { trial in
            try await trial.fillNotes()
            try await trial.repositories.open()
            let transaction = try await trial.store.begin()
            try await transaction.create(Note(id: "d", text: ""))
            let isClosed = CancellationFlag()
            let closing = Task {
                try await trial.repositories.close()
                isClosed.cancel()
            }
            try await untilClosed(trial)
            // What waits for the transaction gives up, as does what arrives now.
            try await expectError(.storeClosed) {
                try await trial.notes.create(Note(id: "e", text: ""))
            }
            try await expectError(.storeClosed) {
                try await trial.repositories.transaction { _ in }
            }
            _ = try await transaction.update(Note(id: "d", text: "changed"))
            try await expect(transaction.read(Note.self, id: "d").text, is: "changed")
            try expect(!isClosed.isCancelled, "The store was closed during a transaction.")
            try await transaction.commit()
            try await closing.value
            guard trial.store.capabilities.has(.persistent) else { return }
            let again = try await trial.reopened()
            try await expect(again.notes.read("d").text, is: "changed")
            try await again.repositories.close()
        },
        closing(
            "waiting",
            "A write that waits for a transaction throws `storeClosed` and changes nothing.",
            needs: [.records, .listing, .closing, .transactions], lacks: [.concurrentWriters]
        ) { trial in
            try await trial.fillNotes()
            try await trial.repositories.open()
            let transaction = try await trial.store.begin()
            let write = Task { try await trial.notes.create(Note(id: "d", text: "")) }
            let other = Task {
                try await trial.repositories.transaction { library in
                    try await library.notes.create(Note(id: "e", text: ""))
                }
            }
            try await Task.sleep(for: .milliseconds(10))
            let closing = Task { try await trial.repositories.close() }
            try await expectError(.storeClosed) { try await write.value }
            try await expectError(.storeClosed) { try await other.value }
            await transaction.rollBack()
            try await closing.value
            guard trial.store.capabilities.has(.persistent) else { return }
            let again = try await trial.reopened()
            try await expect(again.notes.ids(), is: ["a", "b", "c"])
            try await again.repositories.close()
        },
        closing(
            "inside", "Closing a store inside one of its transactions throws `unsupported`.",
            needs: [.records, .listing, .closing, .transactions]
        ) { trial in
            try await trial.fillNotes()
            try await trial.repositories.transaction { library in
                try await expectError(.unsupported) { try await trial.repositories.close() }
                try await expectError(.unsupported) { try await library.close() }
                try await library.notes.create(Note(id: "d", text: ""))
            }
            try await expect(trial.notes.count(), is: 4)
            try await trial.repositories.close()
        },
        closing(
            "writers",
            "Of concurrent writers, each write is stored or throws `storeClosed` when the store is closed."
        ) { trial in
            try await trial.repositories.open()
            let writers = (0..<8).map { writer in
                Task {
                    var stored: [String] = []
                    while stored.count < 2_000 {
                        let id = "\(writer)-\(stored.count)"
                        do {
                            try await trial.notes.create(Note(id: Note.ID(id), text: ""))
                        } catch let error as CRUDRepositoryError where error.code == .storeClosed {
                            break
                        }
                        stored.append(id)
                        // A store in memory never suspends its writers.
                        await Task.yield()
                    }
                    return stored
                }
            }
            try await Task.sleep(for: .milliseconds(20))
            try await trial.repositories.close()
            var stored: Set<String> = []
            for writer in writers { stored.formUnion(try await writer.value) }
            guard trial.store.capabilities.has(.persistent) else { return }
            let again = try await trial.reopened()
            let found = try await again.notes.ids().map(\.description)
            try await again.repositories.close()
            try expect(
                Set(found) == stored, "\(stored.count) writes returned, \(found.count) stored")
        },
    ]

    /// Two stores of one place.
    private static let closingPlaces: [StoreBehaviour] = [
        closing(
            "reopened", "A new store at the place of a closed one has the same records.",
            needs: [.records, .listing, .closing, .persistent]
        ) { trial in
            try await trial.fillNotes()
            try await trial.repositories.close()
            for round in 0..<3 {
                let again = try await trial.reopened()
                try await expect(again.notes.count(), is: 3 + round)
                try await again.notes.create(Note(id: Note.ID("new \(round)"), text: ""))
                try await again.repositories.close()
            }
        },
        closing(
            "twoStores", "Closing a store leaves another store of the same place open.",
            needs: [.records, .listing, .closing, .persistent]
        ) { trial in
            try await trial.fillNotes()
            let other = try await trial.reopened()
            try await expect(other.notes.count(), is: 3)
            try await trial.repositories.close()
            try await other.notes.create(Note(id: "d", text: ""))
            try await expect(other.notes.read("d"), is: Note(id: "d", text: ""))
            try await expectError(.storeClosed) { try await trial.notes.read("d") }
            try await other.repositories.close()
        },
    ]

    /// Observers of a store that is closed.
    static let closedObservations: [StoreBehaviour] = [
        StoreBehaviour(
            "observation.closed", "The sequences of observers end when the store is closed.",
            needs: [.records, .listing, .closing, .observation, .snapshots]
        ) { trial in
            try await trial.fillNotes()
            let waiting = trial.reader(trial.notes.observe(.all))
            try await expect(waiting.next().count, is: 3)
            let counts = trial.reader(
                trial.repositories.observe { try await $0.notes.count() })
            try await expect(counts.next(), is: 3)
            let late = trial.reader(trial.notes.observe(.all))
            let next = Task { try await waiting.nextOrEnd() }
            try await trial.repositories.close()
            try await expect(next.value == nil, is: true)
            try await expect(waiting.nextOrEnd() == nil, is: true)
            try await expect(counts.nextOrEnd() == nil, is: true)
            try await expectError(.storeClosed) { try await late.nextOrEnd() }
        }
    ]

    private static func closing(
        _ name: String, _ sentence: String,
        needs: [StoreCapability] = [.records, .listing, .closing], lacks: [StoreCapability] = [],
        fileID: String = #fileID, line: Int = #line,
        _ run: @escaping @Sendable (StoreTrial) async throws -> Void
    ) -> StoreBehaviour {
        StoreBehaviour(
            "closing.\(name)", sentence, needs: needs, lacks: lacks, fileID: fileID, line: line, run
        )
    }
}

/// Each of the calls throws `storeClosed`.
private func expectClosed(_ calls: [@Sendable () async throws -> Void]) async throws {
    for (number, call) in calls.enumerated() {
        try await expectError(.storeClosed, saying: "Call \(number) should throw.") {
            try await call()
        }
    }
}

/// Waits until a store that is being closed refuses reads.
private func untilClosed(_ trial: StoreTrial) async throws {
    while true {
        do {
            _ = try await trial.notes.exists("a")
        } catch let error as CRUDRepositoryError where error.code == .storeClosed {
            return
        }
        try await Task.sleep(for: .milliseconds(1))
    }
}
