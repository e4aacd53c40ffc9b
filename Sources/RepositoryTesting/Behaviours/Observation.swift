internal import RepositoryRuntime

extension StoreBehaviour {
    /// Observation: the current result, followed by each different one.
    static let observation: [StoreBehaviour] =
        observedResults + observedOperations + observedTransactions + observedReaders
        + observedChanges + observedSets + closedObservations + [observationRefused]

    /// A behaviour of stores with observation.
    static func observed(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "observation.\(id)", sentence, needs: [.records, .listing, .observation] + needs,
            fileID: fileID, line: line, body)
    }

    /// The results of observations.
    private static let observedResults: [StoreBehaviour] = [
        observed("first", "The first result is produced immediately, even if it is empty.") {
            trial in
            let empty = trial.reader(trial.notes.observe())
            try await expect(empty.next(), is: [])
            try await trial.fillNotes("b", "a")
            let filled = trial.reader(trial.notes.observe())
            try await expect(filled.next().map(\.id), is: ["a", "b"])
        },
        observed("later", "Each further result is that of the query at that time.") { trial in
            let reader = trial.reader(trial.notes.observe())
            try await expect(reader.next(), is: [])
            for number in 1...20 {
                try await trial.notes.create(Note(id: .init("\(number)"), text: ""))
                try await expect(reader.next(), is: trial.notes.fetch())
            }
        },
        observed("condition", "Entities enter and leave a result when they start or stop matching.")
        {
            trial in
            let reader = trial.reader(trial.notes.observe { $0.rank > 2 })
            try await trial.notes.create(Note(id: "a", text: "", rank: 3))
            try await expect(reader.next().map(\.id), is: ["a"])
            try await trial.notes.create(Note(id: "b", text: "", rank: 1))
            try await trial.notes.update(Note(id: "b", text: "", rank: 5))
            try await expect(reader.next().map(\.rank), is: [3, 5])
            try await trial.notes.update(Note(id: "a", text: "", rank: 0))
            try await expect(reader.next().map(\.id), is: ["b"])
        },
        observed("sorted", "A result has the order of the query, with equal values sorted by id.") {
            trial in
            try await trial.fillNotes("a", "b", "c", "d")
            let query = Query<Note>.sorted(by: \.rank, .descending)
            let reader = trial.reader(trial.notes.observe(query))
            try await expect(reader.next().map(\.id), is: ["a", "b", "c", "d"])
            try await trial.notes.update(Note(id: "c", text: "", rank: 1))
            try await expect(reader.next().map(\.id), is: ["c", "a", "b", "d"])
            try await trial.notes.update(Note(id: "a", text: "", rank: -1))
            try await expect(reader.next().map(\.id), is: ["c", "b", "d", "a"])
        },
        observed("limit", "A result that reached its limit is refilled after a deletion.") {
            trial in
            try await trial.fillNotes("b", "c", "d", "e")
            let reader = trial.reader(trial.notes.observe(.limit(2)))
            try await expect(reader.next().map(\.id), is: ["b", "c"])
            try await trial.notes.delete("b")
            try await expect(reader.next().map(\.id), is: ["c", "d"])
            try await trial.notes.create(Note(id: "a", text: ""))
            try await expect(reader.next().map(\.id), is: ["a", "c"])
            try await trial.notes.deleteEach("a", "c", "d")
            try await expect(reader.next { $0.map(\.id) == ["e"] }.isEmpty, is: false)
            try await trial.notes.create(Note(id: "z", text: ""))
            try await expect(reader.next().map(\.id), is: ["e", "z"])
        },
        observed("limitByRank", "An entity that moves beyond the limit leaves the result.") {
            trial in
            for (rank, id) in ["a", "b", "c", "d"].enumerated() {
                try await trial.notes.create(Note(id: .init(id), text: "", rank: rank * 10))
            }
            let query = Query<Note>.sorted(by: \.rank).limit(2)
            let reader = trial.reader(trial.notes.observe(query))
            try await expect(reader.next().map(\.id), is: ["a", "b"])
            try await trial.notes.update(Note(id: "a", text: "", rank: 25))
            try await expect(reader.next().map(\.id), is: ["b", "c"])
            try await trial.notes.update(Note(id: "d", text: "", rank: 0))
            try await expect(reader.next().map(\.id), is: ["d", "b"])
            try await trial.notes.update(Note(id: "b", text: "", rank: 5))
            try await expect(reader.next().map(\.rank), is: [0, 5])
        },
        observed("offset", "The offset of a query applies after each write.") { trial in
            try await trial.fillNotes("b", "c", "d")
            let reader = trial.reader(trial.notes.observe(Query.all.offset(1).limit(1)))
            try await expect(reader.next().map(\.id), is: ["c"])
            try await trial.notes.create(Note(id: "a", text: ""))
            try await expect(reader.next().map(\.id), is: ["b"])
            try await trial.notes.deleteEach("a", "b")
            try await expect(reader.next { $0.map(\.id) == ["d"] }.isEmpty, is: false)
        },
        observed("page", "A page after a cursor follows the writes after the cursor.") {
            trial in
            try await trial.fillNotes("a", "b", "c", "d", "e")
            let query = Query<Note>.sorted(by: \.text).limit(2)
            let cursor = try await trial.notes.page(query).next
            let reader = trial.reader(trial.notes.observe(query.page(after: cursor)))
            try await expect(reader.next().map(\.id), is: ["c", "d"])
            try await trial.fillNotes("aa", "bb")
            try await expect(reader.next().map(\.id), is: ["bb", "c"])
            try await trial.notes.delete("bb")
            try await expect(reader.next().map(\.id), is: ["c", "d"])
        },
        observed("count", "A count is produced when it changes.") { trial in
            let all = trial.reader(trial.notes.observeCount())
            let some = trial.reader(trial.notes.observeCount { $0.rank > 0 })
            try await expect(all.next(), is: 0)
            try await expect(some.next(), is: 0)
            try await trial.notes.create(Note(id: "a", text: ""))
            try await expect(all.next(), is: 1)
            try await trial.notes.update(Note(id: "a", text: "", rank: 1))
            try await expect(some.next(), is: 1)
            try await trial.notes.create(Note(id: "b", text: ""))
            try await expect(all.next(), is: 2)
            try await trial.notes.delete("a")
            try await expect(all.next(), is: 1)
            try await expect(some.next(), is: 0)
        },
        observed("id", "The record with an id is produced when it is created, changed or deleted.")
        { trial in
            let reader = trial.reader(trial.notes.observeOne(id: "a"))
            try await expect(reader.next(), is: nil)
            let note = try await trial.notes.create(Note(id: "a", text: "one"))
            try await expect(reader.next(), is: note)
            try await trial.notes.update(Note(id: "a", text: "two"))
            try await expect(reader.next()?.text ?? "", is: "two")
            try await trial.notes.delete("a")
            try await expect(reader.next(), is: nil)
        },
        observed(
            "compositeId", "Records with composite ids can be observed.",
            needs: [.references]
        ) { trial in
            try await trial.halls.create(Hall(id: "no,r%th"))
            let reader = trial.reader(trial.seats.observe())
            try await expect(reader.next(), is: [])
            let seat = try await trial.seats.create(Seat(hallID: "no,r%th", row: 1, letter: "a,"))
            let one = trial.reader(trial.seats.observeOne(id: seat.id))
            try await expect(reader.next(), is: [seat])
            try await expect(one.next(), is: seat)
            try await trial.seats.delete(seat.id)
            try await expect(reader.next(), is: [])
            try await expect(one.next(), is: nil)
        },
        observed("bytes", "Strings that differ only in Unicode form give different results.") {
            trial in
            try await trial.notes.create(Note(id: "a", text: "caf\u{E9}"))
            let reader = trial.reader(trial.notes.observe())
            try await expect(reader.next()[0].text, is: "caf\u{E9}")
            try await trial.notes.update(Note(id: "a", text: "cafe\u{301}"))
            try await expect(reader.next()[0].text, is: "cafe\u{301}")
        },
        observed(
            "twins", "Ids that differ only in Unicode form are distinct.", needs: [.batches]
        ) { trial in
            let reader = trial.reader(trial.notes.observe())
            try await expect(reader.next(), is: [])
            try await trial.notes.createAll([
                Note(id: "caf\u{E9}", text: "1"), Note(id: "cafe\u{301}", text: "2"),
                Note(id: "K", text: "3"), Note(id: "\u{212A}", text: "4"),
            ])
            try await expect(reader.next().map(\.text), is: ["3", "2", "1", "4"])
        },
        observed("invalid", "An invalid query throws and ends the observation.") {
            trial in
            let reader = trial.reader(trial.notes.observe(.limit(-1)))
            try await expectError(.invalidQuery) { try await reader.next() }
            try await expect(reader.nextOrEnd() == nil, is: true)
            try expect(!trial.store.changes.hasObservers, "An ended observation is registered.")
        },
    ]

    private static let observationRefused = StoreBehaviour(
        "observation.refused", "A store without observation throws `unsupported` immediately.",
        lacks: [.observation]
    ) { trial in
        let notes = trial.notes
        try await expectError(.unsupported) { try await trial.reader(notes.observe()).next() }
        try await expectError(.unsupported) {
            try await trial.reader(notes.observeOne(id: "a")).next()
        }
        try await expectError(.unsupported) {
            try await trial.reader(notes.observeCount()).next()
        }
        try await expectError(.unsupported) { try await trial.reader(notes.changes()).next() }
        try await expectError(.unsupported) {
            try await trial.reader(trial.repositories.observe { _ in 1 }).next()
        }
    }
}

extension StoreTrial {
    /// Creates notes with these ids. The text of each note is its id.
    func fillNotes(_ ids: String...) async throws {
        for id in ids { try await repositories.notes.create(Note(id: .init(id), text: id)) }
    }
}

extension EntityRepository {
    /// Deletes entities one by one.
    func deleteEach(_ ids: Model.ID...) async throws {
        for id in ids { try await delete(id) }
    }
}
