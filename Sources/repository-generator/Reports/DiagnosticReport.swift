internal import RepositorySchema
internal import RepositorySchemaParser

/// The diagnostics of schemas and templates, which can be printed in several formats.
struct DiagnosticReport: Sendable {
    /// The diagnostics, sorted by file and position.
    let diagnostics: [Diagnostic]
    /// The bytes of the files that diagnostics may refer to, by path.
    private let sources: [(path: String, bytes: [UInt8])]

    /// Creates a report about schemas.
    init(_ diagnostics: [Diagnostic], in sources: [SchemaSource]) {
        self.init(diagnostics, in: sources.map { ($0.displayPath, $0.bytes) })
    }

    private init(_ diagnostics: [Diagnostic], in sources: [(path: String, bytes: [UInt8])]) {
        self.diagnostics = DiagnosticText.sorted(diagnostics)
        self.sources = sources
    }

    /// Returns the report with more diagnostics and files.
    func adding(
        _ more: [Diagnostic], in files: [(path: String, bytes: [UInt8])]
    ) -> DiagnosticReport {
        DiagnosticReport(diagnostics + more, in: sources + files)
    }

    /// Whether a diagnostic prevents that output is written.
    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// The text for people; empty if there are no diagnostics.
    var text: String {
        guard !diagnostics.isEmpty else { return "" }
        let named = Set(diagnostics.flatMap { [$0.range.path] + $0.notes.map(\.range.path) })
        let texts = sources.filter { named.contains($0.path) }.map {
            ($0.path, SourceText(bytes: $0.bytes))
        }
        let renderer = DiagnosticText(
            sources: Dictionary(texts, uniquingKeysWith: { first, _ in first }))
        let noun = hasErrors ? "problem" : "warning"
        let count = diagnostics.count == 1 ? "1 \(noun)" : "\(diagnostics.count) \(noun)s"
        let end = hasErrors ? "\(count) found; nothing was written." : "\(count)."
        return renderer.render(diagnostics) + "\n" + end
    }

    /// Returns the text in a format; `nil` if there is nothing to print.
    func text(as format: DiagnosticsFormat) -> String? {
        switch format {
        case .text: diagnostics.isEmpty ? nil : text
        case .json:
            diagnostics.isEmpty ? nil : diagnostics.map(\.json.text).joined(separator: "\n")
        case .sarif: SARIFLog(diagnostics).text
        }
    }
}

extension Diagnostic {
    /// The diagnostic as JSON. Lines and columns are numbered from 1, columns in Unicode scalars.
    /// An end is the position after the last character.
    var json: JSONValue {
        [
            "file": .string(range.path), "range": range.json,
            "severity": .string(severity.rawValue), "rule": .string(rule.rawValue),
            "message": .string(message), "help": JSONValue(help),
            "notes": .array(
                notes.map {
                    [
                        "file": .string($0.range.path), "range": $0.range.json,
                        "message": .string($0.message),
                    ]
                }),
        ]
    }
}

extension SourceRange {
    /// The start and the end of the range.
    fileprivate var json: JSONValue { ["start": start.json, "end": end.json] }
}

extension SourcePosition {
    fileprivate var json: JSONValue { ["line": .integer(line), "column": .integer(column)] }
}
