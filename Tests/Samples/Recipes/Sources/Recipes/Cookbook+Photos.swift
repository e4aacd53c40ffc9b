public import Foundation
public import RepositoryRuntime

/// The photos of recipes. Their data is stored apart from their records, and loaded when it is
/// shown.
extension Cookbook {
    /// Adds a photo to a recipe.
    ///
    /// - Parameters:
    ///   - image: the encoded picture, for example `ExternalData(contentsOf: file)`.
    ///   - recipe: the recipe.
    ///   - day: the day on which the photo was taken.
    ///   - caption: a text below the photo.
    @discardableResult
    public func addPhoto(
        _ image: ExternalData, to recipe: Recipe.ID, takenOn day: LocalDate, caption: String? = nil
    ) async throws -> Photo {
        var draft = RecordDraft<Photo>()
        draft.recipeID = recipe
        draft.takenOn = day
        draft.caption = caption
        draft.image = image
        return try await kitchen.photos.create(draft)
    }

    /// The photos of a recipe, oldest first, without their data.
    public func photos(of recipe: Recipe.ID) async throws -> [Photo] {
        try await kitchen.recipes.photos(of: recipe)
    }

    /// Writes the data of a photo to a file, one part after the other.
    ///
    /// - Returns: false if the photo has no data.
    public func exportPhoto(_ id: Photo.ID, to file: URL) async throws -> Bool {
        guard let image = try await kitchen.photos.read(id).image else { return false }
        try await image.write(to: file)
        return true
    }
}
