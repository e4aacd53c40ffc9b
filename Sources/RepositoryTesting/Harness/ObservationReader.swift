internal import RepositoryRuntime

/// Reads an observation one result at a time, when it is asked to.
///
/// A store that is wrong may never send the change that a behaviour waits for: then the behaviour fails instead of
/// waiting for ever. A store that is right is never measured against time.
actor ObservationReader<Element: Sendable, Failure: Error> {
    private var iterator: ObservedResults<Element, Failure>.AsyncIterator?

    init(_ results: ObservedResults<Element, Failure>) {
        iterator = results.makeAsyncIterator()
    }

    /// The next result; nil when the observation is over.
    func nextOrEnd(fileID: String = #fileID, line: Int = #line) async throws -> Element? {
        try await withThrowingTaskGroup(of: Element?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.pull() }
            group.addTask {
                try await Task.sleep(for: ObservationPatience.duration)
                throw ExpectationFailure(
                    message: "No result comes.", fileID: fileID, line: line)
            }
            return try await group.next() ?? nil
        }
    }

    /// The next result.
    func next(fileID: String = #fileID, line: Int = #line) async throws -> Element {
        guard let element = try await nextOrEnd(fileID: fileID, line: line) else {
            throw ExpectationFailure(
                message: "The observation has ended.", fileID: fileID, line: line)
        }
        return element
    }

    /// Reads until a result is as a condition says; returns all that came, that one included.
    func next(
        fileID: String = #fileID, line: Int = #line,
        until isLast: @Sendable (Element) -> Bool
    ) async throws -> [Element] {
        var elements: [Element] = []
        while true {
            let element = try await next(fileID: fileID, line: line)
            elements.append(element)
            if isLast(element) { return elements }
        }
    }

    /// Gives the observation up.
    func stop() { iterator = nil }

    private func pull() async throws -> Element? {
        // An iterator shares its observation with its copies.
        guard var iterator else { return nil }
        return try await iterator.next()
    }
}

/// How long the suite waits for a result that does not come.
enum ObservationPatience {
    @TaskLocal static var duration = Duration.seconds(600)
}

extension StoreTrial {
    /// Reads an observation. Changes count that the store sends, not those that it finds when it is asked for them.
    func reader<Element: Sendable, Failure: Error>(
        _ results: ObservedResults<Element, Failure>
    ) -> ObservationReader<Element, Failure> {
        store.changes.externalWatch = ExternalWatch(every: .seconds(86_400))
        return ObservationReader(results)
    }

    /// The same repositories over a store that counts how often it is looked into.
    func counted() -> (counter: LookCounter, repositories: Conformance) {
        let counter = LookCounter(store)
        let context = RepositoryContext(
            store: counter, schema: repositories.context.schema, defaults: defaults,
            fullScans: .allow)
        return (counter, Conformance(context: context))
    }
}
