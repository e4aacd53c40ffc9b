internal import RepositoryRuntime
package import RepositoryTesting

/// One write of a ledger, which a store does whole or not at all.
package indirect enum LedgerStep: Sendable {
    case create(Note)
    case update(Note)
    case save(Note)
    case delete(Note.ID)
    case createAll([Note])
    case saveAll([Note])
    case deleteAll([Note.ID])
    /// Adds one to the ranks of notes that are there, in one update.
    case raise([Note.ID])
    case enrol(Member)
    case rename(Member)
    case open(Hall)
    case link([Link])
    /// Deletes a hall: links that it keeps go with it, those to a friend lose it.
    case close(Hall.ID)
    case transaction([LedgerStep])

    /// Does it to records in memory.
    package func apply(to records: inout LedgerRecords) {
        switch self {
        case .create(let note), .update(let note), .save(let note): records.notes[note.id] = note
        case .delete(let id): records.notes[id] = nil
        case .createAll(let notes), .saveAll(let notes):
            for note in notes { records.notes[note.id] = note }
        case .deleteAll(let ids): for id in ids { records.notes[id] = nil }
        case .raise(let ids): for id in ids { records.notes[id]?.rank += 1 }
        case .enrol(let member), .rename(let member): records.members[member.id] = member
        case .open(let hall): records.halls[hall.id] = hall
        case .link(let links): for link in links { records.links[link.id] = link }
        case .close(let id):
            records.halls[id] = nil
            records.links = records.links.filter { $0.value.keeperID != id }
            for (key, link) in records.links where link.friendID == id {
                records.links[key]?.friendID = nil
            }
        case .transaction(let steps): for step in steps { step.apply(to: &records) }
        }
    }

    /// Does it to a store.
    package func run(on library: Conformance) async throws {
        switch self {
        case .create(let note): try await library.notes.create(note)
        case .update(let note): try await library.notes.update(note)
        case .save(let note): try await library.notes.save(note)
        case .delete(let id): try await library.notes.delete(id)
        case .createAll(let notes): try await library.notes.createAll(notes)
        case .saveAll(let notes): try await library.notes.saveAll(notes)
        case .deleteAll(let ids): try await library.notes.deleteAll(ids: ids)
        case .raise(let ids):
            let count = try await library.notes.updateAll(where: { $0.id.in(ids) }) {
                $0.rank += 1
            }
            guard count == ids.count else { throw LedgerFailure(expected: ids.count, count: count) }
        case .enrol(let member): try await library.members.create(member)
        case .rename(let member): try await library.members.update(member)
        case .open(let hall): try await library.halls.create(hall)
        case .link(let links): try await library.links.createAll(links)
        case .close(let id): try await library.halls.delete(id)
        case .transaction(let steps):
            try await library.transaction { library in
                for step in steps { try await step.run(on: library) }
            }
        }
    }
}

/// An update that did not say of all its records that it changed them.
struct LedgerFailure: Error {
    let expected: Int
    let count: Int
}
