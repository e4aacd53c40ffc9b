import Foundation

/// The built program, running beside the test.
final class StartedProgram {
    /// What was waited for did not come.
    struct Silence: Error {
        let printed: String
    }

    private let process = Process()
    private let log: URL
    private var taken = 0

    /// Starts it in a folder.
    init(_ arguments: [String], in folder: URL) throws {
        log = URL(filePath: folder.path + "-cache").appending(path: "\(UUID().uuidString).log")
        try FileManager.default.createDirectory(
            at: log.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        process.executableURL = CommandLineTests.program
        process.currentDirectoryURL = folder
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["XDG_CACHE_HOME": folder.path + "-cache"]) { $1 }
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try output.close()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Everything printed so far.
    var printed: String {
        get throws { try String(contentsOf: log, encoding: .utf8) }
    }

    /// Waits for a line that holds a text, after those that were waited for before.
    @discardableResult
    func line(holding text: String) async throws -> String {
        for _ in 0..<Self.patience {
            let lines = try printed.split(separator: "\n", omittingEmptySubsequences: false)
            // What stands after the last newline is not written to its end.
            for (index, line) in lines.dropLast().enumerated().dropFirst(taken)
            where line.contains(text) {
                taken = index + 1
                return String(line)
            }
            guard process.isRunning else { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Silence(printed: try printed)
    }

    /// Sends a signal.
    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for the end; the status, or the signal below zero.
    func end() async throws -> Int32 {
        for _ in 0..<Self.patience {
            if !process.isRunning {
                let status = process.terminationStatus
                return process.terminationReason == .exit ? status : -status
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Silence(printed: try printed)
    }

    /// Two minutes: a machine may be busy with other things.
    private static let patience = 6_000
}
