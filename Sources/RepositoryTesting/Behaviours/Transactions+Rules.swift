internal import RepositoryRuntime

extension StoreBehaviour {
    /// Constraints and versions inside a transaction.
    static let kept: [StoreBehaviour] = [
        transaction(
            "referencesLater", "A record may refer to one that the transaction stores later.",
            needs: [.references]
        ) { trial in
            try await trial.repositories.transaction { library in
                try await library.links.create(Link(id: "l", anchorID: "north", keeperID: "south"))
                try await library.halls.create(Hall(id: "north"))
                try await library.halls.create(Hall(id: "south"))
            }
            try await expect(trial.links.read("l").anchorID, is: "north")
        },
        transaction(
            "referencesBroken", "A transaction that leaves a dangling reference is rolled back.",
            needs: [.references]
        ) { trial in
            try await trial.halls.create(Hall(id: "south"))
            try await expectError(.constraintViolated) {
                try await trial.repositories.transaction { library in
                    try await library.halls.create(Hall(id: "east"))
                    try await library.links.create(Link(id: "l", anchorID: "north"))
                }
            }
            try await expect(trial.links.count(), is: 0)
            try await expect(trial.halls.ids(), is: ["south"])
        },
        transaction(
            "referencesGivenUp", "A reference that is removed before the commit is not checked.",
            needs: [.references]
        ) { trial in
            try await trial.repositories.transaction { library in
                try await library.links.create(Link(id: "l", anchorID: "nowhere"))
                try await library.links.create(Link(id: "m", anchorID: "nowhere"))
                try await library.links.update(Link(id: "l"))
                try await library.links.delete("m")
            }
            try await expect(trial.links.read("l").anchorID, is: nil)
        },
        transaction(
            "restricted", "A record can be deleted together with the records that refer to it.",
            needs: [.references]
        ) { trial in
            try await trial.halls.create(Hall(id: "north"))
            try await trial.links.create(Link(id: "l", anchorID: "north"))
            try await trial.repositories.transaction { library in
                try await library.links.delete("l")
                try await library.halls.delete("north")
            }
            try await expect(trial.halls.count(), is: 0)
        },
        transaction(
            "cascade", "A rollback restores the records that a cascade deleted.",
            needs: [.references]
        ) { trial in
            try await trial.halls.create(Hall(id: "north"))
            try await trial.links.create(Link(id: "gone", keeperID: "north"))
            try await trial.links.create(Link(id: "cleared", friendID: "north"))
            _ = try await thrown {
                try await trial.repositories.transaction { library in
                    try await library.halls.delete("north")
                    try await expect(library.links.ids(), is: ["cleared"])
                    try await expect(library.links.read("cleared").friendID, is: nil)
                    throw Refusal()
                }
            }
            try await expect(trial.links.ids(), is: ["cleared", "gone"])
            try await expect(trial.links.read("cleared").friendID, is: "north")
            try await trial.halls.delete("north")
            try await expect(trial.links.ids(), is: ["cleared"])
        },
        transaction(
            "unique", "Unique indexes are enforced at every step of a transaction.",
            needs: [.uniqueIndexes]
        ) { trial in
            try await trial.members.create(Member(id: "a", email: "a"))
            try await trial.repositories.transaction { library in
                try await expectError(.constraintViolated) {
                    try await library.members.create(Member(id: "b", email: "a"))
                }
                try await library.members.create(Member(id: "b", email: "b"))
                try await expectError(.constraintViolated) {
                    try await library.members.create(Member(id: "c", email: "b"))
                }
                try await library.members.delete("a")
                try await library.members.create(Member(id: "c", email: "a"))
                try await library.members.update(Member(id: "b", email: "new"))
                try await library.members.create(Member(id: "d", email: "b"))
            }
            try await expect(trial.members.fetch().map(\.email), is: ["new", "a", "b"])
        },
        transaction(
            "uniqueAfterwards", "Unique values of a rolled back transaction can be used.",
            needs: [.uniqueIndexes]
        ) { trial in
            try await trial.members.create(Member(id: "a", email: "a"))
            _ = try await thrown {
                try await trial.repositories.transaction { library in
                    try await library.members.update(Member(id: "a", email: "new"))
                    try await library.members.create(Member(id: "b", email: "b"))
                    throw Refusal()
                }
            }
            try await trial.members.create(Member(id: "c", email: "b"))
            try await trial.members.create(Member(id: "d", email: "new"))
            try await expectError(.constraintViolated) {
                try await trial.members.create(Member(id: "e", email: "a"))
            }
        },
        transaction(
            "versions", "Versions are incremented at each step and restored by a rollback.",
            needs: [.versions]
        ) { trial in
            let ticket = try await trial.tickets.create(Ticket(title: "one"))
            _ = try await thrown {
                try await trial.repositories.transaction { library in
                    let second = try await library.tickets.update(ticket)
                    try expect(second.revision, is: 2)
                    try await expectError(.versionConflict) {
                        try await library.tickets.update(ticket)
                    }
                    try await expect(library.tickets.update(second).revision, is: 3)
                    throw Refusal()
                }
            }
            try await expect(trial.tickets.read(ticket.id).revision, is: 1)
            let stored = try await trial.repositories.transaction { library in
                try await library.tickets.update(library.tickets.update(ticket))
            }
            try expect(stored.revision, is: 3)
            try await expect(trial.tickets.read(ticket.id).revision, is: 3)
        },
    ]
}
