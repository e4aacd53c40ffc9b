#if PostgreSQL
    import Foundation
    import Synchronization

    /// A proxy between a client and a server on loopback that cuts one connection after a number of
    /// bytes, so that the server may not notice it, or stops forwarding, and records the messages.
    ///
    /// The conformance to `Sendable` is valid because all of its state is atomic or constant.
    final class OnceProxy: Sendable {
        /// Where the bytes are counted.
        enum Direction: Sendable, CaseIterable {
            case toServer, toClient
        }

        /// What happens to a connection of which no more bytes pass.
        private enum Loss {
            case cut
            /// The server does not notice that the client is gone.
            case frozen
            /// Both are there, and what they send is dropped.
            case silent
        }

        /// The port of the proxy.
        let port: UInt16
        private let listener: Int32
        private let server: UInt16

        private struct State {
            var direction: Direction
            /// The number of bytes that still pass; negative for any number.
            var rest: Int
            /// Whether only one connection is cut.
            var isOnce = false
            var loss = Loss.cut
            var isRecording = false
            var recorded: [Direction: [UInt8]] = [:]
        }
        private let state: Mutex<State>
        /// The connections of which the server does not know that their clients are gone.
        private let frozen = Mutex<[Pair]>([])

        /// Starts a proxy.
        ///
        /// - Parameters:
        ///   - server: the port of the server.
        ///   - count: the number of bytes that pass in the direction, of all connections together;
        ///     negative for any number.
        init(to server: UInt16, _ direction: Direction, after count: Int) throws {
            self.server = server
            state = Mutex(State(direction: direction, rest: count))
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            self.listener = listener
            var address = Self.address(0)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, length) == 0 && listen(listener, 16) == 0
                        && getsockname(listener, $0, &length) == 0
                }
            }
            guard isBound else { throw POSIXError(.EADDRINUSE) }
            port = UInt16(bigEndian: address.sin_port)
            let proxy = self
            let thread = Thread {
                while true {
                    let client = accept(listener, nil, nil)
                    guard client >= 0 else { return }
                    proxy.serve(client)
                }
            }
            thread.start()
        }

        /// Lets all bytes pass from now on.
        func heal() { state.withLock { $0.rest = -1 } }

        /// Cuts one connection after so many bytes from now on, and no other one.
        ///
        /// - Parameter freezes: whether the server does not notice that the client is gone.
        func cutOnce(_ direction: Direction, after count: Int, freezes: Bool = false) {
            state.withLock { state in
                (state.direction, state.rest) = (direction, count)
                (state.isOnce, state.loss) = (true, freezes ? .frozen : .cut)
            }
        }

        /// Drops what one connection sends after so many bytes from now on, in both directions, and
        /// leaves it open.
        func silenceOnce(_ direction: Direction, after count: Int) {
            state.withLock { state in
                (state.direction, state.rest) = (direction, count)
                (state.isOnce, state.loss) = (true, .silent)
            }
        }

        /// Drops what all connections send, also new ones, until it is healed.
        func silence(_ direction: Direction) {
            state.withLock { state in
                (state.direction, state.rest) = (direction, 0)
                (state.isOnce, state.loss) = (false, .silent)
            }
        }

        /// Whether the connection to cut was cut.
        var hasCut: Bool { state.withLock { $0.rest < 0 } }

        /// Records the bytes of one connection, from a moment at which nothing is under way.
        func record() {
            state.withLock { state in
                state.isRecording = true
                state.recorded = [:]
            }
        }

        /// Returns the numbers of recorded bytes after which a message ends.
        func messageEnds(_ direction: Direction) -> [Int] {
            let bytes = state.withLock { $0.recorded[direction] ?? [] }
            var ends: [Int] = []
            var place = 0
            func length(at place: Int) -> Int {
                bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            }
            // A message is a letter and a length, which counts itself.
            while place + 5 <= bytes.count {
                let rest = length(at: place + 1)
                if bytes[place] == 0 {
                    // The first message of a client has no letter.
                    place += length(at: place)
                } else if rest > 1 << 24 {
                    // The server answers one of them by a letter alone.
                    place += 1
                } else {
                    place += 1 + rest
                }
                ends.append(place)
            }
            return ends
        }

        /// Lets the server notice which clients are gone, so that it gives back what they held.
        func endFrozen() {
            let pairs = frozen.withLock { pairs in
                defer { pairs = [] }
                return pairs
            }
            for pair in pairs { pair.thaw() }
        }

        /// Ends the proxy. Its connections end with their clients.
        func stop() {
            shutdown(listener, Int32(SHUT_RDWR))
            close(listener)
        }

        private static func address(_ port: UInt16) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return address
        }

        private func serve(_ client: Int32) {
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.address(self.server)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            let pair = Pair(client, server)
            guard isConnected else {
                pair.end()
                return pair.end()
            }
            Thread { self.copy(from: client, to: server, pair, .toServer) }.start()
            Thread { self.copy(from: server, to: client, pair, .toClient) }.start()
        }

        /// The two sockets of a connection, which are closed when both directions have ended.
        private final class Pair: Sendable {
            private let sockets: (Int32, Int32)
            private let ends = Mutex(0)
            private let frozen = Mutex(false)
            private let silent = Mutex(false)

            init(_ client: Int32, _ server: Int32) { sockets = (client, server) }

            /// Whether the server does not know that the client is gone.
            var isFrozen: Bool { frozen.withLock { $0 } }

            /// Whether nothing passes any more.
            var isSilent: Bool { silent.withLock { $0 } }

            /// Lets nothing pass any more.
            func silence() { silent.withLock { $0 = true } }

            /// Ends the connection to the client only.
            func freeze() {
                frozen.withLock { $0 = true }
                shutdown(sockets.0, Int32(SHUT_RDWR))
            }

            /// Ends the connection to the server, too.
            func thaw() {
                // A socket that is closed may be another one by now.
                ends.withLock { if $0 < 2 { shutdown(sockets.1, Int32(SHUT_RDWR)) } }
            }

            /// Ends both directions.
            func end() {
                ends.withLock { ends in
                    ends += 1
                    shutdown(sockets.0, Int32(SHUT_RDWR))
                    if !isFrozen { shutdown(sockets.1, Int32(SHUT_RDWR)) }
                    guard ends == 2 else { return }
                    close(sockets.0)
                    close(sockets.1)
                }
            }
        }

        private func copy(
            from source: Int32, to target: Int32, _ pair: Pair, _ direction: Direction
        ) {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = recv(source, &buffer, buffer.count, 0)
                guard count > 0 else { return pair.end() }
                // What the server says to a client that is gone is lost.
                if pair.isFrozen || pair.isSilent { continue }
                let (allowed, loss) = take(buffer[..<count], direction)
                var sent = 0
                while sent < allowed {
                    let part = buffer[sent..<allowed].withUnsafeBytes {
                        send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard part > 0 else {
                        if pair.isFrozen { break }
                        return pair.end()
                    }
                    sent += part
                }
                if allowed < count {
                    switch loss {
                    case .cut: return pair.end()
                    case .frozen:
                        pair.freeze()
                        frozen.withLock { $0.append(pair) }
                    case .silent: pair.silence()
                    }
                }
            }
        }

        /// Returns how many of some bytes pass, and what happens to the connection otherwise.
        private func take(
            _ bytes: ArraySlice<UInt8>, _ direction: Direction
        ) -> (allowed: Int, loss: Loss) {
            state.withLock { state in
                if state.isRecording { state.recorded[direction, default: []] += bytes }
                guard state.rest >= 0, state.direction == direction else {
                    return (bytes.count, .cut)
                }
                let allowed = min(state.rest, bytes.count)
                state.rest -= allowed
                if allowed < bytes.count, state.isOnce { state.rest = -1 }
                return (allowed, state.loss)
            }
        }
    }
#endif
