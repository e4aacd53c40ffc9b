internal import Synchronization

/// What was committed to a store in one step.
public struct StoreChange: Sendable, Hashable {
    /// The records of one table that were inserted, changed or deleted.
    public enum Records: Sendable, Hashable {
        /// Those with these ids, in their text form, and no others.
        case ids(Set<String>)
        /// Some; nobody knows which.
        case unknown

        /// Those with these ids, each given once. A set of texts cannot hold two that differ in their Unicode form only,
        /// which are two ids: then nobody knows which.
        public init(_ ids: some Collection<String>) {
            let texts = Set(ids)
            self = texts.count == ids.count ? .ids(texts) : .unknown
        }
    }

    /// By the name of the table, what was changed; nil where any table may have been changed.
    public var tables: [String: Records]?

    /// Makes a change; `nil` stands for anything.
    public init(_ tables: [String: Records]?) {
        self.tables = tables
    }

    /// Anything may have been changed.
    public static var anything: Self { Self(nil) }
}

/// Who observes a store. Each store has one, and tells it of every commit while somebody observes.
public final class StoreChanges: Sendable {
    private struct State {
        var next = 0
        var observers: [Int: @Sendable (StoreChange) -> Void] = [:]
    }

    private let state = Mutex(State())
    private let count = Atomic(0)
    /// Asks the store what other processes write.
    let watcher = ExternalWatcher()

    /// How those who observe learn of what other processes write: each 0.25 s, unless it is set. A pause that has begun
    /// is not cut short.
    public var externalWatch: ExternalWatch {
        get { watcher.watch }
        set { watcher.watch = newValue }
    }

    /// Makes one without observers.
    public init() {}

    /// Whether anybody observes: where nobody does a store need not gather what it changes. A store asks when a write
    /// begins; what it then does not know is `unknown`.
    public var areObserved: Bool { count.load(ordering: .acquiring) > 0 }

    /// Tells everybody of a commit, after it has happened; in the order of commits.
    ///
    /// A snapshot that is begun later sees the commit; and where a store can, none that is begun earlier does.
    public func send(_ change: StoreChange) {
        guard areObserved else { return }
        for observer in state.withLock({ Array($0.observers.values) }) { observer(change) }
    }

    /// Calls a body after each commit, on whatever thread, until the number returned is given to ``remove(_:)``. The
    /// body must be quick.
    public func add(_ observer: @escaping @Sendable (StoreChange) -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.observers[state.next] = observer
            count.store(state.observers.count, ordering: .releasing)
            return state.next
        }
    }

    /// Ends what ``add(_:)`` began.
    public func remove(_ number: Int) {
        state.withLock { state in
            state.observers[number] = nil
            count.store(state.observers.count, ordering: .releasing)
        }
    }
}
