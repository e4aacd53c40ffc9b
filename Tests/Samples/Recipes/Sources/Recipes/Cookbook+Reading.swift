public import Foundation
public import RepositoryRuntime

/// What a screen shows of a recipe.
public struct RecipeCard: Sendable, Equatable {
    /// The recipe.
    public let recipe: Recipe
    /// Who wrote it, if it has an author.
    public let author: Cook?
    /// Its tags, by name.
    public let tags: [Tag]
    /// The number of its steps.
    public let stepCount: Int
}

extension Cookbook {
    /// The recipes that a query selects, each with its author, tags and number of steps, from one
    /// state of the store.
    ///
    /// - Parameter query: for example `.where { $0.difficulty == .easy }.sorted(by: \.title)`.
    public func cards(_ query: Query<Recipe>) async throws -> [RecipeCard] {
        try await kitchen.recipes.fetch(
            query, loading: \.author, \.tags, counting: \.steps
        ).map { RecipeCard(recipe: $0, author: $1, tags: $2, stepCount: $3) }
    }

    /// The recipes in which a text is found, best first.
    ///
    /// - Parameters:
    ///   - text: words, prefixes such as `tom*`, and phrases in quotes.
    ///   - tag: a tag that the recipes must have; nil for all.
    ///   - limit: the maximum number of recipes.
    public func search(_ text: String, tagged tag: String? = nil, limit: Int = 20) async throws
        -> [Recipe]
    {
        guard let tag else { return try await kitchen.recipes.search(text, limit: limit) }
        return try await kitchen.recipes.search(
            text, .where { $0.tags.any { $0.name == tag } }, limit: limit)
    }

    /// The recipes that were cooked at least a number of times, most often cooked first.
    public func favourites(cooked times: Int) async throws -> [Recipe] {
        try await kitchen.recipes.fetch(
            .where { $0.meals.count >= times }
                .sorted(by: \.meals.count, .descending).sorted(by: \.title).allowingFullScan())
    }

    /// Notes that a recipe was cooked. A second call for one day replaces the number of servings.
    public func cooked(
        _ recipe: Recipe.ID, on day: LocalDate, servings: Int
    ) async throws {
        try await kitchen.meals.save(Meal(recipeID: recipe, day: day, servings: servings))
    }

    /// The numbers of meals and servings of each month, by the first day of the month.
    public func mealsPerMonth(
        since day: LocalDate
    ) async throws -> [(month: LocalDate, meals: Int, servings: Int)] {
        try await kitchen.meals.group(
            by: \.day, per: .month, .count, .sum(of: \.servings), from: .where { $0.day >= day }
        ).map { (month: $0, meals: $1, servings: $2) }
    }
}

/// Recipes in the trash.
extension Cookbook {
    /// Moves a recipe to the trash. Its steps, tags and photos stay.
    public func discard(_ id: Recipe.ID) async throws { try await kitchen.recipes.delete(id) }

    /// The recipes in the trash, those that were discarded last first.
    public func discarded() async throws -> [Recipe] {
        try await kitchen.recipes.fetch(
            .where { $0.deletedAt != nil }.sorted(by: \.deletedAt, .descending)
                .includingDeleted())
    }

    /// Takes a recipe out of the trash.
    @discardableResult
    public func restore(_ id: Recipe.ID) async throws -> Recipe {
        try await kitchen.recipes.restore(id)
    }

    /// Removes the recipes that were discarded before a time, with everything that belongs to them.
    ///
    /// - Returns: the number of recipes removed.
    @discardableResult
    public func emptyTrash(before time: Date) async throws -> Int {
        try await kitchen.recipes.purgeAll(where: { $0.deletedAt < time })
    }
}
