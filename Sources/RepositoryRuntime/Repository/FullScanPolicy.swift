internal import Foundation
internal import Synchronization

/// What becomes of a query that would read every record of a table, because no declared index serves it.
///
/// It is decided by the plan, never by how many records there are, which grows where nobody looks. It concerns queries
/// with a condition, and sorted ones with a limit. What asks for everything, such as `fetch()`, is no such query.
public struct FullScanPolicy: Sendable {
    enum Answer: Sendable {
        case refuse
        case allow
        case log(@Sendable (String) -> Void)
    }

    let answer: Answer

    /// It throws `fullScanRefused`, with a message that names the index to declare.
    public static let refuse = Self(answer: .refuse)

    /// It is answered.
    public static let allow = Self(answer: .allow)

    /// It is answered, and a line on standard error says so once for each kind of query.
    public static let log = Self.log { line in
        // Whoever reads standard error may let it fill up.
        logging.async { FileHandle.standardError.write(Data((line + "\n").utf8)) }
    }

    /// It is answered, and a body is given a line once for each kind of query.
    public static func log(_ body: @escaping @Sendable (String) -> Void) -> Self {
        Self(answer: .log(body))
    }

    /// ``refuse`` where the process runs tests, ``log`` otherwise.
    ///
    /// Tests are run by a process whose program is a bundle of tests (`….xctest`) or one of `xctest`,
    /// `swiftpm-testing-helper` and `swiftpm-xctest-helper`, or in whose environment a variable begins with `XCTest`.
    public static let automatic: Self = isRunningTests ? .refuse : .log

    private static let logging = DispatchQueue(label: "FullScanPolicy.log", qos: .utility)

    private static var isRunningTests: Bool {
        let process = ProcessInfo.processInfo
        let program = process.arguments.first?.split(separator: "/").last ?? ""
        let runners = ["xctest", "swiftpm-testing-helper", "swiftpm-xctest-helper"]
        return program.hasSuffix(".xctest") || runners.contains(String(program))
            || process.environment.keys.contains { $0.hasPrefix("XCTest") }
    }
}

extension CRUDRepositoryError.Code {
    /// A query would read every record of a table, which the set of repositories does not allow.
    public static let fullScanRefused = Self(rawValue: "fullScanRefused")
}

/// The kinds of queries that were logged already.
final class LoggedScans: Sendable {
    private static let most = 1000
    private let lines = Mutex<Set<String>>([])

    /// Whether a line is new. What comes after very many is not kept.
    func isNew(_ line: String) -> Bool {
        lines.withLock { lines in
            lines.count < Self.most && lines.insert(line).inserted
        }
    }
}
