internal import RepositoryRuntime

extension StoreBehaviour {
    /// Rollback.
    static let undone: [StoreBehaviour] = [
        transaction(
            "throw", "A transaction whose closure throws is rolled back and throws the error."
        ) { trial in
            try await trial.fillNotes()
            let error = try await thrown {
                try await trial.repositories.transaction { library in
                    try await library.notes.create(Note(id: "new", text: "new"))
                    try await library.notes.update(Note(id: "a", text: "changed", rank: 9))
                    try await library.notes.delete("b")
                    throw Refusal()
                }
            }
            try expect(error is Refusal, "A different error was thrown: \(error)")
            try await expect(trial.notes.ids(), is: ["a", "b", "c"])
            try await expect(trial.notes.read("a"), is: Note(id: "a", text: "old", rank: 1))
            try await expect(trial.notes.count(), is: 3)
            try await trial.notes.create(Note(id: "new", text: "later"))
            try await expect(trial.notes.read("new").text, is: "later")
        },
        transaction(
            "unfindable", "Indexes do not find changes that were rolled back.", needs: [.finders]
        ) { trial in
            try await trial.fillNotes()
            try await expect(trial.notes.findAll(rank: 1).count, is: 1)
            _ = try await thrown {
                try await trial.repositories.transaction { library in
                    try await library.notes.create(Note(id: "new", text: "", rank: 1))
                    try await library.notes.update(Note(id: "b", text: "", rank: 1))
                    try await library.notes.delete("a")
                    throw Refusal()
                }
            }
            try await expect(trial.notes.findAll(rank: 1).map(\.id), is: ["a"])
            try await expect(trial.notes.findAll(rank: 2).map(\.id), is: ["b"])
        },
        transaction("cancelled", "Cancelling its task rolls a transaction back.") {
            trial in
            try await trial.fillNotes()
            let task = Task {
                try await trial.repositories.transaction { library in
                    try await library.notes.delete("a")
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            let error = try await thrown { try await task.value }
            try expect(error is CancellationError, "A different error was thrown: \(error)")
            try await expect(trial.notes.exists("a"), is: true)
            try await trial.notes.delete("a")
        },
        transaction("failedCall", "A call that fails undoes only its own changes.") { trial in
            try await trial.fillNotes()
            try await trial.repositories.transaction { library in
                try await library.notes.create(Note(id: "one", text: ""))
                try await expectError(.recordAlreadyExists) {
                    try await library.notes.create(Note(id: "a", text: "twice"))
                }
                try await expectError(.recordNotFound) { try await library.notes.delete("x") }
                try await expectError(.recordNotFound) {
                    try await library.notes.update(Note(id: "x", text: ""))
                }
                try await library.notes.create(Note(id: "two", text: ""))
            }
            try await expect(trial.notes.ids(), is: ["a", "b", "c", "one", "two"])
            try await expect(trial.notes.read("a").text, is: "old")
        },
        transaction(
            "failedBatch", "A batch that fails inside a transaction undoes only its own changes.",
            needs: [.batches]
        ) { trial in
            try await trial.fillNotes()
            try await trial.repositories.transaction { library in
                try await library.notes.create(Note(id: "one", text: ""))
                try await expectError(.recordAlreadyExists) {
                    try await library.notes.createAll([
                        Note(id: "two", text: ""), Note(id: "a", text: ""),
                    ])
                }
                try await expect(library.notes.count(), is: 4)
            }
            try await expect(trial.notes.ids(), is: ["a", "b", "c", "one"])
        },
        transaction(
            "retried", "A closure that is run again does not see the changes of its first run."
        ) { trial in
            try await trial.fillNotes()
            let store = ConflictingStore(store: trial.store, conflicts: 2)
            let library = Conformance(
                context: RepositoryContext(
                    store: store, schema: trial.repositories.context.schema,
                    defaults: trial.defaults, fullScans: .allow))
            let runs = Attempts()
            try await library.transaction { library in
                runs.count()
                try await expect(library.notes.ids(), is: ["a", "b", "c"])
                try await library.notes.create(Note(id: "new", text: ""))
                try await library.notes.delete("a")
            }
            try expect(runs.number, is: 3)
            try await expect(trial.notes.ids(), is: ["b", "c", "new"])
        },
    ]

    /// Nested transactions.
    static let nested: [StoreBehaviour] = [
        transaction("nestedThrow", "A nested transaction that throws undoes only its own changes.")
        {
            trial in
            try await trial.fillNotes()
            try await trial.repositories.transaction { library in
                try await library.notes.update(Note(id: "a", text: "outer"))
                _ = try await thrown {
                    try await library.transaction { inner in
                        try await inner.notes.update(Note(id: "a", text: "inner"))
                        try await inner.notes.update(Note(id: "b", text: "inner"))
                        try await inner.notes.create(Note(id: "new", text: ""))
                        try await inner.notes.delete("c")
                        throw Refusal()
                    }
                }
                try await expect(library.notes.read("a").text, is: "outer")
                try await expect(library.notes.ids(), is: ["a", "b", "c"])
                try await library.notes.create(Note(id: "d", text: ""))
            }
            try await expect(trial.notes.fetch().map(\.text), is: ["outer", "old", "old", ""])
        },
        transaction("nestedCommit", "The changes of a nested transaction belong to its parent.") {
            trial in
            try await trial.fillNotes()
            try await trial.repositories.transaction { library in
                try await library.notes.delete("a")
                try await library.transaction { inner in
                    try await expect(inner.notes.ids(), is: ["b", "c"])
                    try await inner.notes.delete("b")
                }
                try await expect(library.notes.ids(), is: ["c"])
                try await outside { try await expect(trial.notes.count(), is: 3) }
            }
            try await expect(trial.notes.ids(), is: ["c"])
        },
        transaction("outerThrow", "A rollback includes committed nested transactions.") {
            trial in
            try await trial.fillNotes()
            _ = try await thrown {
                try await trial.repositories.transaction { library in
                    try await library.transaction { inner in try await inner.notes.delete("a") }
                    throw Refusal()
                }
            }
            try await expect(trial.notes.ids(), is: ["a", "b", "c"])
        },
        transaction("deep", "Transactions can be nested at any depth.") { trial in
            try await trial.repositories.transaction { one in
                try await one.notes.create(Note(id: "1", text: ""))
                _ = try await thrown {
                    try await one.transaction { two in
                        try await two.notes.create(Note(id: "2", text: ""))
                        try await two.transaction { three in
                            try await three.notes.create(Note(id: "3", text: ""))
                        }
                        try await expect(two.notes.count(), is: 3)
                        throw Refusal()
                    }
                }
                try await one.transaction { two in
                    try await two.notes.create(Note(id: "4", text: ""))
                    _ = try await thrown {
                        try await two.transaction { three in
                            try await three.notes.create(Note(id: "5", text: ""))
                            try await three.notes.delete("1")
                            throw Refusal()
                        }
                    }
                }
            }
            try await expect(trial.notes.ids(), is: ["1", "4"])
        },
        transaction("nestedAgain", "Several nested transactions can follow one another.") { trial in
            try await trial.repositories.transaction { library in
                for number in 0..<20 {
                    do {
                        try await library.transaction { inner in
                            try await inner.counters.create(
                                Counter(number: .init(number), label: ""))
                            if number % 3 == 0 { throw Refusal() }
                        }
                    } catch is Refusal {
                        try await expect(library.counters.exists(.init(number)), is: false)
                    }
                }
            }
            let numbers = try await trial.counters.ids().map(\.rawValue)
            try expect(numbers, is: (0..<20).filter { $0 % 3 != 0 })
        },
        transaction("endedTogether", "A transaction ends with the one in which it is nested.") {
            trial in
            try await trial.repositories.context.open()
            let outer = try await trial.store.begin()
            let nested = try await outer.begin()
            let deepest = try await nested.begin()
            try await deepest.create(Note(id: "undone", text: ""))
            await nested.rollBack()
            try await changesNothing(deepest, besides: outer)
            await outer.rollBack()
            let other = try await trial.store.begin()
            for ended in [deepest, nested, outer] {
                try await changesNothing(ended, besides: other)
            }
            try await other.commit()
            try await expect(trial.notes.ids(), is: ["first", "second"])
        },
        transaction("oneNested", "While a nested transaction is open, its parent cannot be used.") {
            trial in
            try await trial.repositories.context.open()
            let outer = try await trial.store.begin()
            let inner = try await outer.begin()
            try await expectError(.unsupported) { try await outer.begin() }
            try await inner.create(Note(id: "a", text: ""))
            try await inner.commit()
            try await outer.create(Note(id: "b", text: ""))
            try await outer.commit()
            try await expect(trial.notes.ids(), is: ["a", "b"])
        },
    ]

    /// Checks that a transaction which has ended reaches none of another one.
    private static func changesNothing(
        _ ended: any StoreTransaction, besides other: any StoreTransaction
    ) async throws {
        let nested = try await other.begin()
        let deepest = try await nested.begin()
        _ = try await deepest.save(Note(id: "first", text: ""))
        for _ in 1...2 {
            try await expectError(.transactionEnded) {
                try await ended.create(Note(id: "foreign", text: ""))
            }
            try await expectError(.transactionEnded) { try await ended.commit() }
            await ended.rollBack()
        }
        _ = try await deepest.save(Note(id: "second", text: ""))
        try await deepest.commit()
        try await nested.commit()
    }
}
