internal import RepositoryRuntime

extension StoreBehaviour {
    /// Records whose stored bytes cannot be decoded.
    static let damage: [StoreBehaviour] = [
        StoreBehaviour(
            "damage.read", "Reading a damaged record throws `invalidRecord` with its id.",
            needs: [.records, .persistent], needsDamage: true
        ) { trial in
            let later = try await trial.damaged()
            try await expectError(.invalidRecord, id: "b", table: "notes") {
                try await later.notes.read("b")
            }
        },
        StoreBehaviour(
            "damage.others", "The other records remain readable and writable.",
            needs: [.records, .persistent],
            needsDamage: true
        ) { trial in
            let later = try await trial.damaged()
            try await expect(later.notes.read("a").text, is: "text of a")
            try await expect(later.notes.read("c").text, is: "text of c")
            try await later.notes.create(Note(id: "d", text: "new"))
            try await later.notes.update(Note(id: "a", text: "changed"))
            try await expect(later.notes.read("a").text, is: "changed")
        },
        StoreBehaviour(
            "damage.list", "Listing a damaged record throws an error that names it.",
            needs: [.records, .listing, .persistent], needsDamage: true
        ) { trial in
            let later = try await trial.damaged()
            try await expectError(.invalidRecord, id: "b") { try await later.notes.fetch() }
            try await expect(later.notes.ids(), is: ["a", "b", "c"])
            try await expect(later.notes.count(), is: 3)
        },
        StoreBehaviour(
            "damage.tolerant",
            "A tolerant fetch returns the readable records, and the id and the error of each other one.",
            needs: [.records, .listing, .persistent], needsDamage: true
        ) { trial in
            let notes = try await trial.damaged().notes
            let found = try await notes.fetch(tolerant: true)
            try expect(found.rows.map(\.text), is: ["text of a", "text of c"])
            try expect(found.failures.map(\.id), is: ["b"])
            let error = found.failures.first?.error
            try expect(error?.code, is: .invalidRecord)
            try expect(error?.id, is: "b")
            try expect(error?.table, is: "notes")
            try await expectError(.invalidRecord, id: "b") {
                try await notes.fetch(tolerant: false)
            }
            // What it names can be replaced.
            for failure in found.failures {
                guard let id = failure.id else { continue }
                try await notes.save(Note(id: id, text: "whole"))
            }
            let mended = try await notes.fetch(tolerant: true)
            try expect(mended.rows.map(\.text), is: ["text of a", "whole", "text of c"])
            try expect(mended.failures.count, is: 0)
            try await expect(notes.fetch(tolerant: false).rows.count, is: 3)
        },
        StoreBehaviour(
            "damage.tolerant.many",
            "The error of a fetch names up to ten unreadable records; a tolerant fetch names them all.",
            needs: [.records, .listing, .persistent], needsDamage: true
        ) { trial in
            // More than one page of the runtime, with damage at both ends and across its border.
            let ids = (100..<400).map { Note.ID("\($0)") }
            let damaged = [100, 101, 120, 150, 200, 210, 220, 230, 300, 355, 356, 399]
            for id in ids { try await trial.notes.create(Note(id: id, text: "\(id)")) }
            for id in damaged { try await trial.damage(Note.self, Note.ID("\(id)")) }
            let notes = try await trial.reopened().notes
            let found = try await notes.fetch(tolerant: true)
            let names = damaged.map { Note.ID("\($0)") }
            try expect(found.failures.map(\.id), is: names)
            try expect(found.rows.map(\.id), is: ids.filter { !names.contains($0) })
            let error = try await expectError(.invalidRecord, id: "100", table: "notes") {
                try await notes.fetch()
            }
            try expect(error.unreadableIDs, is: names.prefix(10).map(\.description))
            try expect(error.message.contains("'355', and others."), error.message)
        },
        StoreBehaviour(
            "damage.tolerant.transaction",
            "A tolerant fetch inside a transaction sees what the transaction has written.",
            needs: [.records, .listing, .transactions, .persistent], needsDamage: true
        ) { trial in
            let later = try await trial.damaged()
            try await later.repositories.transaction { repositories in
                try await repositories.notes.create(Note(id: "d", text: "new"))
                try await repositories.notes.delete("a")
                let found = try await repositories.notes.fetch(tolerant: true)
                try expect(found.rows.map(\.id), is: ["c", "d"])
                try expect(found.failures.map(\.id), is: ["b"])
            }
        },
        StoreBehaviour(
            "damage.delete", "A damaged record can be deleted and created again.",
            needs: [.records, .persistent], needsDamage: true
        ) { trial in
            let later = try await trial.damaged()
            try await expect(later.notes.exists("b"), is: true)
            try await later.notes.delete("b")
            try await expect(later.notes.exists("b"), is: false)
            try await later.notes.create(Note(id: "b", text: "new"))
            try await expect(later.notes.read("b").text, is: "new")
        },
        StoreBehaviour(
            "damage.replace", "A save replaces a damaged record.",
            needs: [.records, .persistent], needsDamage: true
        ) { trial in
            let later = try await trial.damaged()
            try await later.notes.save(Note(id: "b", text: "whole"))
            try await expect(later.notes.read("b").text, is: "whole")
        },
        StoreBehaviour(
            "damage.names", "Whatever meets a damaged record throws invalidRecord with its id.",
            needs: [.records, .listing, .queries, .updates, .persistent], needsDamage: true
        ) { trial in
            let notes = try await trial.damaged().notes
            try await expectNamed { try await notes.fetch(.sorted(by: \.rank, .descending)) }
            try await expectNamed { try await notes.fetch(.where { $0.rank >= 0 }) }
            try await expectNamed { try await notes.page(.limit(2)) }
            try await expectNamed { for try await _ in notes.stream(.all) {} }
            try await expectNamed { for try await _ in notes.stream(.sorted(by: \.text)) {} }
            try await expectNamed { try await notes.project(\.text) }
            try await expectNamed { try await notes.updateAll(.all) { $0.rank += 1 } }
            try await expectNamed { try await notes.fetch(ids: ["a", "b"]) }
            var changes = notes.observe(.all).makeAsyncIterator()
            try await expectNamed { try await changes.next() }
            // Where the damaged part need not be read, there may be an answer.
            try await expectNamed(orAnswers: true) { try await notes.sum(of: \.rank) }
            try await expectNamed(orAnswers: true) { try await notes.minimum(of: \.text) }
            try await expectNamed(orAnswers: true) {
                try await notes.count(.where { $0.text.contains("text") })
            }
            try await expectNamed(orAnswers: true) {
                try await notes.deleteAll(where: { $0.text == "nothing" })
            }
            try await expect(notes.read("a").rank, is: 0, "A failed call changed something.")
        },
        StoreBehaviour(
            "damage.versions",
            "A save and an update replace a damaged record with a version, which counts on from the one given.",
            needs: [.records, .versions, .persistent], needsDamage: true
        ) { trial in
            for call in ["save", "update", "saveAll"] {
                var ticket = Ticket(title: "old")
                try await trial.tickets.create(ticket)
                for _ in 0..<3 {
                    ticket = try await trial.tickets.update(trial.tickets.read(ticket.id))
                }
                try await trial.damage(Ticket.self, ticket.id)
                let later = try await trial.reopened()
                try await expectError(.invalidRecord, id: ticket.id.description) {
                    try await later.tickets.read(ticket.id)
                }
                var new = Ticket(id: ticket.id, title: "new")
                new.revision = 1
                let stored =
                    switch call {
                    case "save": try await later.tickets.save(new)
                    case "update": try await later.tickets.update(new)
                    default: try await later.tickets.saveAll([new])[0]
                    }
                try expect(stored.revision, is: 2, "\(call) stored another version.")
                try await expect(later.tickets.read(ticket.id), is: stored)
                // It has a version again, which is compared.
                try await expectError(.versionConflict, id: ticket.id.description) {
                    try await later.tickets.update(new)
                }
            }
        },
        StoreBehaviour(
            "damage.policies",
            "A save that replaces whatever is stored replaces a damaged record; other policies name it.",
            needs: [.records, .versions, .transactions, .persistent], needsDamage: true
        ) { trial in
            let ticket = try await trial.tickets.create(Ticket(title: "old"))
            let other = try await trial.tickets.update(ticket)
            try await trial.damage(Ticket.self, ticket.id)
            let tickets = try await trial.reopened().tickets
            for policy in [ConflictPolicy<Ticket>.fail, .keepStored, .merge(from: other)] {
                try await expectError(.invalidRecord, id: ticket.id.description) {
                    try await tickets.save(Ticket(id: ticket.id, title: "new"), conflict: policy)
                }
            }
            let stored = try await tickets.save(
                Ticket(id: ticket.id, title: "new"), conflict: .replace)
            try expect(stored.title, is: "new")
            try await expect(tickets.read(ticket.id), is: stored)
        },
        StoreBehaviour(
            "damage.indexes",
            "Beside a damaged record, unique indexes hold for the others; a save over it gives it new places in them.",
            needs: [.records, .uniqueIndexes, .finders, .persistent], needsDamage: true
        ) { trial in
            for (number, id) in ["a", "b", "c"].enumerated() {
                try await trial.members.create(
                    Member(id: .init(id), email: "\(id)@x", badge: number, team: "t", place: number)
                )
            }
            try await trial.damage(Member.self, "b")
            let members = try await trial.reopened().members
            try await expectError(.constraintViolated, id: "d") {
                try await members.create(Member(id: "d", email: "a@x", team: "t", place: 9))
            }
            try await members.create(Member(id: "d", email: "d@x", badge: 7, team: "t", place: 3))
            try await expect(members.find(email: "d@x")?.id, is: "d")
            try await expect(members.find(email: "a@x")?.id, is: "a")
            try await members.save(Member(id: "b", email: "new@x", badge: 8, team: "t", place: 4))
            try await expect(members.find(email: "new@x")?.id, is: "b")
            // What it held before is free.
            try await members.create(Member(id: "e", email: "b@x", badge: 1, team: "t", place: 1))
            try await expect(members.find(badge: 1)?.id, is: "e")
            try await expect(members.count(), is: 5)
        },
    ]
}

/// Throws unless a call throws that the record `b` cannot be read.
private func expectNamed<R>(
    orAnswers: Bool = false, fileID: String = #fileID, line: Int = #line,
    _ call: () async throws -> R
) async throws {
    try await expectError(.invalidRecord, id: "b", fileID: fileID, line: line) {
        _ = try await call()
        guard orAnswers else { return }
        throw CRUDRepositoryError.invalidRecord(id: "b", reason: "it was not asked for")
    }
}

extension StoreTrial {
    /// The reopened store, after the second of three notes was damaged.
    fileprivate func damaged() async throws -> StoreTrial {
        for id in ["a", "b", "c"] {
            try await repositories.notes.create(Note(id: .init(id), text: "text of \(id)"))
        }
        try await damage(Note.self, "b")
        return try await reopened()
    }
}
