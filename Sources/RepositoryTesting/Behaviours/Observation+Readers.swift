internal import RepositoryRuntime
internal import Synchronization

extension StoreBehaviour {
    /// Fast, slow, concurrent and cancelled observers.
    static let observedReaders: [StoreBehaviour] = [
        observed("otherTables", "A write to another table does not wake an observer.") { trial in
            let (counter, repositories) = trial.counted()
            let reader = trial.reader(repositories.notes.observe())
            _ = try await reader.next()
            let reads = counter.reads
            async let next = reader.next()
            for number in 0..<20 {
                try await trial.counters.create(Counter(number: .init(number), label: ""))
            }
            try await trial.fillNotes("a")
            try await expect(next.map(\.id), is: ["a"])
            try expect(counter.reads <= reads + 2, "The store was read for another table.")
        },
        observed("otherIds", "A write to another record does not wake an observer of a record.") {
            trial in
            let (counter, repositories) = trial.counted()
            let reader = trial.reader(repositories.notes.observeOne(id: "a"))
            try await expect(reader.next(), is: nil)
            let reads = counter.reads
            async let next = reader.next()
            for rank in 0..<20 {
                try await trial.notes.save(Note(id: "b", text: "", rank: rank))
            }
            try await trial.fillNotes("a")
            try await expect(next?.id, is: "a")
            try expect(counter.reads <= reads + 2, "The store was read for other records.")
        },
        observed("noDuplicate", "A result that equals the previous one is not produced.") { trial in
            try await trial.notes.create(Note(id: "a", text: "", rank: 1))
            let reader = trial.reader(trial.notes.observe { $0.rank > 0 })
            let query = Query<Note>.where { $0.rank > 0 }
            let changes = trial.reader(trial.notes.changes(query))
            try await expect(reader.next().count, is: 1)
            try await expect(changes.next().items.count, is: 1)
            try await trial.notes.save(Note(id: "a", text: "", rank: 1))
            try await trial.notes.create(Note(id: "b", text: "", rank: 0))
            try await trial.notes.update(Note(id: "b", text: "", rank: -1))
            try await trial.notes.delete("b")
            try await trial.notes.create(Note(id: "c", text: "", rank: 2))
            try await expect(reader.next().map(\.id), is: ["a", "c"])
            try await expect(
                changes.next().changes, is: [.insert(Note(id: "c", text: "", rank: 2), at: 1)])
        },
        observed("burst", "After a burst of writes the last state is seen, and no state twice.") {
            trial in
            let reader = trial.reader(trial.notes.observe())
            async let results = reader.next { $0.first?.rank == 1_000 }
            for rank in 1...1_000 {
                try await trial.notes.save(Note(id: "a", text: "", rank: rank))
            }
            let ranks = try await results.map { $0.first?.rank ?? 0 }
            try expect(ranks.last, is: 1_000)
            try expect(ranks == ranks.sorted(), "The results are out of order: \(ranks)")
            try expect(Set(ranks).count, is: ranks.count, "A result was produced twice.")
        },
        observed(
            "slowReader", "A slow observer receives the latest result without intermediate ones."
        ) {
            trial in
            let reader = trial.reader(trial.notes.observe())
            _ = try await reader.next()
            for rank in 1...200 {
                try await trial.notes.save(Note(id: "a", text: "", rank: rank))
            }
            try await expect(reader.next().map(\.rank), is: [200])
            try await trial.notes.save(Note(id: "a", text: "", rank: 201))
            try await expect(reader.next().map(\.rank), is: [201])
        },
        observed("manyRecords", "A change of more records than are tracked individually is seen.") {
            trial in
            let reader = trial.reader(trial.counters.observe())
            try await expect(reader.next().count, is: 0)
            try await trial.fillCounters(Array(0..<1_200))
            try await expect(reader.next().map(\.number.rawValue), is: Array(0..<1_200))
            try await trial.counters.update(Counter(number: 77, label: "new"))
            try await expect(reader.next()[77].label, is: "new")
        },
        observed("cancelled", "A cancelled observation ends and is deregistered.") { trial in
            let seen = AsyncStream<Void>.makeStream()
            let results = trial.notes.observe()
            let task = Task {
                var count = 0
                for try await _ in results {
                    count += 1
                    seen.continuation.yield()
                }
                return count
            }
            for await _ in seen.stream { break }
            try expect(trial.store.changes.hasObservers, "The observer is not registered.")
            task.cancel()
            try await expect(task.value, is: 1)
            try expect(!trial.store.changes.hasObservers, "A cancelled observer is registered.")
        },
        observed("dropped", "A released observation is deregistered.") { trial in
            let readers = [
                trial.reader(trial.notes.observe()), trial.reader(trial.notes.observe()),
            ]
            try expect(
                !trial.store.changes.hasObservers, "An observer that has not read is registered.")
            for reader in readers { _ = try await reader.next() }
            await readers[0].stop()
            try expect(trial.store.changes.hasObservers, "The other observer is not registered.")
            await readers[1].stop()
            try expect(!trial.store.changes.hasObservers, "A stopped observer is registered.")
            for try await _ in trial.notes.observe() { break }
            try expect(
                !trial.store.changes.hasObservers, "An observer whose loop has ended is registered."
            )
        },
        observed("tenReaders", "Ten concurrent observers receive the same result.") { trial in
            let readers = (0..<10).map { _ in trial.reader(trial.notes.observe()) }
            for reader in readers { try await expect(reader.next(), is: []) }
            for number in 1...10 {
                try await trial.notes.create(Note(id: .init("\(number)"), text: ""))
                let expected = try await trial.notes.fetch()
                for reader in readers { try await expect(reader.next(), is: expected) }
            }
        },
        observed("late", "A later observer receives the current result first.") { trial in
            let early = trial.reader(trial.notes.observe())
            _ = try await early.next()
            try await trial.fillNotes("a")
            let late = trial.reader(trial.notes.observe())
            try await expect(late.next().map(\.id), is: ["a"])
            try await trial.fillNotes("b")
            try await expect(late.next().map(\.id), is: ["a", "b"])
            try await expect(early.next().map(\.id), is: ["a", "b"])
        },
        observed("writers", "An observer finally sees the writes of all concurrent tasks.") {
            trial in
            let reader = trial.reader(trial.notes.observe())
            async let results = reader.next { $0.count == 160 }
            _ = try await concurrently(8) { task in
                for number in 0..<20 {
                    let id = Note.ID("\(task)-\(number)")
                    try await trial.notes.create(Note(id: id, text: ""))
                }
            }
            let counts = try await results.map(\.count)
            try expect(counts == counts.sorted(), "Records have disappeared: \(counts)")
            try await expect(trial.notes.count(), is: 160)
        },
        observed(
            "wholeBatches", "An observer never sees a part of a batch.",
            needs: [.atomicBatches, .snapshots]
        ) { trial in
            let reader = trial.reader(trial.counters.observe())
            async let results = reader.next { $0.contains { $0.number == 999 } }
            for round in 0..<100 {
                let pair = [
                    Counter(number: 1, label: "\(round)"), Counter(number: 2, label: "\(round)"),
                ]
                try await trial.counters.saveAll(pair)
                if round % 10 == 9 { try await trial.counters.deleteAll(ids: [1, 2]) }
            }
            try await trial.counters.create(Counter(number: 999, label: ""))
            for result in try await results {
                let pair = result.filter { $0.number != 999 }
                try expect(pair.count != 1, "Only one of two records was seen.")
                try expect(
                    Set(pair.map(\.label)).count <= 1, "Records of two batches were seen together.")
            }
        },
    ]
}
