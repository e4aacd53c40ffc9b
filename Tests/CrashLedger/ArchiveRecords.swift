internal import RepositoryRuntime
package import RepositoryTesting

/// The records of one lane of an archive, as they should be or as a store has them.
///
/// A lane is what one task writes; the ids of a lane begin with its letter.
package struct ArchiveRecords: Sendable, Equatable {
    /// A letter, without its dates, which follow from the clock.
    package struct LetterState: Sendable, Equatable {
        package var text: String
        package var weight: Int
        package var sender: Sender.ID?
        package var isErased = false
        /// Every change counts it up, so that none can happen twice unseen.
        package var revision = 1
    }

    /// A photo, whose external data follows from a number.
    package struct PhotoState: Sendable, Equatable {
        package var album: Album.ID?
        package var number: Int
    }

    /// Whether each sender is deleted.
    package var senders: [Sender.ID: Bool] = [:]
    package var letters: [Letter.ID: LetterState] = [:]
    package var albums: Set<Album.ID> = []
    package var photos: [Photo.ID: PhotoState] = [:]

    /// No records.
    package init() {}

    /// The ids of the letters that are deleted, or of those that are not, in order.
    func letters(erased: Bool) -> [Letter.ID] {
        letters.filter { $0.value.isErased == erased }.keys.sorted()
    }

    /// Reads the records of some lanes, deleted ones too.
    package static func read(
        _ library: Conformance, lanes: Range<Int>
    ) async throws -> [ArchiveRecords] {
        let senders = try await library.senders.includingDeleted.fetch()
        let letters = try await library.letters.includingDeleted.fetch()
        let albums = try await library.albums.fetch()
        let photos = try await library.photos.fetch()
        return lanes.map { lane in
            let prefix = LedgerRecords.prefix(lane)
            func own<E: Entity>(_ entity: E) -> Bool { entity.id.description.hasPrefix(prefix) }
            var records = ArchiveRecords()
            for sender in senders where own(sender) {
                records.senders[sender.id] = sender.deletedAt != nil
            }
            for letter in letters where own(letter) {
                records.letters[letter.id] = LetterState(
                    text: letter.text, weight: letter.weight, sender: letter.senderID,
                    isErased: letter.erasedAt != nil, revision: letter.revision)
            }
            records.albums = Set(albums.filter(own).map(\.id))
            for photo in photos where own(photo) {
                records.photos[photo.id] = PhotoState(
                    album: photo.albumID, number: Int(photo.title) ?? -1)
            }
            return records
        }
    }

    /// Describes what differs from other records: the ids that only one has, and those of different
    /// content.
    package func difference(from other: ArchiveRecords) -> String {
        [
            Self.difference("senders", senders, other.senders),
            Self.difference("letters", letters, other.letters),
            albums == other.albums
                ? nil : "albums: \(albums.symmetricDifference(other.albums).sorted())",
            Self.difference("photos", photos, other.photos),
        ].compactMap { $0 }.joined(separator: "; ")
    }

    private static func difference<ID: EntityIdentifier, State: Equatable>(
        _ name: String, _ mine: [ID: State], _ other: [ID: State]
    ) -> String? {
        let ids = Set(mine.keys).union(other.keys).filter { mine[$0] != other[$0] }.sorted()
        if ids.isEmpty { return nil }
        let lines = ids.map { id in
            let states = [mine[id], other[id]].map { $0.map { "\($0)" } ?? "none" }
            return "\(id) is \(states[0]), not \(states[1])"
        }
        return "\(name): \(lines.joined(separator: ", "))"
    }
}
