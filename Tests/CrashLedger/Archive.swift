internal import Foundation
package import RepositoryRuntime
package import RepositoryTesting

/// A long list of writes that follows from a seed, with soft deletes, cascades, a search index and
/// external data: the n-th step of a lane depends on the seed, the lane, the number and the records
/// that the steps before have left, on nothing else.
///
/// So a program that writes and one that checks it agree on what every step is.
package struct Archive: Sendable {
    /// The words of letters; each letter has two of them.
    package static let words = ["alpha", "beta", "gamma", "delta"]
    /// The weights of new letters.
    private static let weights = 0..<3
    /// The most letters and photos that a lane keeps.
    private static let mostLetters = 30
    private static let mostPhotos = 4

    private let seed: UInt64

    /// Makes the archive of a seed.
    package init(seed: UInt64) {
        self.seed = seed
    }

    /// The repositories of an archive, over a store opened for no more than these.
    package static func library(_ store: any EntityStore) -> Conformance {
        let schema = StoreSchema(
            "Archive", [Sender.self, Route.self, Letter.self, Album.self, Photo.self])
        return Conformance(
            context: RepositoryContext(store: store, schema: schema, fullScans: .allow))
    }

    /// The external data of a photo: none, a few bytes, or two chunks.
    package static func picture(_ number: Int) -> ExternalData? {
        if number % 7 == 0 { return nil }
        let size = number % 20 == 5 ? 262_145 + number % 1_000 : number * 37 % 2_000
        return ExternalData(Data(repeating: UInt8(truncatingIfNeeded: number), count: size))
    }

    /// The step of a number, from 1.
    package func step(_ number: Int, lane: Int, _ records: ArchiveRecords) -> ArchiveStep {
        let random = SeededGenerator(
            seed: seed ^ UInt64(lane) &* 0x9E37_79B9 ^ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
        var maker = Maker(
            number: number, prefix: LedgerRecords.prefix(lane), records: records, random: random)
        return maker.step()
    }

    /// Makes one step.
    private struct Maker {
        let number: Int
        let prefix: String
        let records: ArchiveRecords
        var random: SeededGenerator
        /// How many records were made.
        private var made = 0

        init(number: Int, prefix: String, records: ArchiveRecords, random: SeededGenerator) {
            self.number = number
            self.prefix = prefix
            self.records = records
            self.random = random
        }

        mutating func step() -> ArchiveStep {
            if random.once(in: 4) { return .transaction(transaction()) }
            if records.letters.count > Archive.mostLetters {
                return .shred(some(records.letters.keys.sorted(), most: 15))
            }
            let senders = records.senders.keys.sorted()
            let active = senders.filter { records.senders[$0] == false }
            let albums = records.albums.sorted()
            let (stored, erased) = (records.letters(erased: false), records.letters(erased: true))
            switch Int.random(in: 0..<20, using: &random) {
            case 0 where !active.isEmpty: return .retire(random.one(of: active))
            case 1 where !senders.isEmpty: return .purge(random.one(of: senders))
            case 2..<4: return .enter(.init(id()))
            case 4..<7 where !stored.isEmpty: return .edit(random.one(of: stored), text: text())
            case 7..<9 where !stored.isEmpty: return .weigh(some(stored, most: 8))
            case 9..<12 where !stored.isEmpty: return .erase(some(stored, most: 4))
            case 12..<14 where !erased.isEmpty: return .restore(some(erased, most: 4))
            case 14: return .open(.init(id()))
            case 15..<17 where records.photos.count < Archive.mostPhotos:
                return .hang(photos(of: albums))
            case 15..<18 where !albums.isEmpty: return .close(random.one(of: albums))
            default: return .write(letters(from: active))
            }
        }

        /// Writes of several tables and kinds.
        private mutating func transaction() -> [ArchiveStep] {
            let (sender, album) = (Sender.ID(id()), Album.ID(id()))
            var steps: [ArchiveStep] = [.enter(sender), .write(letters(from: [sender]))]
            let stored = records.letters(erased: false)
            if let first = stored.first { steps.append(.edit(first, text: text())) }
            if stored.count > 1 { steps.append(.erase(some(stored, most: 3))) }
            if let old = records.senders.keys.min() { steps.append(.purge(old)) }
            if records.photos.count < Archive.mostPhotos {
                steps += [.open(album), .hang(photos(of: [album]))]
            } else if let old = records.albums.min() {
                steps.append(.close(old))
            }
            return steps
        }

        private mutating func id() -> String {
            made += 1
            return "\(prefix)-\(number)-\(made)"
        }

        private mutating func text() -> String {
            "\(random.one(of: Archive.words)) \(random.one(of: Archive.words)) \(number % 10_000)"
        }

        private mutating func some<ID>(_ ids: [ID], most: Int) -> [ID] {
            Array(ids.shuffled(using: &random).prefix(Int.random(in: 1...most, using: &random)))
        }

        private mutating func letters(
            from senders: [Sender.ID]
        ) -> [Letter.ID: ArchiveRecords.LetterState] {
            var letters: [Letter.ID: ArchiveRecords.LetterState] = [:]
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                letters[.init(id())] = ArchiveRecords.LetterState(
                    text: text(), weight: .random(in: Archive.weights, using: &random),
                    sender: senders.isEmpty ? nil : random.one(of: senders))
            }
            return letters
        }

        /// New photos, and a new picture of an old one.
        private mutating func photos(
            of albums: [Album.ID]
        ) -> [Photo.ID: ArchiveRecords.PhotoState] {
            var photos: [Photo.ID: ArchiveRecords.PhotoState] = [:]
            for place in 0..<Int.random(in: 1...2, using: &random) {
                photos[.init(id())] = ArchiveRecords.PhotoState(
                    album: albums.isEmpty ? nil : random.one(of: albums), number: number + place)
            }
            if let old = records.photos.keys.min() {
                photos[old] = ArchiveRecords.PhotoState(
                    album: records.photos[old]?.album, number: number + 2)
            }
            return photos
        }
    }
}
