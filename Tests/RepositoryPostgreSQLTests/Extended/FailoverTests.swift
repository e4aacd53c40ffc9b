#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Synchronization
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    @Suite(
        "PostgreSQL: failover", .serialized,
        .enabled(if: TestServer.isAvailable && !ServerPair.isElsewhere, TestServer.reason))
    struct FailoverTests {
        private static let rounds =
            ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1" ? 20 : 1

        /// What writers have done.
        private struct Numbers {
            var acknowledged: Set<Note.ID> = []
            var unknown = 0
            var refused = 0
            /// The writers that have gone on since the promotion, with the time that it took.
            var resumed: [Int: Duration] = [:]
        }

        /// 16 writers go on by themselves when the primary was killed and the standby promoted. No
        /// record that was acknowledged is missing, and with `exactlyOnce` no outcome is unknown
        /// and no change is made twice.
        @Test(.timeLimit(.minutes(60)), arguments: [false, true])
        func acknowledgedRecordsOutliveTheServer(exactlyOnce: Bool) async throws {
            for round in 1...Self.rounds {
                let pair = try await ServerPair()
                let store = PostgreSQLStore(
                    pair.address, connectTimeout: .seconds(2), exactlyOnce: exactlyOnce)
                let library = Conformance.plain(store)
                try await library.open()
                // An update that was made twice, or made and told as failed, is a conflict.
                var tickets: [Ticket] = []
                for writer in 0..<16 {
                    tickets.append(try await library.tickets.create(Ticket(title: "\(writer)")))
                }
                let first = tickets
                let numbers = Mutex(Numbers())
                let promoted = Mutex<ContinuousClock.Instant?>(nil)
                let isOver = Mutex(false)
                let writers = (0..<16).map { writer in
                    Task { @Sendable in
                        var number = 0
                        var ticket = first[writer]
                        while !isOver.withLock({ $0 }) {
                            let id = Note.ID("\(writer)-\(number)")
                            await Self.write(Note(id: id, text: "\(number)"), library, numbers)
                            if exactlyOnce { ticket = await Self.update(ticket, library, numbers) }
                            let resumed = promoted.withLock { $0?.duration(to: .now) }
                            numbers.withLock {
                                $0.acknowledged.insert(id)
                                if let resumed, $0.resumed[writer] == nil {
                                    $0.resumed[writer] = resumed
                                }
                            }
                            number += 1
                        }
                        return ticket
                    }
                }
                while numbers.withLock({ $0.acknowledged.count }) < 500 {
                    try await Task.sleep(for: .milliseconds(1))
                }
                #expect(try await pair.tell("kill") == "killed")
                let before = numbers.withLock { $0.acknowledged.count }
                #expect(try await pair.tell("promote") == "promoted")
                promoted.withLock { $0 = .now }
                while numbers.withLock({ $0.resumed.count < 16 }) {
                    try await Task.sleep(for: .milliseconds(1))
                }
                isOver.withLock { $0 = true }
                var updated: [Ticket] = []
                for writer in writers { updated.append(await writer.value) }
                let end = numbers.withLock { $0 }
                let stored = Set(try await library.notes.ids())
                let missing = end.acknowledged.subtracting(stored)
                #expect(missing.isEmpty)
                for ticket in updated {
                    let stored = try await library.tickets.read(ticket.id)
                    #expect(stored.revision == ticket.revision)
                }
                if exactlyOnce {
                    #expect(end.unknown == 0)
                    #expect(updated.map(\.revision).reduce(0, +) > before)
                }
                #expect(end.acknowledged.count > before)
                let slowest = end.resumed.values.max() ?? .zero
                // Beside other tests, a machine takes as long as it takes.
                #expect(slowest < .seconds(Self.rounds > 1 ? 5 : 120))
                print(
                    """
                    PostgreSQL: failover \(round)\(exactlyOnce ? ", exactly once" : ""): \(before) records acknowledged before, \
                    \(end.acknowledged.count - before) after, \(missing.count) lost; \
                    \(end.unknown) outcomes unknown, \(end.refused) attempts refused; all 16 writers \
                    went on after \(slowest)
                    """)
                try await store.close()
                try await pair.stop()
            }
        }

        /// Updates a record until that is acknowledged. Its outcome is never unknown.
        private static func update(
            _ ticket: Ticket, _ library: Conformance, _ numbers: borrowing Mutex<Numbers>
        ) async -> Ticket {
            while true {
                do {
                    return try await library.tickets.update(ticket)
                } catch let error as CRUDRepositoryError where error.isRetryable {
                    numbers.withLock { $0.refused += 1 }
                } catch {
                    Issue.record("\(error)")
                    return ticket
                }
            }
        }

        /// Writes a record until it is acknowledged, or found after an attempt whose outcome is not
        /// known.
        private static func write(
            _ note: Note, _ library: Conformance, _ numbers: borrowing Mutex<Numbers>
        ) async {
            var isUnknown = false
            while true {
                do {
                    try await library.notes.create(note)
                    return
                } catch let error as CRUDRepositoryError {
                    if isUnknown, error.code == .recordAlreadyExists { return }
                    isUnknown = isUnknown || error.code == .outcomeUnknown
                    numbers.withLock {
                        if error.code == .outcomeUnknown {
                            $0.unknown += 1
                        } else {
                            $0.refused += 1
                        }
                    }
                    #expect(error.code == .outcomeUnknown || error.isRetryable, "\(error)")
                } catch {
                    Issue.record("\(error)")
                    return
                }
            }
        }
    }
#endif
