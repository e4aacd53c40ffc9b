internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Operations of concurrent tasks.
    static let concurrency: [StoreBehaviour] = [
        StoreBehaviour("concurrency.oneWinner", "One of 64 tasks that create the same id succeeds.")
        {
            trial in
            let results = try await concurrently(64) { number in
                try await code { try await trial.notes.create(Note(id: "a", text: "\(number)")) }
            }
            let winners = results.indices.filter { results[$0] == nil }
            try expect(winners.count, is: 1, "Not exactly one task created the record.")
            try expect(
                results.compactMap { $0 }, is: Array(repeating: .recordAlreadyExists, count: 63))
            try await expect(trial.notes.read("a").text, is: "\(winners[0])")
        },
        StoreBehaviour("concurrency.manyIDs", "64 tasks that create different ids all succeed.") {
            trial in
            let results = try await concurrently(64) { number in
                try await code {
                    try await trial.counters.create(
                        Counter(number: .init(number), label: "\(number)"))
                }
            }
            try expect(results.compactMap { $0 }, is: [])
            for number in 0..<64 {
                try await expect(trial.counters.read(.init(number)).label, is: "\(number)")
            }
        },
        StoreBehaviour(
            "concurrency.versions", "None of the versioned updates of 64 tasks is lost.",
            needs: [.records, .versions]
        ) { trial in
            let ticket = try await trial.tickets.create(Ticket(title: ""))
            _ = try await concurrently(64) { number in
                for _ in 0..<100 {
                    var read = try await trial.tickets.read(ticket.id)
                    read.title += "<\(number)>"
                    let conflict = try await code { try await trial.tickets.update(read) }
                    if conflict == nil { return }
                    try expect(conflict, is: .versionConflict)
                }
                try expect(false, "An update never succeeds.")
            }
            let last = try await trial.tickets.read(ticket.id)
            try expect(last.revision, is: 65)
            for number in 0..<64 {
                try expect(last.title.contains("<\(number)>"), "Update \(number) is lost.")
            }
        },
        StoreBehaviour(
            "concurrency.unique", "One of 64 tasks that store the same unique value succeeds.",
            needs: [.records, .listing, .uniqueIndexes]
        ) { trial in
            let results = try await concurrently(64) { number in
                try await code {
                    try await trial.members.create(Member(id: .init("\(number)"), email: "x"))
                }
            }
            try expect(results.filter { $0 == nil }.count, is: 1)
            try expect(
                results.compactMap { $0 }, is: Array(repeating: .constraintViolated, count: 63))
            try await expect(trial.members.count(), is: 1)
        },
        StoreBehaviour(
            "concurrency.wholeRecords",
            "A reader sees either the old or the new record, never a mixture."
        ) {
            trial in
            @Sendable func note(_ number: Int) -> Note {
                Note(id: "a", text: String(repeating: "\(number),", count: 2_000), rank: number)
            }
            try await trial.notes.create(note(0))
            _ = try await concurrently(8) { task in
                for round in 1...25 {
                    if task % 2 == 0 {
                        try await trial.notes.update(note(task * 100 + round))
                    } else {
                        let read = try await trial.notes.read("a")
                        try expect(
                            read, is: note(read.rank), "A record is a mixture of two versions")
                    }
                }
            }
        },
        StoreBehaviour(
            "concurrency.delete", "One of 64 tasks that delete the same record succeeds."
        ) {
            trial in
            try await trial.notes.create(Note(id: "a", text: ""))
            let results = try await concurrently(64) { _ in
                try await code { try await trial.notes.delete("a") }
            }
            try expect(results.filter { $0 == nil }.count, is: 1)
            try expect(results.compactMap { $0 }, is: Array(repeating: .recordNotFound, count: 63))
        },
        StoreBehaviour(
            "concurrency.save",
            "After concurrent saves of one record, one of them is stored completely."
        ) {
            trial in
            let results = try await concurrently(64) { number in
                try await code {
                    try await trial.notes.save(Note(id: "a", text: "\(number)", rank: number))
                }
            }
            try expect(results.compactMap { $0 }, is: [])
            let last = try await trial.notes.read("a")
            try expect(last.text, is: "\(last.rank)")
        },
        StoreBehaviour(
            "concurrency.batches", "A list contains either all or none of the records of a batch.",
            needs: [.records, .listing, .atomicBatches]
        ) { trial in
            _ = try await concurrently(4) { task in
                for round in 0..<10 {
                    if task < 2 {
                        let ids = (0..<20).map { "\(task)-\(round)-\($0)" }
                        try await trial.notes.createAll(ids.map { Note(id: .init($0), text: "") })
                    } else {
                        let count = try await trial.notes.count()
                        try expect(count % 20, is: 0, "A part of a batch is visible.")
                    }
                }
            }
            try await expect(trial.notes.count(), is: 400)
        },
        StoreBehaviour("concurrency.open", "Several tasks may open a store at the same time.") {
            trial in
            let results = try await concurrently(32) { number in
                let set = trial.repositories(now: trial.defaults.now)
                return try await code {
                    try await set.counters.create(Counter(number: .init(number), label: ""))
                }
            }
            try expect(results.compactMap { $0 }, is: [])
        },
        StoreBehaviour(
            "concurrency.references", "No record refers to a record that was deleted concurrently.",
            needs: [.records, .listing, .references]
        ) { trial in
            for round in 0..<8 {
                let hall = Hall(id: .init("\(round)"))
                try await trial.halls.create(hall)
                _ = try await concurrently(8) { task in
                    try await code {
                        if task == 3 {
                            try await trial.halls.delete(hall.id)
                        } else {
                            try await trial.links.create(
                                Link(id: .init("\(round)-\(task)"), keeperID: hall.id))
                        }
                    }
                }
            }
            for link in try await trial.links.fetch() {
                try expect(link.keeperID == nil, "'\(link.id)' refers to a deleted hall.")
            }
        },
    ]
}
