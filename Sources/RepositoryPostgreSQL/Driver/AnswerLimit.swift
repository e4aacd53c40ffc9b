#if PostgreSQL
    /// How long a connection waits for the next byte from the server before it is given up.
    struct AnswerLimit: Sendable {
        /// The time that errors report.
        let time: Duration
        /// The number of ticks of the reactor's clock within which at least that time passes.
        let ticks: UInt64

        /// - Parameter period: the time between two ticks.
        init(_ time: Duration, period: Duration) {
            self.time = time
            // The first tick may come at once.
            ticks = UInt64(max(1, (time / period).rounded(.up))) + 1
        }

        /// Returns the time between two ticks: short enough for the shortest limit, and long enough
        /// not to be noticed.
        static func period(of limit: Duration) -> Duration {
            min(max(limit / 8, .milliseconds(10)), .seconds(1))
        }
    }
#endif
