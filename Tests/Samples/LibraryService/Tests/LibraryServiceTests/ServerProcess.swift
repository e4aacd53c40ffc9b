import Foundation
import Synchronization

/// The program of this package in a process of its own.
final class ServerProcess: Sendable {
    private let process: Mutex<Process>
    /// The port that it listens on.
    let port: Int

    /// The program lies beside the tests that were built with it.
    static let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "library-service")

    /// Starts the program and waits until it listens.
    init(database: URL) async throws {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = Self.program
        process.environment = ProcessInfo.processInfo.environment
            .merging(["DATABASE": database.path, "PORT": "0", "LOG_LEVEL": "error"]) { $1 }
        process.standardOutput = pipe
        try process.run()
        let words = "listening on port "
        var printed = ""
        while !printed.contains("\n") {
            let data = pipe.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            printed += String(decoding: data, as: UTF8.self)
        }
        guard printed.hasPrefix(words),
            let port = Int(printed.dropFirst(words.count).prefix { $0.isNumber })
        else { throw URLError(.cannotConnectToHost) }
        self.port = port
        self.process = Mutex(process)
    }

    deinit { process.withLock { if $0.isRunning { kill($0.processIdentifier, SIGKILL) } } }

    /// Sends a signal, and returns the status of the program when it has ended.
    func end(by signal: Int32) async throws -> Int32 {
        process.withLock { _ = kill($0.processIdentifier, signal) }
        for _ in 0..<3_000 {
            if let status = process.withLock({ $0.isRunning ? nil : $0.terminationStatus }) {
                return status
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw CancellationError()
    }
}
