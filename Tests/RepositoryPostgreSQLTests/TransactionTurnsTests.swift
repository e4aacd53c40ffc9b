#if PostgreSQL
    import Testing

    @testable import RepositoryPostgreSQL

    @Suite("Turns of transactions that have conflicted")
    struct TransactionTurnsTests {
        private let clock = ContinuousClock()

        @Test("first attempts do not wait for each other, nor for those that run again")
        func parallel() async {
            let turns = TransactionTurns()
            let first = await turns.begin(attempt: 1)
            let again = await turns.begin(attempt: 2)
            let other = await turns.begin(attempt: 1)
            for place in [first, again, other] { turns.end(place) }
        }

        @Test("one that runs again waits for another one")
        func repeated() async {
            let turns = TransactionTurns(times: 600)
            let first = await turns.begin(attempt: 2)
            async let second = turns.begin(attempt: 3)
            let start = clock.now
            try? await clock.sleep(for: .milliseconds(100))
            turns.end(first)
            turns.end(await second)
            #expect(clock.now - start >= .milliseconds(100))
        }

        @Test("one that has conflicted often waits for others, and new ones wait for it")
        func alone() async throws {
            // On a busy machine the events may be minutes apart.
            let turns = TransactionTurns(times: 600)
            let events = EventLog()
            let first = await turns.begin(attempt: 1)
            async let often: Void = {
                let place = await turns.begin(attempt: 5)
                await events.add("alone")
                await events.add("over")
                turns.end(place)
            }()
            while !turns.isOneAlone { try await clock.sleep(for: .milliseconds(1)) }
            async let new: Void = {
                let place = await turns.begin(attempt: 1)
                await events.add("new")
                turns.end(place)
            }()
            await events.add("first")
            turns.end(first)
            _ = await (often, new)
            #expect(await events.all == ["first", "alone", "over", "new"])
        }

        @Test("no wait is for ever")
        func bounded() async {
            let turns = TransactionTurns()
            let first = await turns.begin(attempt: 1)
            let start = clock.now
            let often = await turns.begin(attempt: 5)
            #expect(clock.now - start >= .seconds(1))
            let new = await turns.begin(attempt: 1)
            #expect(clock.now - start >= .seconds(3))
            for place in [first, often, new] { turns.end(place) }
        }
    }

    private actor EventLog {
        private(set) var all: [String] = []

        func add(_ event: String) { all.append(event) }
    }
#endif
