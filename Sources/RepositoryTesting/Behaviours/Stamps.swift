internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Defaults and timestamps.
    static let stamps: [StoreBehaviour] = [
        stamp("stamps.default", "The dates of a new entity come from the set's clock.") { trial in
            let ticket = try await trial.tickets.create(Ticket(title: "one"))
            try expect(
                ticket.openedAt >= TrialClock.start, "The date does not come from the clock.")
            try expect(
                ticket.openedAt < TrialClock.start + 100, "The date does not come from the clock.")
            try await expect(trial.tickets.read(ticket.id), is: ticket)
        },
        stamp("stamps.create", "A create stores the given dates.") { trial in
            let day = Date(timeIntervalSince1970: 86_400)
            let ticket = Ticket(title: "one", openedAt: day, touchedAt: day)
            let stored = try await trial.tickets.create(ticket)
            try expect(stored.touchedAt, is: day)
            try expect(stored.resolvedAt, is: nil)
            try await expect(trial.tickets.read(ticket.id), is: stored)
        },
        stamp("stamps.update", "An update sets the fields declared `onUpdate: now`.") { trial in
            let moment = Date(timeIntervalSince1970: 1_000_000_000)
            let set = trial.repositories(now: { moment })
            let first = try await trial.tickets.create(Ticket(title: "one"))
            let second = try await set.tickets.update(first)
            try expect(second.openedAt, is: first.openedAt)
            try expect(second.touchedAt, is: moment)
            try expect(second.resolvedAt, is: moment)
            try await expect(trial.tickets.read(first.id), is: second)
        },
        stamp("stamps.save", "A save of a stored record sets the fields declared `onUpdate: now`.")
        { trial in
            let moment = Date(timeIntervalSince1970: 1_000_000_000)
            let set = trial.repositories(now: { moment })
            let first = try await trial.tickets.create(Ticket(title: "one"))
            let second = try await set.tickets.save(first)
            try expect(second.touchedAt, is: moment)
            try await expect(trial.tickets.read(first.id), is: second)
        },
        stamp(
            "stamps.batch", "All records of a batch have the same timestamp.",
            needs: [.batches]
        ) { trial in
            let tickets = try await trial.tickets.createAll([
                Ticket(title: "a"), Ticket(title: "b"),
            ])
            let saved = try await trial.tickets.saveAll(tickets)
            try expect(saved[0].touchedAt, is: saved[1].touchedAt)
            try expect(saved[0].touchedAt > tickets[1].touchedAt, "The timestamp is not later.")
        },
        stamp(
            "stamps.rounded", "Dates are rounded to microseconds before they are stored.",
            needs: [.fractionalSeconds]
        ) { trial in
            let moment = Date(timeIntervalSince1970: 1_700_000_000.123_456_7)
            let set = trial.repositories(now: { moment })
            let first = try await set.tickets.create(Ticket(title: "one", openedAt: moment))
            try expect(first.openedAt, is: StoredDate.rounded(moment))
            try await expect(trial.tickets.read(first.id), is: first)
            let second = try await set.tickets.update(first)
            try expect(second.touchedAt, is: StoredDate.rounded(moment))
            try await expect(trial.tickets.read(first.id), is: second)
        },
        StoreBehaviour(
            "stamps.wholeSeconds",
            "A store with whole seconds returns the rounded dates that it stored.",
            needs: [.records, .versions], lacks: [.fractionalSeconds]
        ) { trial in
            let moment = Date(timeIntervalSince1970: 1_700_000_000.75)
            let set = trial.repositories(now: { moment })
            let first = try await set.tickets.create(Ticket(title: "one", openedAt: moment))
            try expect(first.openedAt, is: Date(timeIntervalSince1970: 1_700_000_001))
            try await expect(trial.tickets.read(first.id), is: first)
            let second = try await set.tickets.update(first)
            try await expect(trial.tickets.read(first.id), is: second)
        },
        stamp("stamps.range", "A date that cannot be stored throws an error with the field.") {
            trial in
            let far = Date(timeIntervalSince1970: 1e16)
            try await expectError(.invalidItem, field: "openedAt") {
                try await trial.tickets.create(Ticket(title: "one", openedAt: far))
            }
        },
    ]

    /// A behaviour of timestamps.
    private static func stamp(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .versions] + needs, fileID: fileID, line: line, body)
    }
}
