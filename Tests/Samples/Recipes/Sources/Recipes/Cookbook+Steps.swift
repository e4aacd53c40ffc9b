public import RepositoryRuntime

/// The steps of a recipe: an ordered list whose positions are unique at every moment.
extension Cookbook {
    /// Returns the steps of a recipe, in their order.
    public func steps(of recipe: Recipe.ID) async throws -> [Step] {
        try await kitchen.recipes.steps(of: recipe)
    }

    /// Inserts a step. The steps from its position on move back by one.
    ///
    /// - Parameters:
    ///   - text: what to do.
    ///   - position: the position of the new step, from 1 to the number of steps plus 1.
    ///   - recipe: the recipe.
    /// - Throws: `StepPositionError` for any other position.
    @discardableResult
    public func insertStep(
        _ text: String, at position: Int, of recipe: Recipe.ID
    ) async throws -> Step {
        try await kitchen.transaction { kitchen in
            let count = try await kitchen.steps.count(where: { $0.recipeID == recipe })
            guard (1...count + 1).contains(position) else {
                throw StepPositionError(position: position, count: count)
            }
            try await kitchen.steps.updateAll(
                where: { $0.recipeID == recipe && $0.position >= position },
                set: { $0.position += 1 })
            return try await kitchen.steps.create(Self.step(text, at: position, of: recipe))
        }
    }

    /// Moves a step to another position. The steps between the two positions close the gap.
    ///
    /// - Parameters:
    ///   - position: the position of the step, from 1.
    ///   - target: its new position, from 1.
    ///   - recipe: the recipe.
    /// - Throws: `StepPositionError` if the recipe has no such position.
    public func moveStep(
        from position: Int, to target: Int, of recipe: Recipe.ID
    ) async throws {
        try await kitchen.transaction { kitchen in
            var steps = try await kitchen.recipes.steps(of: recipe)
            for place in [position, target] where !(1...max(1, steps.count)).contains(place) {
                throw StepPositionError(position: place, count: steps.count)
            }
            guard !steps.isEmpty else { throw StepPositionError(position: position, count: 0) }
            steps.insert(steps.remove(at: position - 1), at: target - 1)
            for place in steps.indices { steps[place].position = place + 1 }
            // The positions are exchanged: the store checks the unique index when the call ends.
            try await kitchen.steps.saveAll(steps)
        }
    }

    /// Removes a step. The steps behind it move forward by one.
    ///
    /// - Throws: `recordNotFound`.
    public func removeStep(_ id: Step.ID) async throws {
        try await kitchen.transaction { kitchen in
            let step = try await kitchen.steps.read(id)
            try await kitchen.steps.delete(id)
            try await kitchen.steps.updateAll(
                where: { $0.recipeID == step.recipeID && $0.position > step.position },
                set: { $0.position -= 1 })
        }
    }

    /// A new step without its id, which the store gives.
    static func step(_ text: String, at position: Int, of recipe: Recipe.ID) -> RecordDraft<Step> {
        var draft = RecordDraft<Step>()
        draft.recipeID = recipe
        draft.position = position
        draft.text = text
        return draft
    }
}

/// A position that the steps of a recipe do not have.
public struct StepPositionError: Error, Equatable, CustomStringConvertible {
    /// The position that was asked for.
    public let position: Int
    /// The number of steps of the recipe.
    public let count: Int

    /// Creates an error.
    public init(position: Int, count: Int) {
        self.position = position
        self.count = count
    }

    /// A sentence for users.
    public var description: String { "The recipe has \(count) steps, and no position \(position)." }
}
