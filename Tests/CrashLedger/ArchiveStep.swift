internal import Foundation
internal import RepositoryRuntime
package import RepositoryTesting

/// One write of an archive, which a store does whole or not at all.
package indirect enum ArchiveStep: Sendable {
    case enter(Sender.ID)
    case retire(Sender.ID)
    /// Removes a sender with all its letters, deleted ones too.
    case purge(Sender.ID)
    case write([Letter.ID: ArchiveRecords.LetterState])
    case edit(Letter.ID, text: String)
    /// Adds one to the weights of letters, in one update.
    case weigh([Letter.ID])
    case erase([Letter.ID])
    case restore([Letter.ID])
    case shred([Letter.ID])
    case open(Album.ID)
    /// Creates or replaces photos with their external data.
    case hang([Photo.ID: ArchiveRecords.PhotoState])
    /// Deletes an album with its photos and their external data.
    case close(Album.ID)
    case transaction([ArchiveStep])

    /// Applies the step to records in memory.
    package func apply(to records: inout ArchiveRecords) {
        switch self {
        case .enter(let id): records.senders[id] = false
        case .retire(let id): records.senders[id] = true
        case .purge(let id):
            records.senders[id] = nil
            records.letters = records.letters.filter { $0.value.sender != id }
        case .write(let letters): records.letters.merge(letters) { $1 }
        case .edit(let id, let text): change([id], in: &records) { $0.text = text }
        case .weigh(let ids): change(ids, in: &records) { $0.weight += 1 }
        case .erase(let ids): change(ids, in: &records) { $0.isErased = true }
        case .restore(let ids): change(ids, in: &records) { $0.isErased = false }
        case .shred(let ids): for id in ids { records.letters[id] = nil }
        case .open(let id): records.albums.insert(id)
        case .hang(let photos): records.photos.merge(photos) { $1 }
        case .close(let id):
            records.albums.remove(id)
            records.photos = records.photos.filter { $0.value.album != id }
        case .transaction(let steps): for step in steps { step.apply(to: &records) }
        }
    }

    private func change(
        _ ids: [Letter.ID], in records: inout ArchiveRecords,
        _ body: (inout ArchiveRecords.LetterState) -> Void
    ) {
        for id in ids {
            guard var letter = records.letters[id] else { continue }
            body(&letter)
            letter.revision += 1
            records.letters[id] = letter
        }
    }

    /// Applies the step to a store.
    package func run(on library: Conformance) async throws {
        switch self {
        case .enter(let id): try await library.senders.create(Sender(id: id, name: "\(id)"))
        case .retire(let id): try await library.senders.delete(id)
        case .purge(let id): try await library.senders.purge(id)
        case .write(let letters):
            try await library.letters.createAll(
                letters.sorted { $0.key < $1.key }.map { id, letter in
                    Letter(
                        id: id, text: letter.text, weight: letter.weight, senderID: letter.sender,
                        changedAt: EntityDefaults.now())
                })
        case .edit(let id, let text): try await library.letters.update(id) { $0.text = text }
        case .weigh(let ids):
            try await require(
                ids.count, library.letters.updateAll(where: { $0.id.in(ids) }) { $0.weight += 1 })
        case .erase(let ids):
            try await require(ids.count, library.letters.deleteAll(ids: ids))
        case .restore(let ids):
            try await require(ids.count, library.letters.restoreAll(ids: ids))
        case .shred(let ids):
            try await require(ids.count, library.letters.purgeAll(ids: ids))
        case .open(let id): try await library.albums.create(Album(id: id))
        case .hang(let photos):
            try await library.photos.saveAll(
                photos.sorted { $0.key < $1.key }.map { id, photo in
                    Photo(
                        id: id, title: "\(photo.number)", albumID: photo.album,
                        image: Archive.picture(photo.number))
                })
        case .close(let id): try await library.albums.delete(id)
        case .transaction(let steps):
            try await library.transaction { library in
                for step in steps { try await step.run(on: library) }
            }
        }
    }

    private func require(_ expected: Int, _ count: Int) throws {
        guard count == expected else { throw LedgerFailure(expected: expected, count: count) }
    }
}
