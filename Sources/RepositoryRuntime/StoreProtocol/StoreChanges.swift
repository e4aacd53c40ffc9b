internal import Synchronization

/// The changes of one commit.
public struct StoreChange: Sendable, Hashable {
    /// The inserted, changed and deleted records of a table.
    public enum Records: Sendable, Hashable {
        /// The records with these ids, in their string form.
        case ids(Set<String>)
        /// An unknown set of records.
        case unknown

        /// Creates the set of records with distinct ids. The result is `unknown` if ids differ only
        /// in Unicode form, because a set of strings cannot distinguish them.
        public init(_ ids: some Collection<String>) {
            let texts = Set(ids)
            self = texts.count == ids.count ? .ids(texts) : .unknown
        }
    }

    /// The changed records by the name of the table; nil if any table may have changed.
    public var tables: [String: Records]?

    /// Creates a change. `nil` means that any table may have changed.
    public init(_ tables: [String: Records]?) {
        self.tables = tables
    }

    /// An unspecified change: any record of any table may have changed.
    public static var anything: Self { Self(nil) }
}

/// The observers of a store. Each store has one instance, and notifies it of every commit while
/// there are observers.
public final class StoreChanges: Sendable {
    /// The observers by the number of their registration.
    private struct State {
        var next = 0
        var observers: [Int: @Sendable (StoreChange) -> Void] = [:]
        /// Called when the store is closed, by the number of the registration.
        var endings: [Int: @Sendable () -> Void] = [:]
        var isFinished = false
    }

    /// The registered observers. They are called outside the mutex.
    private let state = Mutex(State())
    /// The number of observers, which stores read without taking the mutex.
    private let count = Atomic(0)
    /// Polls the store for writes by other processes.
    let watcher = ExternalWatcher()

    /// How often the store is polled for writes by other processes. The default is every 0.25
    /// seconds. A new value takes effect after the current pause.
    public var externalWatch: ExternalWatch {
        get { watcher.watch }
        set { watcher.watch = newValue }
    }

    /// Creates an instance without observers.
    public init() {}

    /// Whether there are observers. If there are none, a store does not need to collect its
    /// changes.
    ///
    /// A store reads the property when a write begins. Changes that it did not collect are sent as
    /// `unknown`.
    public var hasObservers: Bool { count.load(ordering: .acquiring) > 0 }

    /// Notifies the observers of a commit. Call it after the commit, in the order of the commits.
    ///
    /// A snapshot that begins afterwards must contain the commit. If possible, a snapshot that
    /// began before must not.
    public func send(_ change: StoreChange) {
        guard hasObservers else { return }
        for observer in state.withLock({ Array($0.observers.values) }) { observer(change) }
    }

    /// Adds an observer, which is called after each commit, on any thread. It must return quickly.
    ///
    /// - Returns: the number of the registration, for ``remove(_:)``.
    public func add(_ observer: @escaping @Sendable (StoreChange) -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.observers[state.next] = observer
            count.store(state.observers.count, ordering: .releasing)
            return state.next
        }
    }

    /// Removes the observer with a registration number.
    public func remove(_ number: Int) {
        state.withLock { state in
            state.observers[number] = nil
            state.endings[number] = nil
            count.store(state.observers.count, ordering: .releasing)
        }
    }

    /// Ends the sequences of all observers. A store calls it when it is closed.
    public func finish() {
        watcher.finish()
        let endings = state.withLock { state in
            state.isFinished = true
            defer { state.endings = [:] }
            return Array(state.endings.values)
        }
        for end in endings { end() }
    }

    /// Adds an observer that is notified when the store is closed, too.
    ///
    /// - Parameters:
    ///   - end: called once, on any thread, when the store is closed.
    ///   - observer: called after each commit, on any thread.
    /// - Returns: the number of the registration.
    /// - Throws: `storeClosed`.
    func add(
        untilClosed end: @escaping @Sendable () -> Void,
        _ observer: @escaping @Sendable (StoreChange) -> Void
    ) throws(CRUDRepositoryError) -> Int {
        let number = add(observer)
        let isFinished = state.withLock { state in
            if !state.isFinished { state.endings[number] = end }
            return state.isFinished
        }
        guard isFinished else { return number }
        remove(number)
        throw .storeClosed
    }
}
