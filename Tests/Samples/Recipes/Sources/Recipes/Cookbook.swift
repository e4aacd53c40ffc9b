public import RepositoryRuntime

/// The recipes of one household, in any store.
///
/// The type adds what the generated repositories do not know: which records belong together. It
/// names no store and no format.
///
/// ```swift
/// let cookbook = Cookbook(SQLiteStore(path: "recipes.sqlite"))
/// let soup = try await cookbook.add(draft, steps: ["Chop the leeks.", "Boil."], tags: ["Soup"])
/// ```
public struct Cookbook: Sendable {
    /// The generated repositories.
    public let kitchen: Kitchen

    /// Creates a cookbook over a store.
    public init(_ store: any EntityStore) { kitchen = Kitchen(store) }

    /// Creates a cookbook over repositories, for example with a clock for tests.
    public init(_ kitchen: Kitchen) { self.kitchen = kitchen }

    /// Stores a new recipe with its steps and tags.
    ///
    /// - Parameters:
    ///   - draft: the recipe, for example decoded from the body of a request.
    ///   - steps: the texts of the steps, in their order.
    ///   - tags: the names of the tags. Missing tags are created.
    /// - Returns: the stored recipe.
    /// - Throws: `invalidItem` with every broken rule. Nothing is stored in this case.
    @discardableResult
    public func add(
        _ draft: RecordDraft<Recipe>, steps: [String] = [], tags: [String] = []
    ) async throws -> Recipe {
        try await kitchen.transaction { kitchen in
            let recipe = try await kitchen.recipes.create(Self.searchable(draft))
            try await kitchen.steps.createAll(
                steps.enumerated().map { place, text in
                    Self.step(text, at: place + 1, of: recipe.id)
                })
            try await Self.tag(recipe.id, tags, in: kitchen)
            return recipe
        }
    }

    /// Changes the fields of a recipe that a patch names.
    ///
    /// - Throws: `recordNotFound`; `versionConflict` if the patch names another revision than the
    ///   stored one; `invalidItem` with every broken rule.
    @discardableResult
    public func edit(_ id: Recipe.ID, _ patch: RecordPatch<Recipe>) async throws -> Recipe {
        var patch = patch
        if let ingredients = try patch.value(of: \.ingredients) {
            patch.ingredientNames = ingredients.map(\.name)
        }
        return try await kitchen.recipes.update(id, patch)
    }

    /// A draft with the names of its ingredients in a field of their own, because searches read
    /// strings and lists of strings.
    private static func searchable(
        _ draft: RecordDraft<Recipe>
    ) throws -> RecordDraft<Recipe> {
        var draft = draft
        if let ingredients = try draft.value(of: \.ingredients) {
            draft.ingredientNames = ingredients.map(\.name)
        }
        return draft
    }
}
