/// The name, description and source location of a behaviour, as reported by a failure.
struct BehaviourDescription: Sendable {
    let id: String
    let sentence: String
    let fileID: String
    let line: Int

    /// The part of the name before the dot.
    var area: String { String(id.prefix { $0 != "." }) }

    /// Runs the check of the behaviour and converts its errors.
    ///
    /// - Parameter store: the name of the store, for the failure.
    /// - Throws: ``BehaviourFailure`` for every error of the check.
    func run(on store: String, _ check: () async throws -> Void) async throws {
        do {
            try await check()
        } catch let failure as ExpectationFailure {
            throw failure.failure(of: id, sentence, store: store)
        } catch {
            throw BehaviourFailure(
                behaviour: id, sentence: sentence, store: store,
                message: "A call threw an unexpected error.", expected: nil, actual: "\(error)",
                fileID: fileID, line: line)
        }
    }
}
