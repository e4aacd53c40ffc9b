import Foundation

/// The tables of the documentation that this program writes.
///
/// A table stands between a line `<!-- make bench RECORD=1 ONLY=word -->`, which names the command that writes it, and a line
/// `<!-- end -->`. It has the lines whose names hold the word, in the order of the program; those that were not run now
/// stay as they were recorded. Without `ONLY=word`, as in the README, it keeps to the lines that it has: a choice.
struct RecordedTables {
    /// The folder of the package.
    let package: String

    private static let begin = "<!-- make bench RECORD=1"
    private static let only = " ONLY="
    private static let end = "<!-- end -->"

    /// Writes results into all tables that have lines for them.
    ///
    /// - Parameter names: those of all workloads.
    func record(_ results: [Result], among names: [String]) throws {
        let fresh = Dictionary(
            results.map { ($0.workload, $0.line) }, uniquingKeysWith: { $1 })
        for page in try pages() {
            let text = try String(contentsOf: page, encoding: .utf8)
            let written = Self.rewritten(text, fresh, names)
            guard written != text else { continue }
            try written.write(to: page, atomically: true, encoding: .utf8)
            print("recorded in \(page.path)")
        }
    }

    /// The README and the pages of all modules.
    private func pages() throws -> [URL] {
        let root = URL(fileURLWithPath: package)
        let sources = root.appendingPathComponent("Sources")
        let pages = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
            .filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted()
            .map { sources.appendingPathComponent($0) }
        return [root.appendingPathComponent("README.md")] + pages
    }

    private static func rewritten(
        _ text: String, _ fresh: [String: String], _ names: [String]
    ) -> String {
        var lines: [Substring] = []
        var rest = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = rest.popFirst() {
            lines.append(line)
            guard line.hasPrefix(begin), let end = rest.firstIndex(of: Substring(end)) else {
                continue
            }
            let asked = line.dropFirst(begin.count).dropLast(" -->".count)
            let chosen =
                asked.hasPrefix(only)
                ? names.filter { isRun($0, by: asked.dropFirst(only.count)) }
                : names.filter { name in rest[..<end].contains { isRow($0, of: name) } }
            let table = table(rest[..<end], fresh, chosen)
            lines += table.split(separator: "\n")
            rest = rest[end...]
        }
        return lines.joined(separator: "\n")
    }

    /// Whether a workload is one of those that a word runs: those of very many records are only asked for as such.
    private static func isRun(_ name: String, by word: Substring) -> Bool {
        name.contains(word) && name.hasPrefix("scale") == word.hasPrefix("scale")
    }

    private static func isRow(_ line: Substring, of name: String) -> Bool {
        line.hasPrefix("| \(name) |")
    }

    private static func table(
        _ old: ArraySlice<Substring>, _ fresh: [String: String], _ names: [String]
    ) -> String {
        let rows = names.compactMap { name in
            fresh[name] ?? old.first { isRow($0, of: name) }.map(String.init)
        }
        return ([Result.head] + rows).joined(separator: "\n")
    }
}
