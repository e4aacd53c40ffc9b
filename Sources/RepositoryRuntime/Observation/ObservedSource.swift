/// What an observation gives: how it is read first, and what becomes of it after a change. It belongs to one observation.
protocol ObservedSource<Element>: AnyObject {
    /// What is given.
    associatedtype Element: Sendable
    /// What the repository shares with the others of its set.
    var context: RepositoryContext { get }
    /// The changes that may change what is given.
    var interest: ChangeInterest { get }

    /// What is to be given after some changes; nil where that is what was given before.
    ///
    /// - Parameters:
    ///   - changes: what was committed since the last call; anything, for the first.
    ///   - mailbox: where what is committed meanwhile is gathered.
    func next(after changes: GatheredChanges, _ mailbox: ChangeMailbox) async throws -> Element?
}

extension RepositoryContext {
    /// Gives a body the store in one state, where it has such, and otherwise as it is at each call.
    func withSnapshot<R>(_ body: (any EntityStore) async throws -> R) async throws -> R {
        guard base.capabilities.has(.snapshots) else { return try await body(base) }
        let snapshot = try await base.snapshot()
        do {
            let result = try await body(snapshot)
            await snapshot.rollBack()
            return result
        } catch {
            await snapshot.rollBack()
            throw error
        }
    }
}
