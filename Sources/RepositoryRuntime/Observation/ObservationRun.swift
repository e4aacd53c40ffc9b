/// One reader's observation: registers when the first element is asked for, reads when one is asked for and something has
/// changed, and is over with its task.
///
/// It is an actor so that reading and comparing are done off the reader's, which may be the main actor.
actor ObservationRun<Element: Sendable> {
    private let makeSource: @Sendable () -> any ObservedSource<Element>
    private var source: (any ObservedSource<Element>)?
    private var feed: ChangeFeed?
    private var watching: ExternalWatching?
    private var isOver = false

    init(_ makeSource: @escaping @Sendable () -> any ObservedSource<Element>) {
        self.makeSource = makeSource
    }

    /// The next element that differs from the one before; nil when the task is cancelled, and ever after.
    func next() async throws -> Element? {
        guard !isOver else { return nil }
        do {
            while !Task.isCancelled {
                if let element = try await step() { return element }
            }
            end()
            return nil
        } catch {
            end()
            // A store reports a cancelled read in its own way.
            if Task.isCancelled { return nil }
            throw error
        }
    }

    private func end() {
        isOver = true
        source = nil
        feed = nil
        watching = nil
    }

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
            let feed = ChangeFeed(context.base.changes, source.interest)
            self.feed = feed
            self.source = source
            try await context.open()
            if context.base.capabilities.has(.externalObservation) {
                watching = try await ExternalWatching(context.base)
            }
            return try await read(source, after: .anything, feed.mailbox)
        }
        await feed.mailbox.wait()
        let changes = feed.mailbox.take()
        guard !changes.isEmpty else { return nil }
        return try await read(source, after: changes, feed.mailbox)
    }

    /// Reads, and reads again where the store was emptied meanwhile and had nothing to read from.
    private func read(
        _ source: any ObservedSource<Element>, after changes: GatheredChanges,
        _ mailbox: ChangeMailbox
    ) async throws -> Element? {
        var changes = changes
        while true {
            let resets = source.context.resets
            try await source.context.open()
            do {
                return try await source.next(after: changes, mailbox)
            } catch {
                guard source.context.resets != resets, !Task.isCancelled else { throw error }
                changes = .anything
            }
        }
    }
}
