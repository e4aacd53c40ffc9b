#if PostgreSQL
    internal import CPostgreSQL
    internal import Foundation
    internal import RepositoryRuntime
    internal import Synchronization

    /// Waits for the sockets of a store's connections on one thread, so that no task blocks a thread
    /// of the cooperative pool.
    ///
    /// A socket is watched for one event at a time. The watch ends with the event (`EPOLLONESHOT`),
    /// so that a wait costs one system call of the task and one wake-up of the thread.
    ///
    /// Waits that are limited count the ticks of one clock of the thread, so that a statement needs
    /// no timer of its own. The clock stands still while nothing waits.
    final class SocketReactor: Sendable {
        /// What a task waits for.
        enum Event: Sendable {
            case readable, readableOrWritable
        }

        /// A task that waits.
        private struct Waiting {
            /// Returns whether the time is over.
            let task: CheckedContinuation<Bool, Never>
            let socket: Int32
            let event: Event
            /// The time until the next event.
            let limit: AnswerLimit?
            /// Reads what has arrived, and returns whether it was enough; `nil` if the wait ends
            /// with the first event.
            let receive: (@Sendable () -> Bool)?
            /// The tick at which the time is over; the greatest number if it is not limited.
            var end = UInt64.max
        }

        /// What is called for a socket that is watched all the time.
        private struct Watcher {
            let receive: @Sendable () -> Void
            /// Is called for each tick, and returns whether an answer is expected.
            let tick: (@Sendable () -> Bool)?
        }

        /// The waiting tasks by socket. The thread holds only this part, so that it ends when the
        /// reactor is released.
        private final class Core: Sendable {
            struct State {
                var waiting: [Int32: Waiting] = [:]
                /// What is called for each event of the sockets that are watched all the time.
                var watched: [Int32: Watcher] = [:]
                /// The number of ticks of the clock.
                var tick: UInt64 = 0
                /// The sockets that the queue knows.
                var known: Set<Int32> = []
                var isStopped = false
            }
            let state = Mutex(State())
            /// Passes what was read on the thread to the tasks.
            let handover = ResultHandover()
            let queue: Int32
            /// Wakes the thread when the reactor stops.
            let wake: Int32
            /// The clock, and the time between two ticks.
            let clock: Int32
            let period: Duration
            /// Whether the clock runs. It is changed under the lock, or by the thread.
            let isTicking = Atomic(false)

            init(period: Duration) throws(PostgreSQLError) {
                self.period = period
                #if os(Linux)
                    clock = timerfd_create(
                        CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
                    queue = epoll_create1(Int32(EPOLL_CLOEXEC))
                    wake = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
                    var event = epoll_event()
                    event.events = EPOLLIN.rawValue
                    event.data.fd = wake
                    var tick = epoll_event()
                    tick.events = EPOLLIN.rawValue
                    tick.data.fd = clock
                    guard queue >= 0, wake >= 0, clock >= 0,
                        epoll_ctl(queue, EPOLL_CTL_ADD, wake, &event) == 0,
                        epoll_ctl(queue, EPOLL_CTL_ADD, clock, &tick) == 0
                    else {
                        throw PostgreSQLError(client: "no file descriptor is left to wait with")
                    }
                #else
                    queue = kqueue()
                    (wake, clock) = (0, 0)
                    guard queue >= 0 else {
                        throw PostgreSQLError(client: "no file descriptor is left to wait with")
                    }
                    var event = kevent()
                    event.ident = 1
                    event.filter = Int16(EVFILT_USER)
                    event.flags = UInt16(EV_ADD | EV_CLEAR)
                    kevent(queue, &event, 1, nil, 0, nil)
                #endif
            }

            deinit {
                if queue >= 0 { Foundation.close(queue) }
                #if os(Linux)
                    if wake >= 0 { Foundation.close(wake) }
                    if clock >= 0 { Foundation.close(clock) }
                #endif
            }

            /// Asks for one event of a socket. The caller holds the lock.
            func arm(_ socket: Int32, _ event: Event, _ isKnown: Bool) -> Bool {
                #if os(Linux)
                    var wanted = epoll_event()
                    wanted.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
                    if event == .readableOrWritable { wanted.events |= EPOLLOUT.rawValue }
                    wanted.data.fd = socket
                    return epoll_ctl(
                        queue, isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &wanted)
                        == 0
                #else
                    var wanted = [kevent()]
                    wanted[0].ident = UInt(socket)
                    wanted[0].filter = Int16(EVFILT_READ)
                    wanted[0].flags = UInt16(EV_ADD | EV_ONESHOT)
                    if event == .readableOrWritable {
                        var write = wanted[0]
                        write.filter = Int16(EVFILT_WRITE)
                        wanted.append(write)
                    }
                    return kevent(queue, &wanted, Int32(wanted.count), nil, 0, nil) >= 0
                #endif
            }

            /// Begins a wait, or continues one whose event was not enough.
            ///
            /// - Returns: whether it waits. If not, the reactor has stopped.
            func begin(_ waiting: Waiting) -> Bool {
                state.withLock { state in
                    let socket = waiting.socket
                    guard !state.isStopped,
                        // The event may come before the lock is released: the thread takes the lock.
                        arm(socket, waiting.event, state.known.contains(socket))
                    else { return false }
                    state.known.insert(socket)
                    state.waiting[socket] = waiting
                    if let limit = waiting.limit {
                        state.waiting[socket]?.end = state.tick + limit.ticks
                        startClock()
                    }
                    return true
                }
            }

            /// Asks for all events of a socket, or changes what is asked for. The caller holds the
            /// lock.
            func watch(
                _ socket: Int32, reading: Bool = true, writing: Bool, _ isKnown: Bool
            ) -> Bool {
                #if os(Linux)
                    var wanted = epoll_event()
                    if reading { wanted.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue }
                    if writing { wanted.events |= EPOLLOUT.rawValue }
                    wanted.data.fd = socket
                    return epoll_ctl(
                        queue, isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &wanted)
                        == 0
                #else
                    var wanted = [kevent()]
                    wanted[0].ident = UInt(socket)
                    wanted[0].filter = Int16(EVFILT_READ)
                    wanted[0].flags = UInt16(EV_ADD | (reading ? EV_ENABLE : EV_DISABLE))
                    var write = wanted[0]
                    write.filter = Int16(EVFILT_WRITE)
                    write.flags = UInt16(EV_ADD | (writing ? EV_ENABLE : EV_DISABLE))
                    wanted.append(write)
                    return kevent(queue, &wanted, Int32(wanted.count), nil, 0, nil) >= 0
                #endif
            }

            /// Lets the clock run. The caller holds the lock.
            func startClock() {
                if !isTicking.exchange(true, ordering: .relaxed) { setClock(running: true) }
            }

            private func setClock(running: Bool) {
                #if os(Linux)
                    let parts = period.components
                    var time = itimerspec()
                    if running {
                        time.it_interval.tv_sec = Int(parts.seconds)
                        time.it_interval.tv_nsec = Int(parts.attoseconds / 1_000_000_000)
                        time.it_value = time.it_interval
                    }
                    timerfd_settime(clock, 0, &time, nil)
                #else
                    var event = kevent()
                    event.ident = 1
                    event.filter = Int16(EVFILT_TIMER)
                    event.flags = UInt16(running ? EV_ADD : EV_DELETE)
                    event.data = Int(max(1, period.milliseconds))
                    kevent(queue, &event, 1, nil, 0, nil)
                #endif
            }

            /// Ends the waits whose time is over, and stops the clock if nobody waits.
            ///
            /// What begins to wait while the watchers are asked sees that the clock does not run,
            /// and starts it.
            private func tick() {
                #if os(Linux)
                    // After a pause of the process, the ticks that were missed count as one: what
                    // has arrived meanwhile is read first.
                    var count: UInt64 = 0
                    guard Foundation.read(clock, &count, 8) == 8 else { return }
                #endif
                isTicking.store(false, ordering: .relaxed)
                let (late, watchers) = state.withLock { state in
                    state.tick += 1
                    let late = state.waiting.filter { $0.value.end <= state.tick }
                    for socket in late.keys { state.waiting[socket] = nil }
                    return (late.values.map(\.task), state.watched.values.compactMap(\.tick))
                }
                handover.pass()
                for task in late { task.resume(returning: true) }
                var isNeeded = false
                for watcher in watchers where watcher() { isNeeded = true }
                state.withLock { state in
                    isNeeded = isNeeded || state.waiting.values.contains { $0.end != .max }
                    if isNeeded {
                        isTicking.store(true, ordering: .relaxed)
                    } else if !isTicking.load(ordering: .relaxed) {
                        setClock(running: false)
                    }
                }
            }

            /// Resumes the tasks whose sockets have events, until the reactor stops.
            func run() {
                #if os(Linux)
                    var events = [epoll_event](repeating: epoll_event(), count: 64)
                #else
                    var events = [kevent](repeating: kevent(), count: 64)
                #endif
                while true {
                    #if os(Linux)
                        let count = epoll_wait(queue, &events, Int32(events.count), -1)
                    #else
                        let count = kevent(queue, nil, 0, &events, Int32(events.count), nil)
                    #endif
                    if count < 0, errno == EINTR { continue }
                    let (ready, watchers, hasTicked, isStopped) = state.withLock { state in
                        var ready: [Waiting] = []
                        var watchers: [Watcher] = []
                        var hasTicked = false
                        for event in events.prefix(Int(max(0, count))) {
                            #if os(Linux)
                                let socket = event.data.fd
                                let isTick = socket == clock
                            #else
                                let socket = Int32(truncatingIfNeeded: event.ident)
                                let isTick = event.filter == Int16(EVFILT_TIMER)
                            #endif
                            if isTick {
                                hasTicked = true
                            } else if let task = state.waiting.removeValue(forKey: socket) {
                                ready.append(task)
                            } else if let watcher = state.watched[socket] {
                                watchers.append(watcher)
                            }
                        }
                        // A queue that fails cannot wait for anything any more.
                        if count < 0 || state.isStopped {
                            state.isStopped = true
                            ready += state.waiting.values
                            state.waiting = [:]
                            watchers += state.watched.values
                            state.watched = [:]
                        }
                        return (ready, watchers, hasTicked, state.isStopped)
                    }
                    for waiting in ready {
                        let isEnough = waiting.receive?() ?? true
                        if isEnough || !begin(waiting) {
                            handover.pass()
                            waiting.task.resume(returning: false)
                        }
                    }
                    for watcher in watchers { watcher.receive() }
                    if isStopped { return }
                    if hasTicked { tick() }
                }
            }

            func stop() {
                state.withLock { $0.isStopped = true }
                #if os(Linux)
                    var one: UInt64 = 1
                    _ = Foundation.write(wake, &one, 8)
                #else
                    var event = kevent()
                    event.ident = 1
                    event.filter = Int16(EVFILT_USER)
                    event.fflags = UInt32(NOTE_TRIGGER)
                    kevent(queue, &event, 1, nil, 0, nil)
                #endif
            }
        }

        private let core: Core

        /// Starts the thread.
        ///
        /// - Parameter period: the time between two ticks of the clock.
        /// - Throws: an error if the process has no file descriptor left.
        init(period: Duration) throws(PostgreSQLError) {
            let core = try Core(period: period)
            self.core = core
            let thread = Thread { core.run() }
            thread.name = "PostgreSQL"
            thread.start()
        }

        deinit { core.stop() }

        /// Waits for an event of a socket. Returns at once if the reactor has stopped; the caller
        /// then finds the connection broken.
        ///
        /// - Parameters:
        ///   - limit: the time until the next event.
        ///   - receive: is called on the thread for each event, so that a long answer resumes the
        ///     task once. It reads what has arrived, and returns whether it was enough. It is called
        ///     once if the reactor has stopped.
        /// - Returns: whether the time was over before the event.
        func wait(
            _ socket: Int32, _ event: Event, _ limit: AnswerLimit? = nil,
            receive: (@Sendable () -> Bool)? = nil
        ) async -> Bool {
            defer { core.handover.pass() }
            return await withCheckedContinuation { continuation in
                let waiting = Waiting(
                    task: continuation, socket: socket, event: event, limit: limit,
                    receive: receive)
                if core.begin(waiting) { return }
                _ = receive?()
                continuation.resume(returning: false)
            }
        }

        /// Lets the clock run for an answer that a watched socket expects.
        func startClock() {
            if core.isTicking.load(ordering: .relaxed) { return }
            core.state.withLock { _ in core.startClock() }
        }

        /// Calls a function on the thread whenever a socket is readable, until it is forgotten. It
        /// may be called once too often.
        ///
        /// - Parameter tick: is called for each tick of the clock, and returns whether an answer is
        ///   expected.
        /// - Returns: whether it will be called.
        func watch(
            _ socket: Int32, _ body: @escaping @Sendable () -> Void,
            tick: (@Sendable () -> Bool)? = nil
        ) -> Bool {
            core.state.withLock { state in
                // A stopped reactor has called all functions, and calls none again.
                guard !state.isStopped,
                    core.watch(socket, writing: false, state.known.contains(socket))
                else { return false }
                state.watched[socket] = Watcher(receive: body, tick: tick)
                state.known.insert(socket)
                return true
            }
        }

        /// Sets whether the function is called when the socket is readable, and when it is writable.
        /// It is always called when the connection has failed.
        func watch(_ socket: Int32, reading: Bool, writing: Bool) {
            core.state.withLock { state in
                guard state.watched[socket] != nil else { return }
                _ = core.watch(socket, reading: reading, writing: writing, true)
            }
        }

        /// Forgets a socket that is about to be closed.
        func forget(_ socket: Int32) {
            core.state.withLock { state in
                state.watched[socket] = nil
                // Closing a socket removes it from a `kqueue`.
                guard state.known.remove(socket) != nil else { return }
                #if os(Linux)
                    _ = epoll_ctl(core.queue, EPOLL_CTL_DEL, socket, nil)
                #endif
            }
        }
    }
#endif
