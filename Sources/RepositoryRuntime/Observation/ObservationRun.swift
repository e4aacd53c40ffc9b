/// The state of one iteration over ``ObservedResults``.
///
/// It registers with the store when the first element is requested, then waits for changes and
/// reads only while an element is requested. It ends when the iterating task is cancelled or a read
/// throws.
///
/// It is an actor so that reading and comparing do not run on the caller's actor, which may be the
/// main actor.
actor ObservationRun<Element: Sendable> {
    private let makeSource: @Sendable () -> any ObservedSource<Element>
    /// The source, which keeps the previous element; nil before the first element and after the
    /// end.
    private var source: (any ObservedSource<Element>)?
    /// The registration for changes of this process; nil before the first element and after the
    /// end.
    private var feed: ChangeFeed?
    /// The registration for writes of other processes, if the store supports it.
    private var externalRegistration: ExternalWatchRegistration?
    private var isOver = false

    init(_ makeSource: @escaping @Sendable () -> any ObservedSource<Element>) {
        self.makeSource = makeSource
    }

    /// Returns the next element that differs from the previous one; nil after the task was
    /// cancelled or the store was closed.
    func next() async throws -> Element? {
        guard !isOver else { return nil }
        do {
            while !Task.isCancelled, !isClosed {
                if let element = try await step() { return element }
            }
            end()
            return nil
        } catch {
            let isClosed = isClosed
            end()
            // Stores report a cancelled read with errors of their own.
            if Task.isCancelled || isClosed { return nil }
            throw error
        }
    }

    /// Whether the store was closed after the observation began.
    private var isClosed: Bool { feed?.mailbox.isFinished ?? false }

    /// Ends the observation and releases its registrations.
    private func end() {
        isOver = true
        source = nil
        feed = nil
        externalRegistration = nil
    }

    /// Registers and reads the first element, or waits for a change and reads the next one. Returns
    /// nil if the element is unchanged.
    private func step() async throws -> Element? {
        let source = self.source ?? makeSource()
        let context = source.context
        guard TransactionScope.transaction(of: context.base.changes) == nil else {
            throw CRUDRepositoryError.unsupported(
                "observation inside a transaction", by: context.base.name)
        }
        guard let feed else {
            guard context.base.capabilities.has(.observation) else {
                throw CRUDRepositoryError.unsupported("observation", by: context.base.name)
            }
            let feed = try ChangeFeed(context.base.changes, source.interest)
            self.feed = feed
            self.source = source
            try await context.open()
            if context.base.capabilities.has(.externalObservation) {
                externalRegistration = try await ExternalWatchRegistration(context.base)
            }
            return try await read(source, after: .anything, feed.mailbox)
        }
        await feed.mailbox.wait()
        let changes = feed.mailbox.take()
        guard !changes.isEmpty else { return nil }
        return try await read(source, after: changes, feed.mailbox)
    }

    /// Reads the next element. Retries if a concurrent `reset()` of the store made the read fail.
    private func read(
        _ source: any ObservedSource<Element>, after changes: GatheredChanges,
        _ mailbox: ChangeMailbox
    ) async throws -> Element? {
        let context = source.context
        var changes = changes
        var isDisturbed = false
        while true {
            let resets = context.resets
            do {
                // Another task may have opened the store just before it was emptied.
                if isDisturbed { try await context.reopen() } else { try await context.open() }
                return try await source.next(after: changes, mailbox)
            } catch {
                isDisturbed = context.isBeingReset || context.resets != resets
                guard isDisturbed, !Task.isCancelled else { throw error }
                changes = .anything
            }
        }
    }
}
