internal import RepositoryRuntime

extension StoreBehaviour {
    /// The use of a transaction after its end.
    static let ended: [StoreBehaviour] = [
        transaction("usedAfterwards", "A transaction that has ended throws in every call.") {
            trial in
            let library = try await trial.repositories.transaction { $0 }
            try await expectError(.transactionEnded) {
                try await library.notes.create(Note(id: "a", text: ""))
            }
            try await expectError(.transactionEnded) { try await library.notes.exists("a") }
            try await expectError(.transactionEnded) { try await library.notes.fetch() }
            try await expectError(.transactionEnded) { try await library.transaction { _ in } }
            try await expect(trial.notes.count(), is: 0)
        },
        transaction("endedTwice", "A transaction cannot end twice.") { trial in
            try await trial.repositories.context.open()
            let one = try await trial.store.begin()
            try await one.create(Note(id: "a", text: ""))
            try await one.commit()
            await one.rollBack()
            try await expectError(.transactionEnded) { try await one.commit() }
            let two = try await trial.store.begin()
            try await two.delete(Note.self, id: "a")
            await two.rollBack()
            await two.rollBack()
            try await expectError(.transactionEnded) { try await two.commit() }
            try await expectError(.transactionEnded) {
                try await two.create(Note(id: "b", text: ""))
            }
            try await expect(trial.notes.ids(), is: ["a"])
        },
        transaction(
            "outlived", "A task that outlives the closure uses the store outside the transaction."
        ) { trial in
            let over = Gate()
            let task = try await trial.repositories.transaction { library in
                try await library.notes.create(Note(id: "a", text: ""))
                return Task {
                    await over.wait()
                    try await trial.notes.create(Note(id: "b", text: ""))
                    return try await trial.notes.count()
                }
            }
            over.open()
            try await expect(task.value, is: 2)
        },
    ]

    /// Concurrent transactions and writes.
    static let waiting: [StoreBehaviour] = [
        transaction("twoTasks", "The transactions of two tasks both succeed.") { trial in
            _ = try await concurrently(2) { number in
                try await trial.repositories.transaction { library in
                    for step in 0..<10 {
                        try await library.notes.create(
                            Note(id: .init("\(number)-\(step)"), text: ""))
                    }
                }
            }
            try await expect(trial.notes.count(), is: 20)
        },
        transaction("lostUpdates", "No update is lost among 64 concurrent transactions.") { trial in
            try await trial.notes.create(Note(id: "count", text: ""))
            _ = try await concurrently(64) { number in
                do {
                    try await trial.repositories.transaction { library in
                        var note = try await library.notes.read("count")
                        note.rank += 1
                        try await library.notes.update(note)
                        if number % 8 == 0 { throw Refusal() }
                    }
                } catch is Refusal {
                    // One transaction in eight is rolled back.
                }
            }
            try await expect(trial.notes.read("count").rank, is: 56)
        },
        transaction("plainWrites", "Writes outside a transaction wait for it and are not lost.") {
            trial in
            try await trial.fillNotes()
            let write = try await trial.repositories.transaction { library in
                let read = try await library.notes.read("a")
                // A store may run the transaction again, after the writes of an earlier run.
                let isThere = try await library.notes.exists("d")
                let write = Task.detached {
                    try await trial.notes.save(Note(id: "d", text: ""))
                    try await trial.notes.update(Note(id: "a", text: "outside"))
                }
                for step in 0..<20 {
                    try await library.notes.update(Note(id: "a", text: read.text + "\(step)"))
                }
                try await expect(library.notes.exists("d"), is: isThere)
                return write
            }
            try await write.value
            try await expect(trial.notes.read("a").text, is: "outside")
            try await expect(trial.notes.ids(), is: ["a", "b", "c", "d"])
        },
        transaction("mixed", "Concurrent transactions and writes of many tasks all succeed.") {
            trial in
            try await trial.notes.create(Note(id: "count", text: ""))
            _ = try await concurrently(24) { number in
                if number % 2 == 0 {
                    try await trial.notes.create(Note(id: .init("\(number)"), text: ""))
                } else {
                    try await trial.repositories.transaction { library in
                        var note = try await library.notes.read("count")
                        note.rank += 1
                        try await library.notes.update(note)
                        try await library.notes.create(Note(id: .init("\(number)"), text: ""))
                    }
                }
            }
            try await expect(trial.notes.read("count").rank, is: 12)
            try await expect(trial.notes.count(), is: 25)
        },
        transaction(
            "cancelledInLine", "A transaction that is cancelled while it waits changes nothing."
        ) {
            trial in
            try await trial.fillNotes()
            let task = try await trial.repositories.transaction { library in
                try await library.notes.delete("a")
                let task = Task.detached {
                    try await trial.repositories.transaction { try await $0.notes.delete("b") }
                }
                task.cancel()
                return task
            }
            let error = try await thrown { try await task.value }
            try expect(error is CancellationError, "A different error was thrown: \(error)")
            try await expect(trial.notes.ids(), is: ["b", "c"])
            try await trial.notes.delete("b")
        },
        transaction(
            "cancelledWriteInLine", "A write cancelled while it waits changes nothing.",
            lacks: [.concurrentWriters]
        ) { trial in
            try await trial.fillNotes()
            let tasks = try await trial.repositories.transaction { library in
                try await library.notes.delete("a")
                let tasks: [Task<Void, any Error>] = [
                    Task.detached { try await trial.notes.delete("b") },
                    Task.detached {
                        _ = try await trial.notes.saveAll([Note(id: "d", text: "")])
                    },
                    Task.detached { _ = try await trial.notes.create(Note(id: "e", text: "")) },
                ]
                for task in tasks { task.cancel() }
                return tasks
            }
            for task in tasks {
                let error = try await thrown { try await task.value }
                try expect(error is CancellationError, "Another error is thrown: \(error)")
            }
            try await expect(trial.notes.ids(), is: ["b", "c"])
            try await trial.notes.delete("b")
        },
    ]
}
