internal import RepositoryRuntime

/// Reads the elements of an observation one at a time.
///
/// A faulty store may never send the change that a behaviour waits for. The behaviour then fails
/// after ``ObservationTimeout/duration`` instead of waiting forever. For a correct store, the
/// timing does not matter.
actor ObservationReader<Element: Sendable, Failure: Error> {
    private var iterator: ObservedResults<Element, Failure>.AsyncIterator?

    init(_ results: ObservedResults<Element, Failure>) {
        iterator = results.makeAsyncIterator()
    }

    /// Returns the next element; nil if the observation has ended.
    func nextOrEnd(fileID: String = #fileID, line: Int = #line) async throws -> Element? {
        try await withThrowingTaskGroup(of: Element?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.pull() }
            group.addTask {
                try await Task.sleep(for: ObservationTimeout.duration)
                throw ExpectationFailure(
                    message: "No result arrived in time.", fileID: fileID, line: line)
            }
            return try await group.next() ?? nil
        }
    }

    /// Returns the next element. Fails if the observation has ended.
    func next(fileID: String = #fileID, line: Int = #line) async throws -> Element {
        guard let element = try await nextOrEnd(fileID: fileID, line: line) else {
            throw ExpectationFailure(
                message: "The observation has ended.", fileID: fileID, line: line)
        }
        return element
    }

    /// Reads until an element satisfies a condition. Returns all elements read, including that one.
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

    /// Ends the observation.
    func stop() { iterator = nil }

    private func pull() async throws -> Element? {
        // Copies of an iterator share the observation.
        guard var iterator else { return nil }
        return try await iterator.next()
    }
}

/// The time that the suite waits for an element before a behaviour fails.
enum ObservationTimeout {
    /// The duration. Tests of faulty stores reduce it.
    @TaskLocal static var duration = Duration.seconds(600)
}

extension StoreTrial {
    /// Creates a reader of an observation. Polling for external changes is disabled in effect, so
    /// that only the changes sent by the store itself count.
    func reader<Element: Sendable, Failure: Error>(
        _ results: ObservedResults<Element, Failure>
    ) -> ObservationReader<Element, Failure> {
        store.changes.externalWatch = ExternalWatch(every: .seconds(86_400))
        return ObservationReader(results)
    }

    /// The same repositories over a store wrapper that counts reads.
    func counted() -> (counter: ReadCounter, repositories: Conformance) {
        let counter = ReadCounter(store)
        let context = RepositoryContext(
            store: counter, schema: repositories.context.schema, defaults: defaults,
            fullScans: .allow)
        return (counter, Conformance(context: context))
    }
}
