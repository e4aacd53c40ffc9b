internal import Foundation
internal import Synchronization

/// How a repository treats queries that read every record of a table because no declared index
/// serves them.
///
/// The query plan decides whether a query is such a full scan, not the number of records, which may
/// be small during development. Only queries with a condition, and sorted queries with a limit, are
/// considered. Requests for all records, such as `fetch()`, are not.
public struct FullScanPolicy: Sendable {
    /// The policy as a value, which ``RepositoryContext/admit(_:_:)`` interprets.
    enum Answer: Sendable {
        case refuse
        case allow
        case log(@Sendable (String) -> Void)
        /// To the instrument of the store, or to standard error if it has none.
        case report
    }

    let answer: Answer

    /// The query throws `fullScanRefused`. The message names the index to declare.
    public static let refuse = Self(answer: .refuse)

    /// The query runs.
    public static let allow = Self(answer: .allow)

    /// The query runs. The first query of each kind is reported to the ``StoreInstrument`` of the
    /// store, or writes a message to standard error if the store has none.
    public static let log = Self(answer: .report)

    /// Writes a message to standard error.
    static func print(_ line: String) {
        // Asynchronous: a write to standard error blocks while its pipe is full.
        logging.async { FileHandle.standardError.write(Data((line + "\n").utf8)) }
    }

    /// The query runs. The first query of each kind passes a message to the closure.
    public static func log(_ body: @escaping @Sendable (String) -> Void) -> Self {
        Self(answer: .log(body))
    }

    /// ``refuse`` in a test process, ``log`` otherwise.
    ///
    /// A process runs tests if its executable is a test bundle (`….xctest`), `xctest`,
    /// `swiftpm-testing-helper` or `swiftpm-xctest-helper`, or if the name of an environment
    /// variable begins with `XCTest`.
    public static let automatic: Self = isRunningTests ? .refuse : .log

    /// The queue on which messages are written to standard error.
    private static let logging = DispatchQueue(label: "FullScanPolicy.log", qos: .utility)

    /// Whether the process looks like a test process, by its executable and environment.
    private static var isRunningTests: Bool {
        let process = ProcessInfo.processInfo
        let program = process.arguments.first?.split(separator: "/").last ?? ""
        let runners = ["xctest", "swiftpm-testing-helper", "swiftpm-xctest-helper"]
        return program.hasSuffix(".xctest") || runners.contains(String(program))
            || process.environment.keys.contains { $0.hasPrefix("XCTest") }
    }
}

extension CRUDRepositoryError.Code {
    /// A query would read every record of a table, and the policy of the repositories forbids it.
    public static let fullScanRefused = Self(rawValue: "fullScanRefused")
}

/// The messages that were logged already. A repository context has one instance.
final class LoggedScans: Sendable {
    /// The maximum number of different messages.
    private static let most = 1000
    private let lines = Mutex<Set<String>>([])

    /// Whether a message has not been logged yet. Messages beyond the maximum are not logged, so
    /// that memory is bounded.
    func isNew(_ line: String) -> Bool {
        lines.withLock { lines in
            lines.count < Self.most && lines.insert(line).inserted
        }
    }
}
