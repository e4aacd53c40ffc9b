internal import Foundation

/// The description of the process that holds a lock.
///
/// A process writes it into the file of a lock after it has taken the lock. A process that waits
/// until its time limit quotes it in the error message. The description has no effect on the lock
/// itself, and remains after the lock has been released.
enum LockHolder {
    /// The bytes that this process writes. The length is the same for all processes, so that
    /// nothing of an earlier description remains.
    static let bytes = padded(text)

    /// The bytes that this process writes during a migration.
    static let migratingBytes = padded(text.prefix(width - 1 - migration.count) + migration)

    /// The end of the description of a process that migrates the data.
    private static let migration = ", migrating the data"

    private static func padded(_ text: String) -> [UInt8] {
        let text = Array(text.utf8.prefix(width - 1))
        return text + Array(repeating: UInt8(ascii: " "), count: width - 1 - text.count) + [0x0A]
    }

    /// Whether a description is that of a process that migrates the data.
    static func isMigrating(_ holder: String?) -> Bool { holder?.hasSuffix(migration) ?? false }

    /// The length in bytes, including the final line feed.
    private static let width = 200

    /// The description of this process: process number, program and host.
    private static let text: String = {
        var name = [CChar](repeating: 0, count: 256)
        // If the name of the host is unknown, the process number alone identifies the process.
        let isNamed = gethostname(&name, name.count - 1) == 0
        let bytes = name.prefix { isNamed && $0 != 0 }.map { UInt8(bitPattern: $0) }
        let host = String(decoding: bytes, as: UTF8.self)
        let program = printable(ProcessInfo.processInfo.processName, 64)
        let place = host.isEmpty ? "" : " on '\(printable(host, 64))'"
        return "process \(getpid()) ('\(program)'\(place))"
    }()

    /// Returns the description of the process that took a lock last; nil if the contents of the
    /// file are not a valid description.
    static func text(_ data: Data?) -> String? {
        guard let data, data.count == width else { return nil }
        let text = String(decoding: data.prefix(width), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.starts(with: "process ".utf8), text == printable(text, width) else {
            return nil
        }
        return text == Self.text ? "this program, \(text)" : text
    }

    /// Returns the printable ASCII characters of a string, up to a limit. Other characters could
    /// disguise an error message.
    private static func printable(_ text: String, _ limit: Int) -> String {
        String(
            decoding: text.utf8.filter { (0x20..<0x7F).contains($0) }.prefix(limit), as: UTF8.self)
    }
}
