internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Ids that a faulty store confuses. See ``HostileIDs``.
    static let hostileIDs: [StoreBehaviour] = [
        StoreBehaviour(
            "hostileIDs.apart",
            "More than 500 problematic ids identify separate records."
        ) { trial in
            let ids = trial.hostileIDs
            try expect(ids.count > 500, "There are only \(ids.count) ids.")
            let notes = ids.enumerated().map { Note(id: .init($1), text: "\($0)", rank: $0) }
            if trial.store.capabilities.has(.batches) {
                // In batches, because a store that rewrites all records with each call would take
                // quadratic time.
                try await trial.notes.createAll(notes.filter { $0.rank % 4 > 0 })
                for note in notes where note.rank % 4 == 0 { try await trial.notes.create(note) }
            } else {
                for note in notes { try await trial.notes.create(note) }
            }
            for (number, id) in ids.enumerated() {
                let note = try await trial.notes.read(.init(id))
                try expect(note.text, is: "\(number)", "Another record is stored under \(id).")
                try expect(note.id.rawValue, is: id)
            }
            for number in stride(from: 1, to: ids.count, by: 3) {
                try await trial.notes.update(Note(id: .init(ids[number]), text: "updated"))
            }
            for (number, id) in ids.enumerated() {
                let text = try await trial.notes.read(.init(id)).text
                try expect(
                    text, is: number % 3 == 1 ? "updated" : "\(number)",
                    "An update changed \(id.debugDescription).")
            }
            for number in stride(from: 0, to: ids.count, by: 3) {
                try await trial.notes.delete(.init(ids[number]))
            }
            for (number, id) in ids.enumerated() {
                let exists = try await trial.notes.exists(.init(id))
                try expect(exists, is: number % 3 != 0, "\(id.debugDescription) is wrong.")
            }
        },
        StoreBehaviour(
            "hostileIDs.listed",
            "Problematic ids are listed completely, in the order of their bytes.",
            needs: [.records, .listing, .batches]
        ) { trial in
            let ids = trial.hostileIDs
            try await trial.notes.createAll(ids.map { Note(id: .init($0), text: "") })
            let sorted = ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            try await expect(trial.notes.count(), is: ids.count)
            try await expect(trial.notes.ids(), is: sorted.map { .init($0) })
            try await expect(trial.notes.fetch().map(\.id), is: sorted.map { .init($0) })
            let streamed = try await trial.notes.stream(pageSize: 50).gathered().map(\.id)
            try expect(streamed, is: sorted.map { .init($0) })
        },
        StoreBehaviour(
            "hostileIDs.persistent",
            "A reopened store reads and deletes records with problematic ids.",
            needs: [.records, .listing, .batches, .persistent]
        ) { trial in
            let ids = trial.hostileIDs
            try await trial.notes.createAll(ids.map { Note(id: .init($0), text: $0) })
            let later = try await trial.reopened()
            for id in ids { try await expect(later.notes.read(.init(id)).text, is: id) }
            let half = stride(from: 0, to: ids.count, by: 2).map { Note.ID(ids[$0]) }
            try await expect(later.notes.deleteAll(ids: half), is: half.count)
            for (number, id) in ids.enumerated() {
                let exists = try await later.notes.exists(.init(id))
                try expect(exists, is: number % 2 == 1, "\(id.debugDescription) is wrong.")
            }
        },
        StoreBehaviour(
            "hostileIDs.values", "Problematic strings are stored as values and found by an index.",
            needs: [.records, .batches, .finders, .uniqueIndexes]
        ) { trial in
            let texts = trial.hostileIDs
            try await trial.members.createAll(
                texts.enumerated().map { Member(id: .init("\($0)"), email: $1) })
            for (number, text) in texts.enumerated() {
                let member = try await trial.members.find(email: text)
                try expect(member?.id, is: .init("\(number)"), "\(text.debugDescription).")
            }
        },
        StoreBehaviour(
            "hostileIDs.composite", "Composite ids with problematic components are distinct.",
            needs: [.records, .listing, .batches, .references]
        ) { trial in
            let texts = trial.hostileIDs.filter { $0.utf8.count < 40 }
            try await trial.halls.createAll(texts.map { Hall(id: .init($0)) })
            let seats = zip(texts, texts.reversed()).flatMap { hall, letter in
                [
                    Seat(hallID: .init(hall), row: 1, letter: letter, price: 1),
                    Seat(hallID: .init(hall), row: 11, letter: "", price: 2),
                ]
            }
            try await trial.seats.createAll(seats)
            try await expect(trial.seats.ids(), is: seats.map(\.id).sorted())
            for seat in seats { try await expect(trial.seats.read(seat.id), is: seat) }
        },
    ]
}

extension StoreTrial {
    /// The problematic ids that the store's format can represent.
    fileprivate var hostileIDs: [String] {
        store.capabilities.has(.controlCharacters) ? HostileIDs.all : HostileIDs.printable
    }
}
