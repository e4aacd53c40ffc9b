import Foundation
import Recipes
import RepositoryRuntime
import Testing

/// Photos are stored with their recipes, and loaded when they are shown.
@Suite struct PhotoTests {
    /// Bytes that differ at every place of a chunk.
    private func picture(_ size: Int, seed: UInt8) -> Data {
        Data((0..<size).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 >> 8) &+ seed })
    }

    /// A photo is loaded with the bytes that were added, from memory and from a file.
    @Test(arguments: SampleStore.allCases)
    func areLoaded(_ store: SampleStore) async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("photo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let large = picture(700_000, seed: 1)
        try large.write(to: file)
        try await store.withCookbook { cookbook in
            let recipe = try await cookbook.add(draft(#"{"title": "Pie"}"#))
            let day = try #require(LocalDate("2026-11-22"))
            try await cookbook.addPhoto(
                ExternalData(picture(10, seed: 2)), to: recipe.id, takenOn: day)
            let second = try await cookbook.addPhoto(
                ExternalData(contentsOf: file), to: recipe.id,
                takenOn: #require(day.adding(days: 1)),
                caption: "The crust")
            let photos = try await cookbook.photos(of: recipe.id)
            #expect(photos.map(\.image?.size) == [10, 700_000])
            #expect(photos.map(\.caption) == [nil, "The crust"])
            #expect(try await photos[0].image?.load() == picture(10, seed: 2))
            try FileManager.default.removeItem(at: file)
            #expect(try await cookbook.exportPhoto(second.id, to: file))
            #expect(try Data(contentsOf: file) == large)
        }
    }

    /// The data of a photo is removed with its recipe for good, and not before.
    @Test(arguments: SampleStore.allCases)
    func areRemovedWithTheirRecipe(_ store: SampleStore) async throws {
        try await store.withCookbook { cookbook in
            let recipe = try await cookbook.add(draft(#"{"title": "Pie"}"#))
            let photo = try await cookbook.addPhoto(
                ExternalData(picture(300_000, seed: 3)), to: recipe.id,
                takenOn: #require(LocalDate("2026-11-22")))
            let image = try #require(photo.image)
            try await cookbook.discard(recipe.id)
            #expect(try await image.load().count == 300_000)
            try await cookbook.emptyTrash(before: Date.distantFuture)
            #expect(try await cookbook.kitchen.photos.count() == 0)
            await #expect(throws: CRUDRepositoryError.self) { try await image.load() }
        }
    }
}
