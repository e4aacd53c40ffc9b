/// What a behaviour is called and where it stands: what a failure tells of it.
struct BehaviourDescription: Sendable {
    let id: String
    let sentence: String
    let fileID: String
    let line: Int

    /// What stands before the dot of the name.
    var area: String { String(id.prefix { $0 != "." }) }

    /// Runs the check of the behaviour on a store of this name.
    ///
    /// - Throws: ``BehaviourFailure``, whatever the check throws.
    func run(on store: String, _ check: () async throws -> Void) async throws {
        do {
            try await check()
        } catch let failure as ExpectationFailure {
            throw failure.failure(of: id, sentence, store: store)
        } catch {
            throw BehaviourFailure(
                behaviour: id, sentence: sentence, store: store,
                message: "A call threw that should not have.", expected: nil, actual: "\(error)",
                fileID: fileID, line: line)
        }
    }
}
