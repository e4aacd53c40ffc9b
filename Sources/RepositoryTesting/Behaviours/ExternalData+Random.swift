internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Random operations on records with external data.
    static let randomExternalData: [StoreBehaviour] = [
        StoreBehaviour(
            "random.external",
            "Random operations on records with external data leave the bytes of a plain model.",
            needs: [
                .records, .listing, .batches, .atomicBatches, .references, .versions, .queries,
                .externalData,
            ]
        ) { trial in
            let seed = RandomSettings.seed
            do {
                try await ExternalDataRun(trial, seed: seed).run(RandomSettings.operations / 5)
            } catch var failure as ExpectationFailure {
                failure.message += " (seed \(seed))"
                throw failure
            }
        }
    ]
}

/// A photo as plain values.
private struct PlainPhoto: Equatable, Sendable {
    var title: String
    var album: String?
    var image: Data?
    var thumbnail: Data?

    func has(_ bytes: Data) -> Bool { image == bytes || thumbnail == bytes }
}

/// An operation on photos, on a store and on the model.
private enum ExternalOperation: Sendable {
    case create(String, PlainPhoto)
    case update(String, PlainPhoto)
    case save(String, PlainPhoto)
    case saveAll([String], PlainPhoto)
    /// Changes only the title.
    case rename(String, String)
    /// Exchanges the two fields.
    case exchange(String)
    /// Stores the image of one photo as that of another.
    case copy(from: String, to: String)
    case clear(String)
    case delete(String)
    case deleteAll([String])
    /// Deletes an album with its photos, and creates it again.
    case emptyAlbum(String)

    /// Applies the operation to the model, and returns the expected error.
    func apply(to model: inout [String: PlainPhoto]) -> CRUDRepositoryError.Code? {
        switch self {
        case .create(let id, let photo):
            if model[id] != nil { return .recordAlreadyExists }
            model[id] = photo
        case .update(let id, let photo):
            if model[id] == nil { return .recordNotFound }
            model[id] = photo
        case .save(let id, let photo): model[id] = photo
        case .saveAll(let ids, let photo): for id in ids { model[id] = photo }
        case .rename(let id, let title):
            if model[id] == nil { return .recordNotFound }
            model[id]?.title = title
        case .exchange(let id):
            guard let photo = model[id] else { return .recordNotFound }
            model[id]?.image = photo.thumbnail
            model[id]?.thumbnail = photo.image
        case .copy(let source, let target):
            guard let photo = model[source] else { return .recordNotFound }
            model[target] = PlainPhoto(title: "copy", image: photo.image)
        case .clear(let id):
            if model[id] == nil { return .recordNotFound }
            model[id]?.image = nil
            model[id]?.thumbnail = nil
        case .delete(let id):
            if model.removeValue(forKey: id) == nil { return .recordNotFound }
        case .deleteAll(let ids): for id in ids { model[id] = nil }
        case .emptyAlbum(let album): model = model.filter { $0.value.album != album }
        }
        return nil
    }

    /// Executes the operation, and returns the code of its error.
    func run(on gallery: Conformance) async throws -> CRUDRepositoryError.Code? {
        do {
            try await execute(on: gallery)
            return nil
        } catch let error as CRUDRepositoryError {
            return error.code
        }
    }

    private func execute(on gallery: Conformance) async throws {
        let photos = gallery.photos
        switch self {
        case .create(let id, let photo): try await photos.create(Self.photo(id, photo))
        case .update(let id, let photo): try await photos.update(Self.photo(id, photo))
        case .save(let id, let photo): try await photos.save(Self.photo(id, photo))
        case .saveAll(let ids, let photo):
            try await photos.saveAll(ids.map { Self.photo($0, photo) })
        case .rename(let id, let title):
            try await photos.update(Photo.ID(id)) { $0.title = title }
        case .exchange(let id):
            var photo = try await photos.read(Photo.ID(id))
            (photo.image, photo.thumbnail) = (photo.thumbnail, photo.image)
            try await photos.update(photo)
        case .copy(let source, let target):
            let photo = try await photos.read(Photo.ID(source))
            try await photos.save(
                Photo(id: Photo.ID(target), title: "copy", image: photo.image))
        case .clear(let id):
            var photo = try await photos.read(Photo.ID(id))
            (photo.image, photo.thumbnail) = (nil, nil)
            try await photos.save(photo)
        case .delete(let id): try await photos.delete(Photo.ID(id))
        case .deleteAll(let ids): _ = try await photos.deleteAll(ids: ids.map { Photo.ID($0) })
        case .emptyAlbum(let album):
            try await gallery.albums.delete(Album.ID(album))
            try await gallery.albums.create(Album(id: Album.ID(album)))
        }
    }

    private static func photo(_ id: String, _ photo: PlainPhoto) -> Photo {
        Photo(
            id: Photo.ID(id), title: photo.title, albumID: photo.album.map { Album.ID($0) },
            image: photo.image.map { ExternalData($0) },
            thumbnail: photo.thumbnail.map { ExternalData($0) })
    }
}

/// Executes random operations on photos, and compares the store with the model.
private final class ExternalDataRun {
    /// Data that was read from a record, which can be loaded as long as the record has it.
    private struct Held {
        var id: String
        var bytes: Data
        var data: ExternalData
    }

    private static let ids = ["a", "b", "c", "d"]
    private static let albums = ["s", "t"]
    /// The lengths of the contents; a chunk has 262,144 bytes.
    private static let lengths = [0, 1, 40, 1_000, 262_143, 262_144, 262_145, 600_000]

    private let trial: StoreTrial
    private var random: SeededGenerator
    private var model: [String: PlainPhoto] = [:]
    private var held: [Held] = []
    /// The contents that photos have. Several have the same ones.
    private let contents: [Data]

    init(_ trial: StoreTrial, seed: UInt64) {
        self.trial = trial
        var random = SeededGenerator(seed: seed)
        contents = Self.lengths.map { length in
            var data = Data(capacity: length + 8)
            while data.count < length {
                withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) }
            }
            return data.prefix(length)
        }
        self.random = random
    }

    func run(_ count: Int) async throws {
        for album in Self.albums { try await trial.albums.create(Album(id: Album.ID(album))) }
        for number in 0..<count {
            if trial.store.capabilities.has(.transactions), random.once(in: 6) {
                try await transaction()
            } else {
                let operation = operation()
                let expected = operation.apply(to: &model)
                let code = try await operation.run(on: trial.gallery)
                try expect(code?.rawValue ?? "done", is: expected?.rawValue ?? "done", "\(number)")
            }
            try await compare(trial.photos)
            try await checkHeld()
        }
        if trial.store.capabilities.has(.persistent) {
            try await compare(trial.reopened().photos, loadsAll: true)
        }
    }

    /// Several operations in a transaction, which is committed or rolled back.
    private func transaction() async throws {
        struct Undone: Error {}
        let operations = (0..<Int.random(in: 1...4, using: &random)).map { _ in operation() }
        let isUndone = random.once(in: 2)
        let before = model
        var after = before
        let expected = operations.map { $0.apply(to: &after)?.rawValue ?? "done" }
        let inside = after
        do {
            try await trial.gallery.transaction { gallery in
                for (operation, expected) in zip(operations, expected) {
                    let code = try await operation.run(on: gallery)
                    try expect(code?.rawValue ?? "done", is: expected, "in a transaction")
                }
                for (id, photo) in inside {
                    let found = try await gallery.photos.read(Photo.ID(id))
                    let (image, thumbnail) = try await (
                        found.image?.load(), found.thumbnail?.load()
                    )
                    try expect(
                        image == photo.image && thumbnail == photo.thumbnail,
                        "'\(id)' has other data inside a transaction")
                }
                if isUndone { throw Undone() }
            }
        } catch is Undone {}
        if !isUndone { model = after }
    }

    /// Compares all photos, and loads the data of some of them whole and by chunks.
    private func compare(_ photos: PhotoRepository, loadsAll: Bool = false) async throws {
        let found = try await photos.fetch()
        try expect(found.map(\.id.rawValue), is: model.keys.sorted())
        for photo in found {
            guard let expected = model[photo.id.rawValue] else { continue }
            try expect(
                photo.title == expected.title && photo.albumID?.rawValue == expected.album
                    && photo.image == expected.image.map { ExternalData($0) }
                    && photo.thumbnail == expected.thumbnail.map { ExternalData($0) },
                "'\(photo.id)' is another record")
            guard loadsAll || random.once(in: 4) else { continue }
            for (data, bytes) in [
                (photo.image, expected.image), (photo.thumbnail, expected.thumbnail),
            ] {
                guard let data, let bytes else { continue }
                try await expect(data.load() == bytes, "'\(photo.id)' loads other data")
                var streamed = Data()
                for try await chunk in data.chunks() { streamed += chunk }
                try expect(streamed == bytes, "'\(photo.id)' streams other data")
                held.append(Held(id: photo.id.rawValue, bytes: bytes, data: data))
            }
        }
        if held.count > 12 { held.removeFirst(held.count - 12) }
    }

    /// Loads data that was read earlier: its record has it still, or it is gone.
    private func checkHeld() async throws {
        guard let held = held.randomElement(using: &random) else { return }
        let isThere = model[held.id]?.has(held.bytes) ?? false
        do {
            let bytes = try await held.data.load()
            try expect(
                (isThere || held.bytes.isEmpty) && bytes == held.bytes,
                "'\(held.id)' loads data that it does not have")
        } catch let error as CRUDRepositoryError where error.code == .externalDataNotFound {
            try expect(!isThere, "'\(held.id)' has lost its data")
        }
    }

    private func operation() -> ExternalOperation {
        let id = random.one(of: Self.ids)
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1: return .create(id, photo())
        case 2, 3: return .update(id, photo())
        case 4, 5: return .save(id, photo())
        case 6: return .saveAll(some(), photo())
        case 7: return .rename(id, "t\(Int.random(in: 0..<100, using: &random))")
        case 8: return .exchange(id)
        case 9: return .copy(from: id, to: random.one(of: Self.ids))
        case 10: return .clear(id)
        case 11: return .delete(id)
        case 12: return .deleteAll(some())
        default: return .emptyAlbum(random.one(of: Self.albums))
        }
    }

    private func some() -> [String] { Self.ids.filter { _ in random.once(in: 2) } }

    private func photo() -> PlainPhoto {
        PlainPhoto(
            title: "t\(Int.random(in: 0..<100, using: &random))",
            album: random.once(in: 2) ? random.one(of: Self.albums) : nil,
            image: content(), thumbnail: content())
    }

    private func content() -> Data? {
        if random.once(in: 3) { return nil }
        // Most contents are small.
        return random.one(of: random.once(in: 4) ? contents : Array(contents.prefix(4)))
    }
}
