internal import RepositoryRuntime

extension StoreBehaviour {
    /// The visibility of transactions to observers.
    static let observedTransactions: [StoreBehaviour] = [
        transacted("transaction", "An observer sees the changes of a transaction as one change.") {
            trial in
            try await trial.fillNotes("a", "b")
            let reader = trial.reader(trial.notes.observe())
            _ = try await reader.next()
            try await trial.repositories.transaction { library in
                try await library.notes.delete("a")
                try await library.notes.create(Note(id: "c", text: ""))
                try await library.notes.update(Note(id: "b", text: "new"))
            }
            let seen = try await reader.next()
            try expect(seen, is: [Note(id: "b", text: "new"), Note(id: "c", text: "")])
        },
        transacted("nested", "An observer sees a nested transaction's changes with the outer one.")
        {
            trial in
            let reader = trial.reader(trial.notes.observe())
            _ = try await reader.next()
            try await trial.repositories.transaction { library in
                try await library.notes.create(Note(id: "a", text: ""))
                try await library.transaction { library in
                    _ = try await library.notes.create(Note(id: "b", text: ""))
                }
            }
            try await expect(reader.next().map(\.id), is: ["a", "b"])
        },
        transacted("rolledBack", "An observer sees no change of a rolled back transaction.") {
            trial in
            try await trial.fillNotes("a")
            let recorder = ChangeRecorder(trial.store.changes)
            let reader = trial.reader(trial.notes.observe())
            _ = try await reader.next()
            try await trial.rollsBack { library in
                try await library.notes.create(Note(id: "b", text: ""))
                try await library.notes.delete("a")
            }
            try await trial.fillNotes("c")
            try await expect(reader.next().map(\.id), is: ["a", "c"])
            try await trial.fillNotes("d")
            try await expect(reader.next().count, is: 3)
            try expect(
                recorder.count <= 2, "A change was sent for a rolled back transaction.")
        },
        transacted(
            "rolledBackNested", "An observer sees no change of a nested transaction that threw."
        ) {
            trial in
            let reader = trial.reader(trial.notes.observe())
            _ = try await reader.next()
            try await trial.repositories.transaction { library in
                try await library.notes.create(Note(id: "a", text: ""))
                try await trial.rollsBack(library) { library in
                    try await library.notes.create(Note(id: "b", text: ""))
                }
            }
            try await expect(reader.next().map(\.id), is: ["a"])
        },
        transacted(
            "afterCommit", "A change is sent when the committed records are readable, not before."
        ) { trial in
            // A result read before the commit would remain until the next change.
            let reader = trial.reader(trial.notes.observe())
            _ = try await reader.next()
            for number in 1...20 {
                async let result = reader.next()
                try await trial.repositories.transaction { library in
                    _ = try await library.notes.create(Note(id: .init("\(number)"), text: ""))
                    await Task.yield()
                    _ = try await library.counters.create(Counter(number: .init(number), label: ""))
                }
                try await expect(result.count, is: number)
            }
        },
        transacted("refusedInside", "An observation inside a transaction throws `unsupported`.") {
            trial in
            try await trial.repositories.transaction { library in
                let inner = trial.reader(library.notes.observe())
                try await expectError(.unsupported) { try await inner.next() }
                let outer = trial.reader(trial.notes.observe())
                try await expectError(.unsupported) { try await outer.next() }
            }
            try await expect(trial.reader(trial.notes.observe()).next(), is: [])
        },
    ]

    /// A behaviour of stores with observation and transactions.
    private static func transacted(
        _ id: String, _ sentence: String, fileID: String = #fileID, line: Int = #line,
        _ body: @escaping Check
    ) -> StoreBehaviour {
        observed(id, sentence, needs: [.transactions], fileID: fileID, line: line, body)
    }
}

extension StoreTrial {
    /// Runs a closure in a transaction and rolls it back.
    fileprivate func rollsBack(
        _ library: Conformance? = nil, _ body: (Conformance) async throws -> Void
    ) async throws {
        struct Enough: Error {}
        do {
            try await (library ?? repositories).transaction { library in
                try await body(library)
                throw Enough()
            }
        } catch is Enough {
            return
        }
    }
}
