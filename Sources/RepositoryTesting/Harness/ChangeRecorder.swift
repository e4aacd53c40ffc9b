internal import RepositoryRuntime
internal import Synchronization

/// Records the changes that a store sends to its observers.
final class ChangeRecorder: Sendable {
    /// The recorded changes. They are a separate object, so that the registration does not retain
    /// the recorder.
    private final class Sent: Sendable {
        let changes = Mutex<[StoreChange]>([])
    }

    private let sent: Sent
    private let source: StoreChanges
    private let number: Int

    /// Starts recording.
    init(_ source: StoreChanges) {
        let sent = Sent()
        self.sent = sent
        self.source = source
        number = source.add { change in sent.changes.withLock { $0.append(change) } }
    }

    deinit { source.remove(number) }

    /// The number of changes sent so far.
    var count: Int { sent.changes.withLock { $0.count } }
}
