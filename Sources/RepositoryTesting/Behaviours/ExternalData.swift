internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// External data: fields whose bytes are stored apart from the records.
    static let externalData: [StoreBehaviour] = [
        external("external.load", "External data is loaded with the bytes that were stored.") {
            trial in
            let bytes = Bytes.random(1000)
            try await trial.photos.create(Photo(id: "a", image: ExternalData(bytes)))
            let photo = try await trial.photos.read("a")
            try expect(photo.image?.size, is: 1000)
            try expect(photo.image == ExternalData(bytes), is: true)
            try await expect(photo.image?.load(), is: bytes)
            try expect(photo.thumbnail, is: nil)
        },
        external(
            "external.backup", "A backup has the external data of all tables.",
            needs: [.listing, .backups]
        ) { trial in
            let bytes = Bytes.random(300_000)
            try await trial.photos.create(Photo(id: "a", image: ExternalData(bytes)))
            try await trial.withBackup { url in
                try await trial.photos.delete("a")
                try await trial.restored(from: url) { other in
                    try await expect(other.photos.read("a").image?.load() == bytes, is: true)
                }
            }
        },
        external(
            "external.tolerant", "The records of a tolerant fetch load their external data.",
            needs: [.listing]
        ) { trial in
            let bytes = Bytes.random(1000)
            try await trial.photos.create(Photo(id: "a", image: ExternalData(bytes)))
            let found = try await trial.photos.fetch(tolerant: true)
            try await expect(found.rows.first?.image?.load(), is: bytes)
        },
        external("external.empty", "External data can be empty.") { trial in
            try await trial.photos.create(Photo(id: "a", image: ExternalData(Data())))
            try await expect(trial.photos.read("a").image?.load(), is: Data())
        },
        external(
            "external.chunks", "Large external data is stored and loaded in several chunks."
        ) { trial in
            let bytes = Bytes.random(600_000)
            try await trial.photos.create(Photo(id: "a", image: ExternalData(bytes)))
            let image = try await trial.photos.read("a").image
            try await expect(image?.load() == bytes, is: true)
            var parts = 0
            var count = 0
            if let image {
                for try await part in image.chunks() {
                    parts += 1
                    count += part.count
                }
            }
            try expect(count, is: 600_000)
            try expect(parts > 1, is: true)
        },
        external(
            "external.stream", "External data is stored from an asynchronous sequence of bytes."
        ) { trial in
            let bytes = Bytes.random(400_000)
            let parts = AsyncStream<Data> { stream in
                for start in stride(from: 0, to: bytes.count, by: 70_000) {
                    stream.yield(bytes.dropFirst(start).prefix(70_000))
                }
                stream.finish()
            }
            let image = try await ExternalData(parts)
            try expect(image == ExternalData(bytes), is: true)
            try await trial.photos.create(Photo(id: "a", image: image))
            try await expect(trial.photos.read("a").image?.load() == bytes, is: true)
        },
        external("external.files", "External data is stored from a file and written to a file.") {
            trial in
            let folder = FileManager.default.temporaryDirectory
            let (source, target) = (
                folder.appendingPathComponent(UUID().uuidString),
                folder.appendingPathComponent(UUID().uuidString)
            )
            defer { for url in [source, target] { try? FileManager.default.removeItem(at: url) } }
            let bytes = Bytes.random(300_000)
            try bytes.write(to: source)
            try Data("earlier".utf8).write(to: target)
            try await trial.photos.create(
                Photo(id: "a", image: ExternalData(contentsOf: source)))
            try await trial.photos.read("a").image?.write(to: target)
            try expect(Data(contentsOf: target) == bytes, is: true)
        },
        external("external.update", "An update replaces external data; the earlier data is gone.") {
            trial in
            let (first, second) = (Bytes.random(300_000), Bytes.random(10))
            try await trial.photos.create(Photo(id: "a", image: ExternalData(first)))
            var photo = try await trial.photos.read("a")
            let earlier = photo.image
            photo.image = ExternalData(second)
            let updated = try await trial.photos.update(photo)
            try await expect(updated.image?.load(), is: second)
            try await expect(trial.photos.read("a").image?.load(), is: second)
            try await expectError(.externalDataNotFound) { _ = try await earlier?.load() }
        },
        external("external.kept", "An update of other fields keeps the external data.") { trial in
            let bytes = Bytes.random(300_000)
            try await trial.photos.create(Photo(id: "a", image: ExternalData(bytes)))
            var photo = try await trial.photos.read("a")
            photo.title = "new"
            try await trial.photos.update(photo)
            try await trial.photos.save(photo)
            try await trial.photos.update("a") { $0.title = "newer" }
            try await expect(trial.photos.read("a").image?.load() == bytes, is: true)
            try await expect(photo.image?.load() == bytes, is: true)
        },
        external("external.removed", "External data is removed when its field becomes nil.") {
            trial in
            let bytes = Bytes.random(10)
            try await trial.photos.create(Photo(id: "a", image: ExternalData(bytes)))
            let earlier = try await trial.photos.read("a").image
            try await trial.photos.update(Photo(id: "a"))
            try await expect(trial.photos.read("a").image, is: nil)
            try await expectError(.externalDataNotFound) { _ = try await earlier?.load() }
        },
        external("external.deleted", "External data is deleted with its record.") { trial in
            try await trial.photos.create(Photo(id: "a", image: ExternalData(Bytes.random(10))))
            let earlier = try await trial.photos.read("a").image
            try await trial.photos.delete("a")
            try await expectError(.externalDataNotFound) { _ = try await earlier?.load() }
            try await trial.photos.create(Photo(id: "a"))
            try await expectError(.externalDataNotFound) { _ = try await earlier?.load() }
        },
        external(
            "external.cascade", "External data is deleted with a record that a cascade deletes."
        ) { trial in
            try await trial.albums.create(Album(id: "s"))
            try await trial.photos.create(
                Photo(id: "a", albumID: "s", image: ExternalData(Bytes.random(10))))
            let earlier = try await trial.photos.read("a").image
            try await trial.albums.delete("s")
            try await expectError(.externalDataNotFound) { _ = try await earlier?.load() }
        },
        external("external.shared", "Two fields of a record can have the same external data.") {
            trial in
            let data = ExternalData(Bytes.random(300_000))
            try await trial.photos.create(Photo(id: "a", image: data, thumbnail: data))
            var photo = try await trial.photos.read("a")
            photo.image = nil
            try await trial.photos.update(photo)
            try await expect(trial.photos.read("a").thumbnail?.load() == data.load(), is: true)
            photo = try await trial.photos.read("a")
            (photo.image, photo.thumbnail) = (photo.thumbnail, nil)
            try await trial.photos.update(photo)
            try await expect(trial.photos.read("a").image?.load() == data.load(), is: true)
        },
        external(
            "external.copied", "A record gets a copy of another record's external data."
        ) { trial in
            let bytes = Bytes.random(300_000)
            try await trial.photos.create(Photo(id: "a", image: ExternalData(bytes)))
            let image = try await trial.photos.read("a").image
            try await trial.photos.createAll([Photo(id: "b", image: image), Photo(id: "c")])
            try await trial.photos.delete("a")
            try await expect(trial.photos.read("b").image?.load() == bytes, is: true)
        },
        external("external.failed", "A failed create stores no external data.") { trial in
            let (first, second) = (Bytes.random(10), Bytes.random(300_000))
            try await trial.photos.create(Photo(id: "a", image: ExternalData(first)))
            try await expectError(.recordAlreadyExists) {
                try await trial.photos.create(Photo(id: "a", image: ExternalData(second)))
            }
            try await expect(trial.photos.read("a").image?.load(), is: first)
            try await trial.photos.delete("a")
            try await trial.photos.create(Photo(id: "a"))
            try await expect(trial.photos.read("a").image, is: nil)
        },
        external(
            "external.missingFile",
            "If the file of external data is gone, nothing is stored."
        ) { trial in
            let source = FileManager.default.temporaryDirectory
                .appendingPathComponent(UUID().uuidString)
            try Bytes.random(10).write(to: source)
            let image = try ExternalData(contentsOf: source)
            try FileManager.default.removeItem(at: source)
            do {
                try await trial.photos.create(Photo(id: "a", image: image))
                try expect(true, is: false)
            } catch is CRUDRepositoryError {}
            try await expect(trial.photos.exists("a"), is: false)
        },
        external(
            "external.decoded", "External data that was decoded has no bytes: storing it throws."
        ) { trial in
            let image = ExternalData(ExternalData(Bytes.random(10)).description)
            try await expectError(.unsupported) { _ = try await image?.load() }
            try await expectError(.unsupported) {
                try await trial.photos.create(Photo(id: "a", image: image))
            }
            try await expect(trial.photos.exists("a"), is: false)
        },
        external(
            "external.queries",
            "Every way of reading a record gives external data that can be loaded."
        ) { trial in
            let bytes = Bytes.random(10)
            try await trial.albums.create(Album(id: "s"))
            try await trial.photos.create(
                Photo(id: "a", title: "t", albumID: "s", image: ExternalData(bytes)))
            let found = try await trial.photos.fetch(.where { $0.title == "t" })
            try await expect(found.first?.image?.load(), is: bytes)
            let byAlbum = try await trial.photos.fetch(.where { $0.albumID == "s" })
            try await expect(byAlbum.first?.image?.load(), is: bytes)
            try await expect(trial.photos.fetchOne(.all)?.image?.load(), is: bytes)
            let saved = try await trial.photos.save(Photo(id: "b", image: ExternalData(bytes)))
            try await expect(saved.image?.load(), is: bytes)
            try await expect(
                trial.photos.count(.where { $0.image == ExternalData(bytes) }), is: 2)
        },
        external(
            "external.soft",
            "A deleted record that stays stored keeps its external data until it is purged."
        ) { trial in
            let bytes = Bytes.random(300_000)
            let slide = Slide(tray: "x", number: 1, image: ExternalData(bytes))
            try await trial.slides.create(slide)
            let image = try await trial.slides.read(slide.id).image
            try await trial.slides.delete(slide.id)
            try await expect(image?.load() == bytes, is: true)
            try await trial.slides.purge(slide.id)
            try await expectError(.externalDataNotFound) { _ = try await image?.load() }
        },
        external(
            "external.rollback", "A transaction that is rolled back leaves no external data.",
            needs: [.transactions]
        ) { trial in
            let (first, second) = (Bytes.random(300_000), Bytes.random(300_001))
            try await trial.photos.create(Photo(id: "a", image: ExternalData(first)))
            struct Refusal: Error {}
            do {
                try await trial.gallery.transaction { gallery in
                    try await gallery.photos.update(Photo(id: "a", image: ExternalData(second)))
                    try await gallery.photos.create(Photo(id: "b", image: ExternalData(second)))
                    let image = try await gallery.photos.read("a").image
                    try await expect(image?.load() == second, is: true)
                    throw Refusal()
                }
            } catch is Refusal {}
            try await expect(trial.photos.read("a").image?.load() == first, is: true)
            try await expect(trial.photos.exists("b"), is: false)
        },
        external(
            "external.transaction", "External data of a transaction can be loaded after it.",
            needs: [.transactions]
        ) { trial in
            let bytes = Bytes.random(300_000)
            let image = try await trial.gallery.transaction { gallery in
                try await gallery.photos.create(Photo(id: "a", image: ExternalData(bytes)))
                try await gallery.photos.create(Photo(id: "b", image: ExternalData(bytes)))
                try await gallery.photos.delete("b")
                return try await gallery.photos.read("a").image
            }
            try await expect(image?.load() == bytes, is: true)
        },
        external(
            "external.bulk", "An update of several records changes and removes external data.",
            needs: [.updates]
        ) { trial in
            let bytes = Bytes.random(300_000)
            for id in ["a", "b"] {
                try await trial.photos.create(
                    Photo(id: Photo.ID(id), title: id, image: ExternalData(bytes)))
            }
            let image = try await trial.photos.read("a").image
            try await trial.photos.update("b") { $0.thumbnail = ExternalData(Data([1])) }
            try await expect(trial.photos.read("b").thumbnail?.load(), is: Data([1]))
            try await trial.photos.replace(
                where: { $0.title != "x" },
                with: [Photo(id: "b", image: ExternalData(bytes))])
            try await expectError(.externalDataNotFound) { _ = try await image?.load() }
            try await expect(trial.photos.read("b").image?.load() == bytes, is: true)
            let last = try await trial.photos.read("b").image
            try await expect(trial.photos.deleteAll(), is: 1)
            try await expectError(.externalDataNotFound) { _ = try await last?.load() }
        },
        external("external.reset", "A reset removes external data.", needs: [.reset]) { trial in
            try await trial.photos.create(Photo(id: "a", image: ExternalData(Bytes.random(10))))
            let image = try await trial.photos.read("a").image
            try await trial.gallery.reset()
            try await trial.photos.create(Photo(id: "b"))
            try await expectError(.externalDataNotFound) { _ = try await image?.load() }
        },
        external(
            "external.persistent", "A store that is reopened has the external data.",
            needs: [.persistent]
        ) { trial in
            let bytes = Bytes.random(300_000)
            try await trial.photos.create(Photo(id: "a", image: ExternalData(bytes)))
            try await expect(
                trial.reopened().photos.read("a").image?.load() == bytes, is: true)
        },
        external(
            "external.merged", "A merge keeps external data that one of the writers changed.",
            needs: [.conflictPolicies]
        ) { trial in
            let (first, second) = (Bytes.random(10), Bytes.random(300_000))
            try await trial.photos.create(Photo(id: "a", image: ExternalData(first)))
            let original = try await trial.photos.read("a")
            var ours = original
            ours.thumbnail = ExternalData(second)
            try await trial.photos.update("a") { $0.title = "theirs" }
            let merged = try await trial.photos.save(ours, conflict: .merge(from: original))
            try expect(merged.title, is: "theirs")
            try await expect(merged.thumbnail?.load() == second, is: true)
            try await expect(trial.photos.read("a").image?.load(), is: first)
            try await expect(trial.photos.read("a").thumbnail?.load() == second, is: true)
        },
        external(
            "external.fields", "An update of fields keeps external data, and can remove it.",
            needs: [.updates]
        ) { trial in
            let bytes = Bytes.random(300_000)
            try await trial.photos.create(
                Photo(id: "a", image: ExternalData(bytes), thumbnail: ExternalData(bytes)))
            let everything: @Sendable (Photo.Fields) -> Condition = { $0.title != "x" }
            _ = try await trial.photos.updateAll(where: everything) { $0.title = "new" }
            try await expect(trial.photos.read("a").image?.load() == bytes, is: true)
            _ = try await trial.photos.updateAll(where: everything) { $0.thumbnail = nil }
            try await expect(trial.photos.read("a").thumbnail, is: nil)
            try await expect(trial.photos.read("a").image?.load() == bytes, is: true)
        },
        external(
            "external.returned", "What a write returns can be loaded from the store.",
            needs: [.updates]
        ) { trial in
            let (first, second) = (Bytes.random(10), Bytes.random(20))
            let created = try await trial.photos.create(Photo(id: "a", image: ExternalData(first)))
            try await expect(created.image?.load(), is: first)
            var patch = RecordPatch<Photo>()
            patch.title = "new"
            let patched = try await trial.photos.update("a", patch)
            try await expect(patched.image?.load(), is: first)
            let updated = try await trial.photos.update("a") { $0.image = ExternalData(second) }
            try await expect(updated.image?.load(), is: second)
            // The bytes are those of the store, not of the given value.
            try await expectError(.externalDataNotFound) { _ = try await created.image?.load() }
        },
        external("external.patch", "A patch cannot set external data; a draft can.") { trial in
            let bytes = Bytes.random(10)
            try await trial.photos.create(Photo(id: "a", image: ExternalData(bytes)))
            var patch = RecordPatch<Photo>()
            patch.image = ExternalData(Data())
            try await expectError(.invalidItem) { [patch] in
                _ = try await trial.photos.update("a", patch)
            }
            var draft = RecordDraft<Photo>()
            draft.id = "b"
            draft.image = ExternalData(bytes)
            try await trial.photos.create(draft)
            try await expect(trial.photos.read("b").image?.load(), is: bytes)
        },
        StoreBehaviour(
            "external.refused",
            "A store without external data throws `unsupported` for a schema with it.",
            lacks: [.externalData]
        ) { trial in
            try await expectError(.unsupported) {
                try await trial.photos.create(Photo(id: "a"))
            }
        },
    ]

    /// A behaviour of stores with external data.
    private static func external(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence,
            needs: [.records, .references, .versions, .queries, .externalData] + needs,
            fileID: fileID, line: line, body)
    }
}

/// Bytes of external data.
enum Bytes {
    /// Returns bytes of a length, which differ with each call.
    static func random(_ count: Int) -> Data {
        var generator = SystemRandomNumberGenerator()
        var data = Data(capacity: count + 8)
        while data.count < count {
            withUnsafeBytes(of: generator.next()) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }
}
