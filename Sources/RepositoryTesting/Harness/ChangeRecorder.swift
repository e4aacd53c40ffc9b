internal import RepositoryRuntime
internal import Synchronization

/// Writes down what a store sends.
final class ChangeRecorder: Sendable {
    private final class Sent: Sendable {
        let changes = Mutex<[StoreChange]>([])
    }

    private let sent: Sent
    private let source: StoreChanges
    private let number: Int

    /// Writes down what is sent from now on.
    init(_ source: StoreChanges) {
        let sent = Sent()
        self.sent = sent
        self.source = source
        number = source.add { change in sent.changes.withLock { $0.append(change) } }
    }

    deinit { source.remove(number) }

    /// How many changes were sent.
    var count: Int { sent.changes.withLock { $0.count } }
}
