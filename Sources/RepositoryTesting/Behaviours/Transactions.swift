internal import RepositoryRuntime

extension StoreBehaviour {
    /// Transactions: changes that are stored either all or not at all.
    static let transactions: [StoreBehaviour] =
        [
            StoreBehaviour(
                "transactions.refused", "A store without transactions throws `unsupported`.",
                lacks: [.transactions]
            ) { trial in
                try await expectError(.unsupported) {
                    try await trial.repositories.transaction { try await $0.notes.exists("a") }
                }
                try await trial.notes.create(Note(id: "a", text: ""))
            }
        ] + committed + seenInside + seenOutside + undone + nested + kept + ended + waiting

    /// A behaviour of stores with transactions and listing.
    static func transaction(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [],
        lacks: [StoreCapability] = [], fileID: String = #fileID, line: Int = #line,
        _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "transactions.\(id)", sentence, needs: [.records, .listing, .transactions] + needs,
            lacks: lacks, fileID: fileID, line: line, body)
    }

    private static let committed: [StoreBehaviour] = [
        transaction("commit", "The changes of a transaction are stored after the commit.") {
            trial in
            try await trial.fillNotes()
            try await trial.repositories.transaction { library in
                try await library.notes.create(Note(id: "new", text: "new"))
                try await library.notes.update(Note(id: "a", text: "changed"))
                try await library.notes.delete("b")
            }
            try await expect(trial.notes.fetch().map(\.id), is: ["a", "c", "new"])
            try await expect(trial.notes.read("a").text, is: "changed")
        },
        transaction("result", "A transaction returns the result of its closure.") { trial in
            let number = try await trial.repositories.transaction { library in
                try await library.notes.create(Note(id: "a", text: "", rank: 7)).rank
            }
            try expect(number, is: 7)
        },
        transaction("nothing", "A transaction without changes is allowed.") { trial in
            try await trial.fillNotes()
            try await trial.repositories.transaction { _ in }
            let count = try await trial.repositories.transaction { try await $0.notes.count() }
            try expect(count, is: 3)
            try await expect(trial.notes.count(), is: 3)
        },
        transaction(
            "acrossRepositories",
            "Changes of several tables are committed and rolled back together."
        ) { trial in
            try await trial.repositories.transaction { library in
                try await library.notes.create(Note(id: "a", text: ""))
                try await library.counters.create(Counter(number: 1, label: "one"))
            }
            try await expect(trial.notes.exists("a"), is: true)
            try await expect(trial.counters.exists(1), is: true)
            _ = try await thrown {
                try await trial.repositories.transaction { library in
                    try await library.notes.delete("a")
                    try await library.counters.delete(1)
                    throw Refusal()
                }
            }
            try await expect(trial.notes.exists("a"), is: true)
            try await expect(trial.counters.exists(1), is: true)
        },
        transaction("batches", "Batches inside a transaction are part of it.", needs: [.batches]) {
            trial in
            try await trial.fillNotes()
            try await trial.repositories.transaction { library in
                try await library.notes.createAll(
                    (0..<300).map { Note(id: .init("\($0)"), text: "") })
                try await library.notes.saveAll([Note(id: "a", text: "saved")])
                try await expect(library.notes.deleteAll(ids: ["b", "7", "x"]), is: 2)
                try await expect(library.notes.count(), is: 301)
            }
            try await expect(trial.notes.count(), is: 301)
            try await expect(trial.notes.read("a").text, is: "saved")
            try await trial.repositories.transaction { library in
                try await expect(library.notes.deleteAll(), is: 301)
                try await library.notes.create(Note(id: "last", text: ""))
            }
            try await expect(trial.notes.ids(), is: ["last"])
        },
        transaction("long", "A transaction can read and change many records page by page.") {
            trial in
            try await trial.repositories.transaction { library in
                for number in 0..<600 {
                    try await library.counters.create(
                        Counter(number: .init(number), label: "old"))
                }
                for try await counter in library.counters.stream(pageSize: 50) {
                    if counter.number.rawValue.isMultiple(of: 2) {
                        try await library.counters.delete(counter.number)
                    } else {
                        try await library.counters.update(
                            Counter(number: counter.number, label: "new"))
                    }
                }
            }
            let counters = try await trial.counters.fetch()
            try expect(counters.map(\.number.rawValue), is: (0..<300).map { $0 * 2 + 1 })
            try expect(counters.allSatisfy { $0.label == "new" }, "An update was lost.")
        },
        transaction(
            "persistent", "A reopened store contains the committed changes only.",
            needs: [.persistent]
        ) { trial in
            try await trial.fillNotes()
            try await trial.repositories.transaction { library in
                try await library.notes.create(Note(id: "kept", text: ""))
                try await library.notes.delete("b")
            }
            _ = try await thrown {
                try await trial.repositories.transaction { library in
                    try await library.notes.create(Note(id: "lost", text: ""))
                    try await library.notes.delete("c")
                    throw Refusal()
                }
            }
            try await expect(trial.reopened().notes.ids(), is: ["a", "c", "kept"])
        },
    ]
}

/// The error with which a closure rolls its transaction back.
struct Refusal: Error {}

/// Runs a closure outside any transaction and returns its result.
func outside<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
    try await Task.detached { try await body() }.value
}

extension StoreTrial {
    /// Stores the notes `a`, `b` and `c` with the ranks 1, 2 and 3.
    func fillNotes() async throws {
        for (number, id) in ["a", "b", "c"].enumerated() {
            try await repositories.notes.create(
                Note(id: .init(id), text: "old", rank: number + 1))
        }
    }
}
