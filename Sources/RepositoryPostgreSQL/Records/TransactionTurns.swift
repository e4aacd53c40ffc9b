#if PostgreSQL
    internal import RepositoryRuntime
    internal import Synchronization

    /// Lets the transactions of a store that have conflicted go before others, so that tasks that
    /// change the same records do not conflict again and again.
    ///
    /// Those that run again take turns. One that has conflicted often runs alone: it waits for the
    /// transactions that run, and new ones wait for it. Every wait is bounded: the body of a
    /// transaction may wait for another one that waits here. A transaction whose wait took too long
    /// begins nevertheless; it may conflict again.
    final class TransactionTurns: Sendable {
        /// What a transaction holds until it ends.
        struct Place: Sendable {
            fileprivate var hasTurn = false
            fileprivate var isAlone = false
            fileprivate var isCounted = false
        }

        /// The number of the attempt from which on a transaction runs alone.
        private static let aloneAttempt = 5
        /// The time that a transaction which is to run alone waits for those that run. New ones wait
        /// meanwhile, so that a long transaction must not hold them up.
        private let limitOfOthers: Duration

        /// Transactions that run again.
        private let repeated: WriterLine
        /// The transaction that runs alone, and those that wait for it.
        private let alone: WriterLine
        /// The number of transactions that do not run alone, including those that wait for a
        /// connection.
        private let running = Atomic(0)

        /// Creates the turns of a store.
        ///
        /// - Parameter times: how many times as long as usual each wait may take.
        init(times: Int = 1) {
            limitOfOthers = .seconds(1 * times)
            repeated = WriterLine(limit: .seconds(5 * times))
            alone = WriterLine(limit: .seconds(2 * times))
        }

        /// Whether a transaction runs alone, or waits to.
        var isOneAlone: Bool { !alone.isFree }

        /// Waits until a transaction can begin. The caller must call ``end(_:)`` afterwards.
        ///
        /// - Parameter attempt: the number of times that its body has run, and this one.
        func begin(attempt: Int) async -> Place {
            var place = Place()
            if attempt > 1 { place.hasTurn = await Self.take(repeated) }
            if attempt >= Self.aloneAttempt, await Self.take(alone) {
                place.isAlone = true
                await waitForOthers()
                return place
            }
            if isOneAlone, await Self.take(alone) { alone.leave() }
            place.isCounted = true
            running.add(1, ordering: .relaxed)
            return place
        }

        /// Lets the next transactions begin.
        func end(_ place: Place) {
            if place.isCounted { running.subtract(1, ordering: .relaxed) }
            if place.isAlone { alone.leave() }
            if place.hasTurn { repeated.leave() }
        }

        /// - Returns: false if the wait took too long, or the task was cancelled.
        private static func take(_ line: WriterLine) async -> Bool {
            do { try await line.take() } catch { return false }
            return true
        }

        private func waitForOthers() async {
            let clock = ContinuousClock()
            let end = clock.now + limitOfOthers
            while running.load(ordering: .relaxed) > 0, clock.now < end {
                // Cancellation is noticed when the transaction begins.
                do { try await clock.sleep(for: .milliseconds(2)) } catch { return }
            }
        }
    }
#endif
