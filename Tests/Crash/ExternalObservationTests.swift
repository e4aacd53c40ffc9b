import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting
import Testing

@Suite("Another process writes while this one observes")
struct ExternalObservationTests {
    private static let count = 40

    /// The stores that notice what other processes write.
    private static let stores = DurableStore.allCases.filter { kind in
        kind.make(at: "/nowhere").capabilities.has(.externalObservation)
    }

    @Test(
        "Its transactions are seen whole, none twice, and the last state in the end",
        arguments: stores)
    func results(_ kind: DurableStore) async throws {
        let last = try await follow(kind, { $0.notes.observe() }) { _, notes in notes }
        #expect(last.count == 2 + Self.count)
    }

    @Test(
        "Its transactions are seen as changes that lead from each state to the next",
        arguments: stores)
    func changes(_ kind: DurableStore) async throws {
        let last = try await follow(kind, { $0.notes.changes() }) { old, next in
            let new = next.items
            let expected: [QueryChange<Note>] =
                old.indices.compactMap { index in
                    old[index] == new[index] ? nil : .update(new[index], at: index)
                } + (old.count..<new.count).map { .insert(new[$0], at: $0) }
            #expect(next.changes == expected)
            return new
        }
        #expect(last.count == 2 + Self.count)
    }

    /// Observes while a child writes, until its last transaction is seen.
    ///
    /// - Parameter notes: the notes of a result, checked against those of the one before.
    /// - Returns: the notes of the last result.
    private func follow<Element>(
        _ kind: DurableStore,
        _ observe:
            @escaping @Sendable (Conformance) -> ObservedResults<
                Element, CRUDRepositoryError
            >,
        notes: @escaping @Sendable ([Note], Element) -> [Note]
    ) async throws -> [Note] {
        let place = try CrashPlace(kind)
        let store = kind.make(at: place.text)
        store.changes.externalWatch = ExternalWatch(every: .milliseconds(5))
        let library = Conformance.ledger(store)
        try await library.notes.createAll(["a", "b"].map { Note(id: $0, text: "0") })
        let (started, starting) = AsyncStream.makeStream(of: Void.self)
        async let line = {
            for await _ in started { break }
            return try await onOwnThread { [text = place.text] in
                let child = try ChildProcess(["pairs", kind.rawValue, text, "\(Self.count)"])
                child.go()
                return child.line() ?? "died"
            }
        }()
        let (last, states) = try await atMost(.seconds(3_600)) {
            defer { starting.finish() }
            var old: [Note] = []
            var states = 0
            for try await element in observe(library) {
                let new = notes(old, element)
                #expect(new != old, "A state is given twice.")
                #expect(new.count >= 2 && new[0].text == new[1].text, "A half is seen.")
                #expect(new.first?.text == "\(new.count - 2)", "A half is seen.")
                (old, states) = (new, states + 1)
                starting.yield()
                if new.count == 2 + Self.count { break }
            }
            return (old, states)
        }
        #expect(try await line == "\(Self.count)")
        print("\(kind.rawValue): \(states) states of \(Self.count) transactions are seen")
        return last
    }
}

/// What did not come.
private struct NothingCame: Error {}

/// Waits for a body, so long at most: one that is right is never measured.
private func atMost<R: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> R
) async throws -> R {
    try await withThrowingTaskGroup(of: R?.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            return nil
        }
        guard let result = try await group.next() ?? nil else { throw NothingCame() }
        return result
    }
}
