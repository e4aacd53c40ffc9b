internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Optimistic locking.
    static let versions: [StoreBehaviour] = [
        version("versions.create", "A new record has version 1, regardless of the given version.") {
            trial in
            let ticket = try await trial.tickets.create(Ticket(title: "one", revision: 7))
            try expect(ticket.revision, is: 1)
            try await expect(trial.tickets.read(ticket.id), is: ticket)
        },
        version(
            "versions.given",
            "The store's own `create` and `createAll` keep the given version, as copies of records need it.",
            needs: [.batches]
        ) { trial in
            try await trial.repositories.context.open()
            let date = Date(timeIntervalSince1970: 1_000_000)
            func ticket(_ number: UInt8, revision: Int) -> Ticket {
                let uuid = UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
                return Ticket(
                    id: Ticket.ID(uuid), title: "copied", openedAt: date, touchedAt: date,
                    revision: revision)
            }
            var copies = [ticket(1, revision: 7), ticket(2, revision: 9)]
            try await trial.store.create(copies[0])
            try await trial.store.createAll([copies[1]])
            try await expect(trial.tickets.fetch(), is: copies)
            copies[1].title = "changed"
            try await expect(trial.tickets.update(copies[1]).revision, is: 10)
        },
        version("versions.update", "Each update increments the version and returns it.") { trial in
            var ticket = try await trial.tickets.create(Ticket(title: "one"))
            for version in 2...5 {
                ticket.title = "version \(version)"
                ticket = try await trial.tickets.update(ticket)
                try expect(ticket.revision, is: version)
                try await expect(trial.tickets.read(ticket.id), is: ticket)
            }
        },
        version(
            "versions.stale", "An update of an outdated version throws an error with both versions."
        ) {
            trial in
            let first = try await trial.tickets.create(Ticket(title: "one"))
            var second = first
            second.title = "two"
            second = try await trial.tickets.update(second)
            var stale = first
            stale.title = "stale"
            let error = try await expectError(.versionConflict, id: first.id.description) {
                try await trial.tickets.update(stale)
            }
            try expect(error.expectedVersion, is: 1)
            try expect(error.storedVersion, is: 2)
            try await expect(trial.tickets.read(first.id), is: second)
        },
        version("versions.ahead", "A version that was never stored is a conflict, too.") { trial in
            var ticket = try await trial.tickets.create(Ticket(title: "one"))
            ticket.revision = 9
            let error = try await expectError(.versionConflict) {
                try await trial.tickets.update(ticket)
            }
            try expect(error.expectedVersion, is: 9)
            try expect(error.storedVersion, is: 1)
        },
        version("versions.saveNew", "A save of a new record stores version 1.") { trial in
            let ticket = try await trial.tickets.save(Ticket(title: "one", revision: 4))
            try expect(ticket.revision, is: 1)
            try await expect(trial.tickets.read(ticket.id).revision, is: 1)
        },
        version(
            "versions.saveExisting",
            "A save of a stored record compares and increments the version."
        ) { trial in
            let first = try await trial.tickets.create(Ticket(title: "one"))
            let second = try await trial.tickets.save(first)
            try expect(second.revision, is: 2)
            try await expectError(.versionConflict) { try await trial.tickets.save(first) }
            try await expect(trial.tickets.read(first.id), is: second)
        },
        version("versions.updateMissing", "An update of a deleted record throws `recordNotFound`.")
        {
            trial in
            let ticket = try await trial.tickets.create(Ticket(title: "one"))
            try await trial.tickets.delete(ticket.id)
            try await expectError(.recordNotFound, id: ticket.id.description) {
                try await trial.tickets.update(ticket)
            }
        },
        version("versions.again", "A record that is created again has version 1.") { trial in
            let ticket = try await trial.tickets.create(Ticket(title: "one"))
            try await trial.tickets.update(ticket)
            try await trial.tickets.delete(ticket.id)
            try await expect(trial.tickets.create(ticket).revision, is: 1)
        },
        version(
            "versions.saveAll", "`saveAll` compares every version, and a conflict changes nothing.",
            needs: [.batches]
        ) { trial in
            let one = try await trial.tickets.create(Ticket(title: "one"))
            let two = try await trial.tickets.create(Ticket(title: "two"))
            let saved = try await trial.tickets.saveAll([one, two, Ticket(title: "three")])
            try expect(saved.map(\.revision), is: [2, 2, 1])
            try await expectError(.versionConflict, id: two.id.description) {
                try await trial.tickets.saveAll([saved[0], two])
            }
            try await expect(trial.tickets.read(one.id).revision, is: 2)
        },
        version(
            "versions.persistent", "A reopened store has the stored versions.",
            needs: [.persistent]
        ) { trial in
            let first = try await trial.tickets.create(Ticket(title: "one"))
            let second = try await trial.tickets.update(first)
            let later = try await trial.reopened()
            try await expectError(.versionConflict) { try await later.tickets.update(first) }
            try await expect(later.tickets.update(second).revision, is: 3)
        },
        StoreBehaviour(
            "versions.refused",
            "A store without versions throws for entities with a version field.",
            lacks: [.versions]
        ) { trial in
            let set = Conformance(
                context: RepositoryContext(
                    store: trial.store, schema: StoreSchema("Conformance", [TicketMapper.table])))
            try await expectError(.unsupported) {
                try await set.tickets.create(Ticket(title: "one"))
            }
        },
    ]

    /// A behaviour of stores with versions.
    private static func version(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .versions] + needs, fileID: fileID, line: line, body)
    }
}
