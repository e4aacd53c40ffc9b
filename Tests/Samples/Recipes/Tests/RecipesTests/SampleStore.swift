import Foundation
import Recipes
import RepositoryRuntime
import RepositorySQLite

/// The stores on which every test of the app runs. The app behaves the same on each.
enum SampleStore: String, CaseIterable, Sendable {
    case memory
    case files
    case sqlite

    /// Calls a body with a cookbook on an empty store, and removes the store afterwards.
    ///
    /// - Parameter now: the clock of the cookbook.
    func withCookbook<R>(
        now: @escaping @Sendable () -> Date = { Date() }, _ body: (Cookbook) async throws -> R
    ) async throws -> R {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("recipes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store: any EntityStore =
            switch self {
            case .memory: InMemoryStore()
            case .files: FileSystemStore(directory: folder, transformer: JSONDataTransformer())
            case .sqlite: SQLiteStore(path: folder.appendingPathComponent("recipes.sqlite").path)
            }
        return try await body(Cookbook(Kitchen(store, now: now)))
    }
}

/// The body of a request with a new recipe.
func draft(_ json: String) throws -> RecordDraft<Recipe> {
    try JSONDecoder().decode(RecordDraft<Recipe>.self, from: Data(json.utf8))
}

/// The body of a request that changes a recipe.
func patch(_ json: String) throws -> RecordPatch<Recipe> {
    try JSONDecoder().decode(RecordPatch<Recipe>.self, from: Data(json.utf8))
}
