internal import Foundation

/// A run of the program `store-worker`.
///
/// Its calls block: they are made on threads of their own. Descriptors are closed in children that are started meanwhile, so
/// that the end of the output is the end of this child.
package final class ChildProcess {
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private var unread: [UInt8] = []
    private var isOver = false
    /// No child is started between the making of a pipe and its marking.
    private static let starting = NSLock()

    /// Starts the program.
    package init(_ arguments: [String]) throws {
        Self.starting.lock()
        defer { Self.starting.unlock() }
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("store-worker").path
        let (stdinRead, stdinWrite) = try Self.makePipe()
        let (stdoutRead, stdoutWrite) = try Self.makePipe()
        defer {
            close(stdinRead)
            close(stdoutWrite)
        }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, stdinRead, 0)
        posix_spawn_file_actions_adddup2(&actions, stdoutWrite, 1)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        let code = posix_spawn(&child, program, &actions, nil, &words, environ)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
        (process, input, output) = (child, stdinWrite, stdoutRead)
    }

    deinit {
        end()
        close(input)
        close(output)
    }

    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Lets the program begin.
    package func go() { _ = write(input, "go\n", 3) }

    /// The next line of its output; nil at the end.
    package func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            unread += buffer[..<count]
        }
    }

    /// Kills it, as the loss of power would, unless it is over, and waits until it is.
    package func end() {
        if isOver { return }
        isOver = true
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}

extension ChildProcess {
    /// Starts programs that write until they are killed, and kills them.
    ///
    /// How much they do before is a number of lines, not a time: a busy machine makes the same programs slower.
    ///
    /// - Parameters:
    ///   - arguments: those of each program.
    ///   - limits: how many lines each says before they are killed.
    ///   - delay: the microseconds between the last of these lines and the kill.
    /// - Returns: the lines of each, what it said before the kill included.
    package static func killed(
        _ arguments: [[String]], after limits: [Int], delay: UInt32
    ) async throws -> [[String]] {
        try await onOwnThread {
            let children = try arguments.map { try ChildProcess($0) }
            for child in children { child.go() }
            var lines = children.map { _ in [String]() }
            for (index, child) in children.enumerated() {
                while lines[index].count < limits[index], let line = child.line() {
                    lines[index].append(line)
                }
            }
            usleep(delay)
            for child in children { child.end() }
            for (index, child) in children.enumerated() {
                while let line = child.line() { lines[index].append(line) }
            }
            return lines
        }
    }
}

/// Runs a body that blocks on a thread of its own.
package func onOwnThread<R: Sendable>(
    _ body: @escaping @Sendable () throws -> R
) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
