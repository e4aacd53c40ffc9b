#if PostgreSQL
    import Foundation
    import Synchronization

    /// A proxy between a client and a server on loopback that cuts every connection after a number of
    /// bytes.
    ///
    /// The conformance to `Sendable` is valid because all of its state is atomic or constant.
    final class CuttingProxy: Sendable {
        /// Where the bytes are counted.
        enum Direction: Sendable, CaseIterable {
            case toServer, toClient
        }

        /// The port of the proxy.
        let port: UInt16
        private let listener: Int32
        private let server: UInt16
        private let direction: Direction
        /// How much still passes.
        private enum Rest {
            case everything, bytes(Int), messages(Int)
        }
        private let rest: Mutex<Rest>

        /// Starts a proxy.
        ///
        /// - Parameters:
        ///   - server: the port of the server.
        ///   - count: the number of bytes that pass in the direction, of all connections together;
        ///     negative for all.
        init(to server: UInt16, _ direction: Direction, after count: Int) throws {
            self.server = server
            self.direction = direction
            rest = Mutex(count < 0 ? .everything : .bytes(count))
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
        func heal() { rest.withLock { $0 = .everything } }

        /// Cuts the connections after a number of further bytes.
        func cut(afterBytes count: Int) { rest.withLock { $0 = .bytes(count) } }

        /// Cuts the connections after a number of further messages of the protocol. The connections
        /// must not be encrypted.
        func cut(afterMessages count: Int) { rest.withLock { $0 = .messages(count) } }

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
            Thread {
                self.copy(from: client, to: server, pair, counted: self.direction == .toServer)
            }
            .start()
            Thread {
                self.copy(from: server, to: client, pair, counted: self.direction == .toClient)
            }
            .start()
        }

        /// The two sockets of a connection, which are closed when both directions have ended.
        private final class Pair: Sendable {
            private let sockets: (Int32, Int32)
            private let ends = Mutex(0)

            init(_ client: Int32, _ server: Int32) { sockets = (client, server) }

            /// Ends both directions.
            func end() {
                shutdown(sockets.0, Int32(SHUT_RDWR))
                shutdown(sockets.1, Int32(SHUT_RDWR))
                let isLast = ends.withLock { ends in
                    ends += 1
                    return ends == 2
                }
                if isLast {
                    close(sockets.0)
                    close(sockets.1)
                }
            }
        }

        private func copy(from source: Int32, to target: Int32, _ pair: Pair, counted: Bool) {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            var frames = Frames(isClient: direction == .toServer)
            while true {
                let count = recv(source, &buffer, buffer.count, 0)
                guard count > 0 else { return pair.end() }
                let allowed = counted ? take(buffer[..<count], &frames) : count
                var sent = 0
                while sent < allowed {
                    let part = buffer[sent..<allowed].withUnsafeBytes {
                        send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard part > 0 else { return pair.end() }
                    sent += part
                }
                if allowed < count { return pair.end() }
            }
        }

        /// Returns how many of some bytes pass.
        private func take(_ bytes: ArraySlice<UInt8>, _ frames: inout Frames) -> Int {
            // The first byte of each message that begins in the bytes.
            let ends = frames.starts(in: bytes)
            return rest.withLock { rest in
                switch rest {
                case .everything: return bytes.count
                case .bytes(let count):
                    rest = .bytes(count - min(count, bytes.count))
                    return min(count, bytes.count)
                case .messages(let count):
                    rest = .messages(max(0, count - ends.count))
                    return ends.count > count ? ends[count] : bytes.count
                }
            }
        }

        /// Finds the messages in the bytes of one direction.
        private struct Frames {
            /// Whether the first message, which has no type, is still to come.
            private var isFirst: Bool
            private var header: [UInt8] = []
            /// The number of bytes of the message that are still to come.
            private var rest = 0

            init(isClient: Bool) { isFirst = isClient }

            /// Returns where messages begin.
            mutating func starts(in bytes: ArraySlice<UInt8>) -> [Int] {
                var starts: [Int] = []
                var place = bytes.startIndex
                while place < bytes.endIndex {
                    if rest > 0 {
                        let part = min(rest, bytes.endIndex - place)
                        rest -= part
                        place += part
                        continue
                    }
                    if header.isEmpty { starts.append(place - bytes.startIndex) }
                    header.append(bytes[place])
                    place += 1
                    let length = isFirst ? 4 : 5
                    if header.count == length {
                        let size = header.suffix(4).reduce(0) { $0 << 8 | Int($1) }
                        rest = max(0, size - 4)
                        header = []
                        isFirst = false
                    }
                }
                return starts
            }
        }
    }
#endif
