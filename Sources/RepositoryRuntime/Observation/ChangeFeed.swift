/// The registration of one observation with the store's ``StoreChanges``.
///
/// From its creation until its last reference is released, every commit that the interest covers is
/// added to `mailbox`.
final class ChangeFeed: Sendable {
    let mailbox: ChangeMailbox
    private let changes: StoreChanges
    /// The key of the registration in ``StoreChanges``.
    private let number: Int

    /// Registers the observation. Commits before this call are not delivered.
    ///
    /// - Throws: `storeClosed`.
    init(_ changes: StoreChanges, _ interest: ChangeInterest) throws {
        let mailbox = ChangeMailbox(interest)
        self.mailbox = mailbox
        self.changes = changes
        number = try changes.add(untilClosed: { mailbox.finish() }) { mailbox.put($0) }
    }

    deinit { changes.remove(number) }
}

/// The registration of one observation with the ``ExternalWatcher`` of a store, which polls for
/// writes by other processes.
///
/// The observation is deregistered when the last reference is released.
final class ExternalWatchRegistration: Sendable {
    private let changes: StoreChanges

    /// Registers the observation. The first registration starts the polling.
    ///
    /// - Throws: the error of the store's `externalState()`.
    init(_ store: any EntityStore) async throws {
        // Read before the first result, so that every later write by another process changes it.
        let state = try await store.externalState()
        changes = store.changes
        changes.watcher.join(store, since: state)
    }

    deinit { changes.watcher.leave() }
}
