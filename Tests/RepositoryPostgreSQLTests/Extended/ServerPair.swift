#if PostgreSQL
    import Foundation
    import Testing

    /// A server and its synchronous standby, which end with the object, at the latest with the process.
    final class ServerPair: Sendable {
        /// Whether the tests use a server that may be on another machine, without the programs
        /// here: not one that `.ci/with-postgresql` has started.
        static let isElsewhere = {
            let variables = ProcessInfo.processInfo.environment
            return !(variables["REPOSITORY_POSTGRESQL"] ?? "").isEmpty
                && variables["REPOSITORY_POSTGRESQL_STARTED"] != "1"
        }()
        /// The address of both, of which clients find the one that writes.
        let address: String
        private let process: Process
        private let input: FileHandle
        private let output: FileHandle

        /// Starts both.
        ///
        /// - Throws: `TestServer.NoServer` where no server can be had.
        init() async throws {
            let script = URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent()
                .deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: ".ci/postgresql-pair")
            let process = Process()
            process.executableURL = script
            let (input, output, errors) = (Pipe(), Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            self.process = process
            self.input = input.fileHandleForWriting
            self.output = output.fileHandleForReading
            let line = await Self.line(output.fileHandleForReading)
            let ports = line.split(separator: " ")
            guard ports.count == 2 else {
                let reason = String(
                    decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                throw TestServer.NoServer(reason: reason)
            }
            address =
                "postgresql://repository@127.0.0.1:\(ports[0]),127.0.0.1:\(ports[1])/postgres?target_session_attrs=read-write"
        }

        /// Lets the script do something, and waits for its end.
        func tell(_ command: String) async throws -> String {
            try input.write(contentsOf: Data("\(command)\n".utf8))
            return await Self.line(output)
        }

        /// Stops both servers.
        func stop() async throws {
            try input.close()
            await withCheckedContinuation { continuation in
                let process = self.process
                Thread {
                    process.waitUntilExit()
                    continuation.resume()
                }.start()
            }
        }

        /// Reads a line on a thread that may block.
        private static func line(_ file: FileHandle) async -> String {
            await withCheckedContinuation { continuation in
                Thread {
                    var bytes: [UInt8] = []
                    while let byte = try? file.read(upToCount: 1)?.first, byte != 0x0A {
                        bytes.append(byte)
                    }
                    continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
                }.start()
            }
        }
    }
#endif
