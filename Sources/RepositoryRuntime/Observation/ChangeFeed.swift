/// The registration of one observation with a store; it ends with the last reference to it.
final class ChangeFeed: Sendable {
    let mailbox: ChangeMailbox
    private let changes: StoreChanges
    private let number: Int

    /// Registers: every commit from now on is gathered.
    init(_ changes: StoreChanges, _ interest: ChangeInterest) {
        let mailbox = ChangeMailbox(interest)
        self.mailbox = mailbox
        self.changes = changes
        number = changes.add { mailbox.put($0) }
    }

    deinit { changes.remove(number) }
}

/// The part of an observation in keeping watch over what other processes write to a store; it ends with the last
/// reference to it.
final class ExternalWatching: Sendable {
    private let changes: StoreChanges

    /// Joins the watch, or starts it where nobody else observes.
    ///
    /// - Throws: what the store throws.
    init(_ store: any EntityStore) async throws {
        // Asked before the first result is read: whatever is written after that moves it on.
        let state = try await store.externalState()
        changes = store.changes
        changes.watcher.join(store, since: state)
    }

    deinit { changes.watcher.leave() }
}
