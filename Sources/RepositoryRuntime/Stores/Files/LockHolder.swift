internal import Foundation

/// What a program writes into a lock's file when it takes the lock, for the message of one that
/// waits in vain.
enum LockHolder {
    /// The bytes of this program: all programs write as many, so that nothing of an earlier text is
    /// left.
    static let bytes: [UInt8] = {
        let text = Array(Self.text.utf8.prefix(width - 1))
        return text + Array(repeating: UInt8(ascii: " "), count: width - 1 - text.count) + [0x0A]
    }()

    private static let width = 200

    private static let text: String = {
        var name = [CChar](repeating: 0, count: 256)
        // Where the host has no name, the number alone says which process it is.
        let isNamed = gethostname(&name, name.count - 1) == 0
        let bytes = name.prefix { isNamed && $0 != 0 }.map { UInt8(bitPattern: $0) }
        let host = String(decoding: bytes, as: UTF8.self)
        let program = printable(ProcessInfo.processInfo.processName, 64)
        let place = host.isEmpty ? "" : " on '\(printable(host, 64))'"
        return "process \(getpid()) ('\(program)'\(place))"
    }()

    /// The words for who took a lock last; nil where its file does not say.
    static func text(_ data: Data?) -> String? {
        guard let data, data.count == width else { return nil }
        let text = String(decoding: data.prefix(width), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.starts(with: "process ".utf8), text == printable(text, width) else {
            return nil
        }
        return text == Self.text ? "this program, \(text)" : text
    }

    /// Printable ASCII characters of a text; others, and quotation marks of its own, could disguise
    /// a message.
    private static func printable(_ text: String, _ limit: Int) -> String {
        String(
            decoding: text.utf8.filter { (0x20..<0x7F).contains($0) }.prefix(limit), as: UTF8.self)
    }
}
