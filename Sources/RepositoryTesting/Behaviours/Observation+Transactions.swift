internal import RepositoryRuntime

extension StoreBehaviour {
    /// What who observes sees of transactions.
    static let observedTransactions: [StoreBehaviour] = [
        transacted("transaction", "What a transaction writes is seen as one change.") { trial in
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
        transacted("nested", "What a nested transaction writes is seen with the outer one.") {
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
        transacted("rolledBack", "Nothing of what was rolled back is seen.") { trial in
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
                recorder.count <= 2, "A change was sent that was rolled back.")
        },
        transacted("rolledBackNested", "Of a nested transaction that threw nothing is seen.") {
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
        transacted("afterCommit", "A change is sent when it can be read, not earlier.") { trial in
            // A result that was read before its commit would be repeated until the next change.
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
        transacted("refusedInside", "Inside a transaction an observation is refused.") { trial in
            try await trial.repositories.transaction { library in
                let inner = trial.reader(library.notes.observe())
                try await expectError(.unsupported) { try await inner.next() }
                let outer = trial.reader(trial.notes.observe())
                try await expectError(.unsupported) { try await outer.next() }
            }
            try await expect(trial.reader(trial.notes.observe()).next(), is: [])
        },
    ]

    private static func transacted(
        _ id: String, _ sentence: String, fileID: String = #fileID, line: Int = #line,
        _ body: @escaping Check
    ) -> StoreBehaviour {
        observed(id, sentence, needs: [.transactions], fileID: fileID, line: line, body)
    }
}

extension StoreTrial {
    /// Runs a body in a transaction that is rolled back.
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
