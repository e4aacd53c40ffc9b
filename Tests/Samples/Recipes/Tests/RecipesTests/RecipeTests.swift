import Foundation
import Recipes
import RepositoryRuntime
import Testing

/// Recipes come from requests, and are changed by requests.
@Suite struct RecipeTests {
    /// A recipe is stored whole from one body.
    @Test(arguments: SampleStore.allCases)
    func isAddedFromABody(_ store: SampleStore) async throws {
        let noon = Date(timeIntervalSince1970: 1_800_000_000)
        try await store.withCookbook(now: { noon }) { cookbook in
            let soup = try await cookbook.add(
                draft(
                    """
                    {"title": "Leek soup", "servings": 2, "ingredients":
                     [{"name": "leek", "amount": 3, "unit": "piece"},
                      {"name": "saffron", "amount": 0.125, "unit": "pinch"}, {"name": "salt"}]}
                    """), steps: ["Chop the leeks.", "Boil."], tags: ["Soup", "soup", "Vegan"])
            #expect(soup.title == "Leek soup")
            #expect(soup.createdAt == noon)
            #expect(soup.revision == 1)
            #expect(soup.ingredientNames == ["leek", "saffron", "salt"])
            #expect(soup.ingredients[1].amount == Decimal(string: "0.125"))
            #expect(soup.ingredients[1].unit == .other("pinch"))
            #expect(try await cookbook.kitchen.recipes.fetch() == [soup])
            #expect(try await cookbook.steps(of: soup.id).map(\.position) == [1, 2])
            let cards = try await cookbook.cards(.sorted(by: \.title))
            #expect(cards.map(\.stepCount) == [2])
            #expect(cards.first?.tags.map(\.name) == ["Soup", "Vegan"])
        }
    }

    /// A body with mistakes reports all of them, and nothing is stored.
    @Test(arguments: SampleStore.allCases)
    func reportsEveryMistake(_ store: SampleStore) async throws {
        try await store.withCookbook { cookbook in
            var wrong = try draft(#"{"title": "Toast", "servings": 500}"#)
            wrong.title = ""
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await cookbook.add(wrong, steps: ["Toast it."], tags: ["Quick"])
            }
            #expect(error?.code == .invalidItem)
            #expect(error?.violations.compactMap(\.field).sorted() == ["servings", "title"])
            #expect(try await cookbook.kitchen.steps.count() == 0)
            #expect(try await cookbook.kitchen.tags.count() == 0)

            let unknown = #expect(throws: CRUDRepositoryError.self) {
                try draft(#"{"title": "Toast", "colour": "brown", "createdAt": 0}"#)
            }
            #expect(unknown?.violations.compactMap(\.field).sorted() == ["colour", "createdAt"])
        }
    }

    /// A patch changes what it names. Null and absent differ, and an old revision is refused.
    @Test(arguments: SampleStore.allCases)
    func isPatched(_ store: SampleStore) async throws {
        try await store.withCookbook { cookbook in
            let pie = try await cookbook.add(
                draft(#"{"title": "Pie", "summary": "With apples.", "difficulty": 2}"#))
            let edited = try await cookbook.edit(
                pie.id, patch(#"{"summary": null, "ingredients": [{"name": "apple"}]}"#))
            #expect(edited.summary == nil)
            #expect(edited.title == "Pie")
            #expect(edited.difficulty == .medium)
            #expect(edited.ingredientNames == ["apple"])
            #expect(edited.revision == 2)
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await cookbook.edit(pie.id, patch(#"{"title": "Cake", "revision": 1}"#))
            }
            #expect(error?.code == .versionConflict)
            #expect(try await cookbook.kitchen.recipes.read(pie.id) == edited)
        }
    }

    /// Concurrent edits of different fields are all kept.
    @Test(arguments: SampleStore.allCases)
    func keepsConcurrentEdits(_ store: SampleStore) async throws {
        try await store.withCookbook { cookbook in
            let recipe = try await cookbook.add(draft(#"{"title": "Stew", "servings": 1}"#))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        try await cookbook.kitchen.recipes.update(recipe.id) { $0.servings += 1 }
                    }
                    group.addTask {
                        try await cookbook.edit(recipe.id, patch(#"{"summary": "Slow."}"#))
                    }
                }
                try await group.waitForAll()
            }
            let stored = try await cookbook.kitchen.recipes.read(recipe.id)
            #expect(stored.servings == 11)
            #expect(stored.summary == "Slow.")
            #expect(stored.revision == 21)
        }
    }

    /// A discarded recipe is out of sight until it is restored or removed for good.
    @Test(arguments: SampleStore.allCases)
    func goesThroughTheTrash(_ store: SampleStore) async throws {
        let noon = Date(timeIntervalSince1970: 1_800_000_000)
        try await store.withCookbook(now: { noon }) { cookbook in
            let soup = try await cookbook.add(
                draft(#"{"title": "Soup"}"#), steps: ["Boil."], tags: ["Hot"])
            try await cookbook.discard(soup.id)
            #expect(try await cookbook.kitchen.recipes.count() == 0)
            #expect(try await cookbook.search("soup") == [])
            #expect(try await cookbook.tagCloud().map(\.recipes) == [0])
            #expect(try await cookbook.discarded().map(\.id) == [soup.id])
            try await cookbook.restore(soup.id)
            #expect(try await cookbook.search("soup").map(\.title) == ["Soup"])
            #expect(try await cookbook.steps(of: soup.id).map(\.text) == ["Boil."])
            try await cookbook.discard(soup.id)
            #expect(try await cookbook.emptyTrash(before: noon) == 0)
            #expect(try await cookbook.emptyTrash(before: noon + 1) == 1)
            #expect(try await cookbook.kitchen.steps.count() == 0)
            #expect(try await cookbook.kitchen.taggings.count() == 0)
        }
    }
}
