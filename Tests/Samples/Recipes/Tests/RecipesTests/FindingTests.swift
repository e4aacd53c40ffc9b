import Foundation
import Recipes
import RepositoryRuntime
import Testing

/// Recipes are found by words, tags, authors and meals.
@Suite struct FindingTests {
    /// Searches find words, prefixes and phrases in titles, ingredients and summaries, with a tag.
    @Test(arguments: SampleStore.allCases)
    func searches(_ store: SampleStore) async throws {
        try await store.withCookbook { cookbook in
            try await cookbook.add(
                draft(#"{"title": "Crème brûlée", "ingredients": [{"name": "cream"}]}"#),
                tags: ["Dessert"])
            try await cookbook.add(
                draft(#"{"title": "Pancakes", "summary": "Thin, with whipped cream."}"#),
                tags: ["Dessert", "Breakfast"])
            try await cookbook.add(
                draft(#"{"title": "Creamed spinach", "ingredients": [{"name": "spinach"}]}"#))
            func titles(_ text: String, tagged tag: String? = nil) async throws -> [String] {
                try await cookbook.search(text, tagged: tag).map(\.title)
            }
            #expect(try await titles("creme BRULEE") == ["Crème brûlée"])
            #expect(try await titles("cream") == ["Crème brûlée", "Pancakes"])
            // A match in the title counts more than one in an ingredient or in the summary.
            #expect(try await titles("crea*") == ["Creamed spinach", "Crème brûlée", "Pancakes"])
            #expect(try await titles("\"whipped cream\"") == ["Pancakes"])
            #expect(try await titles("cream", tagged: "breakfast") == ["Pancakes"])
            #expect(try await titles("?!") == [])
        }
    }

    /// A recipe is found by the name of its author, and keeps its author's name out of its record.
    @Test(arguments: SampleStore.allCases)
    func findsByAuthor(_ store: SampleStore) async throws {
        try await store.withCookbook { cookbook in
            var ada = try await cookbook.kitchen.cooks.create(Cook(name: "Ada"))
            for title in ["Stew", "Bread"] {
                var recipe = RecordDraft<Recipe>()
                recipe.title = title
                recipe.authorID = ada.id
                try await cookbook.add(recipe)
            }
            try await cookbook.add(draft(#"{"title": "Anonymous toast"}"#))
            #expect(
                try await cookbook.kitchen.recipes.byAuthor(name: "Ada").map(\.title)
                    == ["Bread", "Stew"])
            ada.name = "Ada Lovelace"
            try await cookbook.kitchen.cooks.update(ada)
            #expect(try await cookbook.kitchen.recipes.byAuthor(name: "Ada") == [])
            let cards = try await cookbook.cards(.sorted(by: \.author.name).sorted(by: \.title))
            #expect(cards.map(\.recipe.title) == ["Anonymous toast", "Bread", "Stew"])
            #expect(cards.map { $0.author?.name } == [nil, "Ada Lovelace", "Ada Lovelace"])
            try await cookbook.kitchen.cooks.delete(ada.id)
            #expect(try await cookbook.cards(.all).allSatisfy { $0.author == nil })
        }
    }

    /// Tags ignore case, are renamed into each other, and vanish with their last recipe.
    @Test(arguments: SampleStore.allCases)
    func tags(_ store: SampleStore) async throws {
        try await store.withCookbook { cookbook in
            let soup = try await cookbook.add(draft(#"{"title": "Soup"}"#), tags: ["Hot", "Quick"])
            let tea = try await cookbook.add(draft(#"{"title": "Tea"}"#), tags: ["HOT", "drink"])
            func cloud() async throws -> [String] {
                try await cookbook.tagCloud().map { "\($0.tag.name) \($0.recipes)" }
            }
            #expect(try await cloud() == ["Hot 2", "drink 1", "Quick 1"])
            #expect(try await cookbook.renameTag("hot", to: "Warm"))
            #expect(try await cookbook.renameTag("quick", to: "WARM"))
            #expect(try await cookbook.renameTag("cold", to: "Warm") == false)
            #expect(try await cloud() == ["Warm 2", "drink 1"])
            try await cookbook.untag(tea.id, "DRINK")
            #expect(try await cloud() == ["Warm 2"])
            try await cookbook.untag(tea.id, "warm")
            try await cookbook.untag(soup.id, "unknown")
            #expect(try await cloud() == ["Warm 1"])
        }
    }

    /// Meals are counted by month, and the dishes that are cooked most often come first.
    @Test(arguments: SampleStore.allCases)
    func countsMeals(_ store: SampleStore) async throws {
        try await store.withCookbook { cookbook in
            let soup = try await cookbook.add(draft(#"{"title": "Soup"}"#))
            let pie = try await cookbook.add(draft(#"{"title": "Pie"}"#))
            try await cookbook.add(draft(#"{"title": "Cake"}"#))
            let days = ["2026-01-31", "2026-02-01", "2026-02-28"]
            for day in days {
                try await cookbook.cooked(soup.id, on: #require(LocalDate(day)), servings: 1)
            }
            // The second call for one day replaces the first.
            let last = try #require(LocalDate("2026-02-28"))
            try await cookbook.cooked(soup.id, on: last, servings: 5)
            try await cookbook.cooked(pie.id, on: last, servings: 2)
            let months = try await cookbook.mealsPerMonth(since: #require(LocalDate("2026-01-31")))
            #expect(months.map(\.month.description) == ["2026-01-01", "2026-02-01"])
            #expect(months.map(\.meals) == [1, 3])
            #expect(months.map(\.servings) == [1, 8])
            #expect(try await cookbook.favourites(cooked: 1).map(\.title) == ["Soup", "Pie"])
            #expect(try await cookbook.kitchen.recipes.neverCooked().map(\.title) == ["Cake"])
        }
    }
}
