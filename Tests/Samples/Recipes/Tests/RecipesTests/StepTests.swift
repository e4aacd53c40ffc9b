import Recipes
import RepositoryRuntime
import Testing

/// The steps of a recipe keep their order, and each position is taken once.
@Suite struct StepTests {
    /// A step moves to every other position, in both directions.
    @Test(arguments: SampleStore.allCases)
    func moves(_ store: SampleStore) async throws {
        try await store.withCookbook { cookbook in
            let recipe = try await cookbook.add(
                draft(#"{"title": "Bread"}"#), steps: ["a", "b", "c", "d"])
            var expected = ["a", "b", "c", "d"]
            for from in 1...4 {
                for target in 1...4 {
                    try await cookbook.moveStep(from: from, to: target, of: recipe.id)
                    expected.insert(expected.remove(at: from - 1), at: target - 1)
                    let steps = try await cookbook.steps(of: recipe.id)
                    #expect(steps.map(\.text) == expected)
                    #expect(steps.map(\.position) == [1, 2, 3, 4])
                }
            }
        }
    }

    /// A step is inserted at the start, between others and at the end. Its id is a new one.
    @Test(arguments: SampleStore.allCases)
    func areInsertedAndRemoved(_ store: SampleStore) async throws {
        try await store.withCookbook { cookbook in
            let recipe = try await cookbook.add(draft(#"{"title": "Bread"}"#), steps: ["b", "d"])
            var ids = Set(try await cookbook.steps(of: recipe.id).map(\.id))
            for (text, position) in [("a", 1), ("c", 3), ("e", 5)] {
                let step = try await cookbook.insertStep(text, at: position, of: recipe.id)
                #expect(ids.insert(step.id).inserted)
            }
            #expect(
                try await cookbook.steps(of: recipe.id).map(\.text) == ["a", "b", "c", "d", "e"])
            for text in ["c", "a", "e"] {
                let steps = try await cookbook.steps(of: recipe.id)
                let step = try #require(steps.first { $0.text == text })
                try await cookbook.removeStep(step.id)
            }
            let left = try await cookbook.steps(of: recipe.id)
            #expect(left.map(\.text) == ["b", "d"])
            #expect(left.map(\.position) == [1, 2])
            let next = try await cookbook.insertStep("f", at: 3, of: recipe.id)
            #expect(ids.insert(next.id).inserted)
        }
    }

    /// A position that does not exist is refused, and the steps stay as they are.
    @Test(arguments: SampleStore.allCases)
    func refuseOtherPositions(_ store: SampleStore) async throws {
        try await store.withCookbook { cookbook in
            let recipe = try await cookbook.add(draft(#"{"title": "Bread"}"#), steps: ["a", "b"])
            for position in [-1, 0, 3] {
                await #expect(throws: StepPositionError(position: position, count: 2)) {
                    try await cookbook.moveStep(from: 1, to: position, of: recipe.id)
                }
            }
            await #expect(throws: StepPositionError(position: 4, count: 2)) {
                try await cookbook.insertStep("c", at: 4, of: recipe.id)
            }
            #expect(try await cookbook.steps(of: recipe.id).map(\.text) == ["a", "b"])
        }
    }

    /// Two steps of one recipe cannot have one position; those of two recipes can.
    @Test(arguments: SampleStore.allCases)
    func haveUniquePositions(_ store: SampleStore) async throws {
        try await store.withCookbook { cookbook in
            let bread = try await cookbook.add(draft(#"{"title": "Bread"}"#), steps: ["a"])
            let cake = try await cookbook.add(draft(#"{"title": "Cake"}"#), steps: ["a"])
            var step = try #require(try await cookbook.steps(of: cake.id).first)
            step.recipeID = bread.id
            let taken = step
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await cookbook.kitchen.steps.update(taken)
            }
            #expect(error?.code == .constraintViolated)
        }
    }
}
