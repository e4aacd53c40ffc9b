/// A part of a page of the documentation that a test writes with `make record`, and compares in
/// every other run.
///
/// It stands between a line of its own, `begin`, and the next line `<!-- end -->`. Both lines stay,
/// and so does everything outside them.
public struct RecordedSection: Sendable {
    /// The line that ends a section.
    public static let end = "<!-- end -->"

    /// The line that begins the section: a comment of HTML.
    public let begin: String

    /// Makes a section.
    ///
    /// - Parameter begin: The line that begins it.
    public init(_ begin: String) {
        self.begin = begin
    }

    /// Why a page has no such section.
    public struct Problem: Error, CustomStringConvertible {
        /// The reason in words.
        public let description: String
    }

    /// A page with other content in the section.
    ///
    /// - Parameters:
    ///   - page: The whole page.
    ///   - content: The lines of the section; a line break at its end makes no difference.
    /// - Throws: ``Problem`` where the page does not have the section exactly once, or the content
    ///   holds the line that ends it.
    public func replaced(in page: String, with content: String) throws -> String {
        var lines = Self.lines(page)
        let begins = lines.indices.filter { lines[$0] == begin }
        guard begins.count == 1, let first = begins.first else {
            throw Problem(description: "the line '\(begin)' is there \(begins.count) times")
        }
        guard let last = lines[first...].firstIndex(of: Self.end) else {
            throw Problem(description: "no line '\(Self.end)' follows '\(begin)'")
        }
        var content = Self.lines(content)
        if content.last?.isEmpty == true { content.removeLast() }
        guard !content.contains(Self.end), !content.contains(begin) else {
            throw Problem(
                description: "the content of '\(begin)' holds a line that marks a section")
        }
        lines.replaceSubrange((first + 1)..<last, with: content)
        return lines.joined(separator: "\n")
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
