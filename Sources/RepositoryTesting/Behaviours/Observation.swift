internal import RepositoryRuntime

extension StoreBehaviour {
    /// Observation: the present result, then each later one, once.
    static let observation: [StoreBehaviour] =
        observedResults + observedOperations + observedTransactions + observedReaders
        + observedChanges + observedSets + [observationRefused]

    static func observed(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "observation.\(id)", sentence, needs: [.records, .listing, .observation] + needs,
            fileID: fileID, line: line, body)
    }

    /// What each observation gives.
    private static let observedResults: [StoreBehaviour] = [
        observed("first", "The first result comes at once, of nothing too.") { trial in
            let empty = trial.reader(trial.notes.observe())
            try await expect(empty.next(), is: [])
            try await trial.fillNotes("b", "a")
            let filled = trial.reader(trial.notes.observe())
            try await expect(filled.next().map(\.id), is: ["a", "b"])
        },
        observed("later", "Each later result is the query's at that time.") { trial in
            let reader = trial.reader(trial.notes.observe())
            try await expect(reader.next(), is: [])
            for number in 1...20 {
                try await trial.notes.create(Note(id: .init("\(number)"), text: ""))
                try await expect(reader.next(), is: trial.notes.fetch())
            }
        },
        observed("condition", "An entity comes when it begins to match and goes when it ends to.") {
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
        observed("sorted", "A result stands in the order of the query, ties by id.") { trial in
            try await trial.fillNotes("a", "b", "c", "d")
            let query = Query<Note>.sorted(by: \.rank, .descending)
            let reader = trial.reader(trial.notes.observe(query))
            try await expect(reader.next().map(\.id), is: ["a", "b", "c", "d"])
            try await trial.notes.update(Note(id: "c", text: "", rank: 1))
            try await expect(reader.next().map(\.id), is: ["c", "a", "b", "d"])
            try await trial.notes.update(Note(id: "a", text: "", rank: -1))
            try await expect(reader.next().map(\.id), is: ["c", "b", "d", "a"])
        },
        observed("limit", "A result that is cut off is filled up from behind.") { trial in
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
        observed("limitByRank", "What moves behind the end of a cut-off result leaves it.") {
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
        observed("offset", "What is left out at the beginning follows each write.") { trial in
            try await trial.fillNotes("b", "c", "d")
            let reader = trial.reader(trial.notes.observe(Query.all.offset(1).limit(1)))
            try await expect(reader.next().map(\.id), is: ["c"])
            try await trial.notes.create(Note(id: "a", text: ""))
            try await expect(reader.next().map(\.id), is: ["b"])
            try await trial.notes.deleteEach("a", "b")
            try await expect(reader.next { $0.map(\.id) == ["d"] }.isEmpty, is: false)
        },
        observed("page", "A page after a cursor follows what is written behind the cursor.") {
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
        observed("count", "A count is given when it differs.") { trial in
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
        observed("id", "The record of an id is given when it comes, changes and goes.") { trial in
            let reader = trial.reader(trial.notes.observe("a"))
            try await expect(reader.next(), is: nil)
            let note = try await trial.notes.create(Note(id: "a", text: "one"))
            try await expect(reader.next(), is: note)
            try await trial.notes.update(Note(id: "a", text: "two"))
            try await expect(reader.next()?.text ?? "", is: "two")
            try await trial.notes.delete("a")
            try await expect(reader.next(), is: nil)
        },
        observed(
            "compositeId", "Records with composite ids are observed like others.",
            needs: [.references]
        ) { trial in
            try await trial.halls.create(Hall(id: "no,r%th"))
            let reader = trial.reader(trial.seats.observe())
            try await expect(reader.next(), is: [])
            let seat = try await trial.seats.create(Seat(hallID: "no,r%th", row: 1, letter: "a,"))
            let one = trial.reader(trial.seats.observe(seat.id))
            try await expect(reader.next(), is: [seat])
            try await expect(one.next(), is: seat)
            try await trial.seats.delete(seat.id)
            try await expect(reader.next(), is: [])
            try await expect(one.next(), is: nil)
        },
        observed("bytes", "Texts that differ in their Unicode form only are another result.") {
            trial in
            try await trial.notes.create(Note(id: "a", text: "caf\u{E9}"))
            let reader = trial.reader(trial.notes.observe())
            try await expect(reader.next()[0].text, is: "caf\u{E9}")
            try await trial.notes.update(Note(id: "a", text: "cafe\u{301}"))
            try await expect(reader.next()[0].text, is: "cafe\u{301}")
        },
        observed(
            "twins", "Ids that differ in their Unicode form only are told apart.", needs: [.batches]
        ) { trial in
            let reader = trial.reader(trial.notes.observe())
            try await expect(reader.next(), is: [])
            try await trial.notes.createAll([
                Note(id: "caf\u{E9}", text: "1"), Note(id: "cafe\u{301}", text: "2"),
                Note(id: "K", text: "3"), Note(id: "\u{212A}", text: "4"),
            ])
            try await expect(reader.next().map(\.text), is: ["3", "2", "1", "4"])
        },
        observed("invalid", "A query that cannot be answered throws, and the observation is over.")
        {
            trial in
            let reader = trial.reader(trial.notes.observe(.limit(-1)))
            try await expectError(.invalidQuery) { try await reader.next() }
            try await expect(reader.nextOrEnd() == nil, is: true)
            try expect(!trial.store.changes.areObserved, "What has ended is registered.")
        },
    ]

    private static let observationRefused = StoreBehaviour(
        "observation.refused", "A store that is not observed refuses to be, at once.",
        lacks: [.observation]
    ) { trial in
        let notes = trial.notes
        try await expectError(.unsupported) { try await trial.reader(notes.observe()).next() }
        try await expectError(.unsupported) { try await trial.reader(notes.observe("a")).next() }
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
    /// Creates notes under these ids, the text of each being its id.
    func fillNotes(_ ids: String...) async throws {
        for id in ids { try await repositories.notes.create(Note(id: .init(id), text: id)) }
    }
}

extension EntityRepository {
    /// Deletes one entity after the other.
    func deleteEach(_ ids: Model.ID...) async throws {
        for id in ids { try await delete(id) }
    }
}
