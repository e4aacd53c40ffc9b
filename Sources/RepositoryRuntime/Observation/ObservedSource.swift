/// Reads the elements of one observation. Each observation has a source of its own, which keeps the
/// previous element.
protocol ObservedSource<Element>: AnyObject {
    /// The element of the observation.
    associatedtype Element: Sendable
    /// The context of the observed repository.
    var context: RepositoryContext { get }
    /// The changes that may change the element.
    var interest: ChangeInterest { get }

    /// Reads the element after some changes; nil if it equals the previous element.
    ///
    /// - Parameters:
    ///   - changes: the changes committed since the previous call; an unspecified change in the
    /// first call.
    ///   - mailbox: gathers the changes that are committed during the call.
    func next(after changes: GatheredChanges, _ mailbox: ChangeMailbox) async throws -> Element?
}

extension RepositoryContext {
    /// Calls a closure with a snapshot of the store, or with the store itself if it has no
    /// snapshots.
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
