extension StoreBehaviour {
    /// What became of one behaviour of many.
    package typealias CheckedBehaviour = (
        behaviour: StoreBehaviour, result: Result<BehaviourOutcome, any Error>
    )

    /// Checks behaviours, some at a time.
    ///
    /// A test framework starts all cases of a test at once and keeps a note of each; thousands of
    /// cases that run in a few minutes are fewer and quicker as one.
    ///
    /// - Parameters:
    ///   - behaviours: the behaviours.
    ///   - count: how many run at a time.
    ///   - check: checks one.
    /// - Returns: the results, in the order of their ends.
    package static func checkAll(
        _ behaviours: [StoreBehaviour], atATime count: Int = 6,
        _ check: @escaping @Sendable (StoreBehaviour) async throws -> BehaviourOutcome
    ) async -> [CheckedBehaviour] {
        await withTaskGroup(of: CheckedBehaviour.self) { group in
            var waiting = behaviours[...]
            func start(_ group: inout TaskGroup<CheckedBehaviour>) {
                guard let behaviour = waiting.popFirst() else { return }
                group.addTask {
                    do {
                        return (behaviour, .success(try await check(behaviour)))
                    } catch {
                        return (behaviour, .failure(error))
                    }
                }
            }
            for _ in 0..<count { start(&group) }
            var results: [CheckedBehaviour] = []
            for await checked in group {
                results.append(checked)
                start(&group)
            }
            return results
        }
    }
}
