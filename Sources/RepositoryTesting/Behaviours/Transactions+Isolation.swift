internal import RepositoryRuntime

extension StoreBehaviour {
    /// The visibility of a transaction's changes inside it.
    static let seenInside: [StoreBehaviour] = [
        transaction("readsItself", "A transaction reads its own changes.") { trial in
            try await trial.fillNotes()
            try await trial.repositories.transaction { library in
                try await library.notes.create(Note(id: "new", text: "new"))
                try await library.notes.save(Note(id: "saved", text: "saved"))
                try await library.notes.update(Note(id: "a", text: "changed"))
                try await library.notes.delete("b")
                try await expect(library.notes.read("new").text, is: "new")
                try await expect(library.notes.read("saved").text, is: "saved")
                try await expect(library.notes.read("a").text, is: "changed")
                try await expect(library.notes.exists("new"), is: true)
                try await expect(library.notes.exists("b"), is: false)
                try await expectError(.recordNotFound) { try await library.notes.read("b") }
            }
        },
        transaction("listsItself", "A transaction lists and counts its own changes.") { trial in
            try await trial.fillNotes()
            try await trial.repositories.transaction { library in
                try await library.notes.delete("b")
                try await library.notes.create(Note(id: "B", text: ""))
                try await library.notes.create(Note(id: "bb", text: ""))
                try await library.notes.update(Note(id: "c", text: "changed"))
                try await expect(library.notes.count(), is: 4)
                try await expect(library.notes.ids(), is: ["B", "a", "bb", "c"])
                try await expect(library.notes.fetch().map(\.text), is: ["", "old", "", "changed"])
                for size in 1...5 {
                    let notes = try await library.notes.stream(pageSize: size).gathered()
                    try expect(notes.map(\.id), is: ["B", "a", "bb", "c"])
                }
                try await library.notes.delete("B")
                try await library.notes.create(Note(id: "b", text: "again"))
                try await expect(library.notes.ids(), is: ["a", "b", "bb", "c"])
            }
            try await expect(trial.notes.ids(), is: ["a", "b", "bb", "c"])
        },
        transaction(
            "findsItself", "The finders in a transaction use the changed values.",
            needs: [.finders]
        ) { trial in
            try await trial.fillNotes()
            try await trial.repositories.transaction { library in
                try await library.notes.create(Note(id: "new", text: "", rank: 1))
                try await library.notes.update(Note(id: "b", text: "", rank: 1))
                try await library.notes.delete("c")
                try await expect(library.notes.findAll(rank: 1).map(\.id), is: ["a", "b", "new"])
                try await expect(library.notes.findAll(rank: 2), is: [])
                try await expect(library.notes.findAll(rank: 3), is: [])
                try await library.notes.update(Note(id: "new", text: "", rank: 9))
                try await library.notes.update(Note(id: "b", text: "", rank: 2))
                try await expect(library.notes.findAll(rank: 1).map(\.id), is: ["a"])
                try await expect(library.notes.findAll(rank: 2).map(\.id), is: ["b"])
            }
            try await expect(trial.notes.findAll(rank: 9).map(\.id), is: ["new"])
            try await expect(trial.notes.findAll(rank: 2).map(\.id), is: ["b"])
            try await expect(trial.notes.findAll(rank: 3), is: [])
        },
        transaction(
            "queriesItself", "The queries in a transaction see its own changes.",
            needs: [.queries]
        ) { trial in
            try await trial.fillNotes()
            try await trial.repositories.transaction { library in
                try await library.notes.create(Note(id: "d", text: "new", rank: 4))
                try await library.notes.update(Note(id: "a", text: "new", rank: 8))
                try await library.notes.delete("b")
                let ranked = try await library.notes.fetch(
                    .where { $0.rank > 2 }.sorted(by: \.rank, .descending))
                try expect(ranked.map(\.id), is: ["a", "d", "c"])
                try await expect(library.notes.count(.where { $0.text == "new" }), is: 2)
                let page = try await library.notes.page(
                    Query().sorted(by: \.rank, .descending).limit(2))
                try expect(page.items.map(\.id), is: ["a", "d"])
            }
        },
    ]

    /// The visibility of a transaction's changes outside it.
    static let seenOutside: [StoreBehaviour] = [
        transaction("unseen", "Other tasks do not see changes before the commit.") { trial in
            try await trial.fillNotes()
            try await trial.repositories.transaction { library in
                try await library.notes.create(Note(id: "new", text: "new"))
                try await library.notes.update(Note(id: "a", text: "changed"))
                try await library.notes.delete("b")
                try await outside {
                    try await expect(trial.notes.exists("new"), is: false)
                    try await expect(trial.notes.read("a").text, is: "old")
                    try await expect(trial.notes.read("b").text, is: "old")
                    try await expect(trial.notes.count(), is: 3)
                    try await expect(trial.notes.ids(), is: ["a", "b", "c"])
                    try await expect(trial.notes.fetch().map(\.text), is: ["old", "old", "old"])
                }
            }
            try await expect(trial.notes.ids(), is: ["a", "c", "new"])
        },
        transaction(
            "unfound", "Other tasks do not find records by values that are not committed.",
            needs: [.finders]
        ) { trial in
            try await trial.fillNotes()
            try await expect(trial.notes.findAll(rank: 1).count, is: 1)
            try await trial.repositories.transaction { library in
                try await library.notes.update(Note(id: "a", text: "", rank: 9))
                try await expect(library.notes.findAll(rank: 9).count, is: 1)
                try await outside {
                    try await expect(trial.notes.findAll(rank: 1).map(\.id), is: ["a"])
                    try await expect(trial.notes.findAll(rank: 9), is: [])
                }
            }
            try await expect(trial.notes.findAll(rank: 9).map(\.id), is: ["a"])
        },
        transaction(
            "sameStore", "Repositories created outside the closure take part in the transaction."
        ) { trial in
            let other = trial.repositories(now: trial.defaults.now)
            _ = try await thrown {
                try await trial.repositories.transaction { library in
                    try await trial.notes.create(Note(id: "a", text: ""))
                    try await other.notes.create(Note(id: "b", text: ""))
                    try await expect(library.notes.ids(), is: ["a", "b"])
                    try await expect(other.notes.count(), is: 2)
                    throw Refusal()
                }
            }
            try await expect(trial.notes.ids(), is: [])
        },
        transaction("childTasks", "Child tasks of the closure take part in the transaction.") {
            trial in
            try await trial.repositories.transaction { library in
                _ = try await concurrently(16) { number in
                    try await trial.notes.create(Note(id: .init("o\(number)"), text: ""))
                    try await library.counters.create(Counter(number: .init(number), label: ""))
                    _ = try await library.counters.fetch()
                }
                try await expect(library.counters.count(), is: 16)
                try await outside { try await expect(trial.counters.count(), is: 0) }
            }
            try await expect(trial.counters.count(), is: 16)
            try await expect(trial.notes.count(), is: 16)
        },
    ]
}
