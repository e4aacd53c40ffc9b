import Foundation

/// The tables of the documentation that this program writes.
///
/// A table stands between a line `<!-- make bench RECORD=1 ONLY=word -->`, which names the command that writes it, and a line
/// `<!-- end -->`. It has the lines whose names hold the word, in the order of the program; those that were not run now
/// stay as they were recorded.
struct RecordedTables {
    /// The folder of the package.
    let package: String

    private static let begin = "<!-- make bench RECORD=1 ONLY="
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

    /// The pages of all modules.
    private func pages() throws -> [URL] {
        let sources = URL(fileURLWithPath: package).appendingPathComponent("Sources")
        return try FileManager.default.subpathsOfDirectory(atPath: sources.path)
            .filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted()
            .map { sources.appendingPathComponent($0) }
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
            let word = line.dropFirst(begin.count).dropLast(" -->".count)
            let table = table(rest[..<end], fresh, names.filter { isRun($0, by: word) })
            lines += table.split(separator: "\n")
            rest = rest[end...]
        }
        return lines.joined(separator: "\n")
    }

    /// Whether a workload is one of those that a word runs: those of very many records are only asked for as such.
    private static func isRun(_ name: String, by word: Substring) -> Bool {
        name.contains(word) && name.hasPrefix("scale") == word.hasPrefix("scale")
    }

    private static func table(
        _ old: ArraySlice<Substring>, _ fresh: [String: String], _ names: [String]
    ) -> String {
        let rows = names.compactMap { name in
            fresh[name] ?? old.first { $0.hasPrefix("| \(name) |") }.map(String.init)
        }
        return ([Result.head] + rows).joined(separator: "\n")
    }
}
