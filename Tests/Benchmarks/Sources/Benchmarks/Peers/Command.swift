import Dispatch
import Foundation

/// A program that a workload starts.
struct Command {
    let program: String
    let arguments: [String]

    /// A program that did not succeed, with what it printed.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A program by its path, or by its name in `PATH`.
    init(_ program: String, _ arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }

    /// Runs it to its end; returns how long that took.
    @discardableResult
    func run() throws -> Duration {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let output = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        let printed = try FileHandle(forWritingTo: output)
        process.standardOutput = printed
        process.standardError = printed
        // Foundation's own waiting looks every 50 ms.
        let end = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in end.signal() }
        let time = try timed {
            try process.run()
            end.wait()
        }
        guard process.terminationStatus == 0 else {
            throw Failure(
                description: """
                    \(program) ended with \(process.terminationStatus):
                    \(try String(contentsOf: output, encoding: .utf8))
                    """)
        }
        return time
    }
}
